import { existsSync } from 'node:fs';

const FILTERS =
  /^(?:-g|-G|--grep|--grep-invert|--last-failed|--only-changed|--project|--shard|--test-list|--test-list-invert)(?:=|$)|^-[gG]./;

/**
 * True when the command line of a Playwright run leaves tests out: a filter option, or a file, folder or line.
 *
 * @param argv arguments of the process, from the interpreter on
 */
export function leavesTestsOut(argv: readonly string[]): boolean {
  const command = argv.indexOf('test');
  if (command < 0) return false;
  const own = argv.slice(command + 1);
  return own.some((argument, index) => {
    if (FILTERS.test(argument)) return true;
    const isValue = own[index - 1]?.startsWith('-') === true && !own[index - 1]?.includes('=');
    return !argument.startsWith('-') && !isValue && looksLikeTests(argument);
  });
}

function looksLikeTests(argument: string): boolean {
  const file = argument.replace(/(?::\d+){1,2}$/, '');
  return file.includes('spec') || existsSync(file);
}
