import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { root, runNode } from './support/run-assay.ts';

/**
 * What `npm run check` runs before a commit, all at once: types and arrows of everything, and lint, format and the unit tests
 * of what differs from the last commit. `npm test` asks for everything.
 */

const CACHE = 'node_modules/.cache/assay';

/** Tests with configurations of their own: they start browsers or whole runs, and are no part of the unit tests. */
const APART = /^tests\/(?:browser|dialect|hostile|ci)\//;

/** A rule is a row, a check and a fault, and pages tell of it: what holds these together is in other places than they. */
const HELD_BY: readonly (readonly [what: RegExp, tests: readonly string[]])[] = [
  [/^(?:schemas\/rules\/|specs\/|sandbox\/faults\/)/, ['tests/schemas/rules.test.ts']],
  [/^(?:schemas\/rules\/|specs\/)/, ['tests/docs/guides.test.ts']],
];

const changed = git('diff', '--name-only', '--diff-filter=d', 'HEAD').concat(
  git('ls-files', '--others', '--exclude-standard'),
);
const tests = testsOf(changed);
const node = (path: string, ...args: readonly string[]) => [`node_modules/${path}`, ...args];

/** Arguments of Node, by what they look at. */
const steps: Readonly<Record<string, readonly string[]>> = {
  types: node(
    ...['@typescript/native/bin/tsc', '--noEmit', '--incremental'],
    ...['--tsBuildInfoFile', `${CACHE}/types.tsbuildinfo`],
  ),
  'arrows and unit tests': node(
    ...['@playwright/test/cli.js', 'test', '--config', 'tests/playwright.config.ts', '--reporter', 'dot'],
    ...['tests/docs/arrows.test.ts', ...tests],
  ),
  ...(changed.length === 0
    ? {}
    : {
        lint: node(
          ...['eslint/bin/eslint.js', '--no-warn-ignored', '--pass-on-no-patterns'],
          ...changed.filter((path) => path.endsWith('.ts')),
        ),
        format: node(
          ...['prettier/bin/prettier.cjs', '--check', '--ignore-unknown', '--log-level', 'warn'],
          ...changed,
        ),
      }),
};

console.log(
  tests.length === 0
    ? 'No unit test belongs to what differs from the last commit.'
    : `Unit tests of what differs from the last commit: ${tests.join(' ')}`,
);
const started = performance.now();
const failed = (await Promise.all(Object.entries(steps).map(run))).filter((name) => name !== undefined);
const took = `${seconds(started)} s`;
console.log(failed.length === 0 ? `All is well, ${took}.` : `To mend: ${failed.join(', ')}. ${took}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Shows what a step said when it has ended. @returns its name where it failed */
async function run([name, args]: readonly [string, readonly string[]]): Promise<string | undefined> {
  const from = performance.now();
  const { code, output } = await runNode(args);
  console.log(`${code === 0 ? 'ok' : 'FAILED'}: ${name}, ${seconds(from)} s`);
  if (code !== 0) console.log(output.trimEnd());
  return code === 0 ? undefined : name;
}

/**
 * The unit tests that belong to changed files: themselves, and those in the same place below tests/. Where a file has none
 * of its name, those in its place or above that import it.
 */
function testsOf(paths: readonly string[]): readonly string[] {
  const found = paths.flatMap((path) => {
    if (path.startsWith('tests/')) return path.endsWith('.test.ts') ? [path] : [];
    const holding = HELD_BY.flatMap(([what, names]) => (what.test(path) ? names : []));
    const twin = `tests/${path.replace(/\.\w+$/, '')}`;
    const twins = [`${twin}.test.ts`, `${twin}/`].filter((each) => existsSync(`${root}${each}`));
    return [...holding, ...(twins.length > 0 ? twins : importing(path, twin))];
  });
  return [...new Set(found)].filter((path) => !APART.test(path)).sort();
}

function importing(path: string, twin: string): readonly string[] {
  return git('ls-files', '--cached', '--others', '--exclude-standard', 'tests/*.test.ts').filter(
    (test) =>
      test.split('/').length > 2 &&
      twin.startsWith(test.slice(0, test.lastIndexOf('/') + 1)) &&
      existsSync(`${root}${test}`) &&
      readFileSync(`${root}${test}`, 'utf8').includes(`../${path}'`),
  );
}

function git(...args: readonly string[]): readonly string[] {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');
}

function seconds(from: number): string {
  return ((performance.now() - from) / 1_000).toFixed(1);
}
