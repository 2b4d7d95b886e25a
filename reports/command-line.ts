/** Options that leave tests out. */
const FILTERS = new Set([
  '-g',
  '-G',
  '--grep',
  '--grep-invert',
  '--last-failed',
  '--only-changed',
  '--project',
  '--shard',
  '--test-list',
  '--test-list-invert',
]);
/** Options that take the next word; every other word without a dash chooses tests. */
const WITH_VALUE = new Set([
  '--add-reporter',
  '--browser',
  '-c',
  '--config',
  '--debug',
  '--global-timeout',
  '-j',
  '--last-failed-file',
  '--max-failures',
  '--output',
  '--repeat-each',
  '--reporter',
  '--retries',
  '--run-agents',
  '--shuffle',
  '--timeout',
  '--trace',
  '--tsconfig',
  '-u',
  '--ui-host',
  '--ui-port',
  '--update-snapshots',
  '--update-source-method',
  '--workers',
]);

/**
 * True when the command line of a Playwright run chooses a part of the tests: a filter option, or a file, folder or line.
 *
 * @param argv arguments of the process, from the interpreter on
 */
export function leavesTestsOut(argv: readonly string[]): boolean {
  const own = ownArguments(argv);
  return own.some((argument, index) => {
    if (argument.startsWith('-'))
      return FILTERS.has(argument.split('=')[0] ?? '') || /^-[gG]./.test(argument);
    return !WITH_VALUE.has(own[index - 1] ?? '');
  });
}

/**
 * The rules that a filter asks for by their ids alone (`-g RULE-ID`, or several with `|` between them): then the run is about
 * these, whatever else their tests name. Empty for any other filter.
 *
 * @param isRule whether the catalogue has a rule of that id
 */
export function rulesAskedFor(argv: readonly string[], isRule: (id: string) => boolean): readonly string[] {
  const own = ownArguments(argv);
  const filters = own.flatMap((argument, index) => {
    if (argument === '-g' || argument === '--grep') return [own[index + 1] ?? ''];
    const [, joined] = /^(?:-g|--grep=)(.+)$/.exec(argument) ?? [];
    return joined === undefined ? [] : [joined];
  });
  // Playwright takes the last one.
  const ids = (filters.at(-1) ?? '').split('|').map((id) => id.replace(/^@/, ''));
  return ids.every(isRule) ? ids : [];
}

/** True when the run only lists its tests: nothing is judged, and nothing may be touched. */
export function onlyLists(argv: readonly string[]): boolean {
  return ownArguments(argv).includes('--list');
}

function ownArguments(argv: readonly string[]): readonly string[] {
  const command = argv.indexOf('test');
  return command < 0 ? [] : argv.slice(command + 1);
}

/** Whether a terminal is to be printed to in colour: `NO_COLOR`, `FORCE_COLOR`, else whether it is one. */
export function wantsColour(env: NodeJS.ProcessEnv = process.env): boolean {
  if (env['NO_COLOR']) return false;
  const forced = env['FORCE_COLOR'];
  return forced === undefined ? process.stdout.isTTY === true : forced !== '0';
}

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

let begun = false;

/** What ends Playwright before a run begins, such as a project that there is not, is bad input: exit code 2. */
export function endWithTwoUntilBegun(): void {
  process.on('exit', (code) => {
    if (code === 1 && !begun) process.exitCode = 2;
  });
}

/** From here on the run has a verdict. */
export function runHasBegun(): void {
  begun = true;
}

/**
 * Reporters that the command line of `playwright test` names, which replace those of the configuration; none where the
 * configuration's own are used, and where nothing runs: a list of tests, a merge.
 *
 * @param argv arguments of Playwright's command line
 */
export function chosenReporters(argv: readonly string[]): readonly string[] {
  if (argv.includes('--list') || argv.includes('merge-reports')) return [];
  return reportersNamed(argv, '--reporter');
}

/** Reporters whose result is what they print. */
const DATA = new Set(['json', 'junit']);

/** Where Assay prints to: not among the data of a reporter that prints them, so that `--reporter=json > file` is JSON. */
export function ownOutput(argv: readonly string[] = process.argv): NodeJS.WriteStream {
  const named = ['--reporter', '--add-reporter'].flatMap((option) => reportersNamed(argv, option));
  return named.some((name) => DATA.has(name)) ? process.stderr : process.stdout;
}

/** Playwright takes the last one, and splits it. */
function reportersNamed(argv: readonly string[], option: string): readonly string[] {
  const named = argv.flatMap((word, index) => {
    if (word.startsWith(`${option}=`)) return [word.slice(option.length + 1)];
    return word === option ? [argv[index + 1] ?? ''] : [];
  });
  return (named.at(-1) ?? '').split(',').filter((name) => name !== '');
}
