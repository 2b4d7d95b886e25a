/** Whether a terminal is to be printed to in colour: `NO_COLOR`, `FORCE_COLOR`, else whether it is one. */
export function wantsColour(env: NodeJS.ProcessEnv = process.env): boolean {
  if (env['NO_COLOR']) return false;
  const forced = env['FORCE_COLOR'];
  return forced === undefined ? process.stdout.isTTY === true : forced !== '0';
}
