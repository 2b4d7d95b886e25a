let exitCode: 0 | 1 | 2 = 0;
let listening = false;

/**
 * Ends this process with the given code, whatever the test runner wants. Playwright ends it with 0, 1 or 130; ours is set
 * at the very last moment, so that the order of reporters and their own onExit do not matter. It only ever makes a good
 * exit code bad, never the reverse.
 */
export function raiseExitCode(code: 0 | 1 | 2): void {
  exitCode = code;
  if (listening) return;
  listening = true;
  process.on('exit', () => {
    if (exitCode !== 0) process.exitCode = exitCode;
  });
}
