import { spawn, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { childEnvironment, root } from './support/run-assay.ts';
import { testsOf } from './support/tests-of.ts';

/**
 * What `npm run check` runs before a commit: types, lint, format, arrows, and the unit tests of what differs from the last
 * commit. All at once, and each remembers in node_modules/.cache what it has seen; `npm test` asks everything anew.
 */

interface Step {
  readonly name: string;
  /** Arguments of Node. */
  readonly args: readonly string[];
}

const CACHE = 'node_modules/.cache/assay';

const changed = git('diff', '--name-only', '--diff-filter=d', 'HEAD').concat(
  git('ls-files', '--others', '--exclude-standard'),
);
const tests = testsOf(changed, (path) => existsSync(`${root}${path}`), importing);

const steps: readonly Step[] = [
  {
    name: 'types',
    args: [
      'node_modules/@typescript/native/bin/tsc',
      '--noEmit',
      '--incremental',
      '--tsBuildInfoFile',
      `${CACHE}/types.tsbuildinfo`,
    ],
  },
  {
    name: 'lint',
    args: [
      'node_modules/eslint/bin/eslint.js',
      '--cache',
      '--cache-strategy',
      'content',
      '--cache-location',
      `${CACHE}/lint`,
      '.',
    ],
  },
  {
    name: 'format',
    args: [
      'node_modules/prettier/bin/prettier.cjs',
      '--check',
      '--log-level',
      'warn',
      '--cache',
      '--cache-strategy',
      'content',
      '--cache-location',
      `${CACHE}/format`,
      '.',
    ],
  },
  {
    name: 'arrows and unit tests',
    args: [
      'node_modules/@playwright/test/cli.js',
      'test',
      '--config',
      'tests/playwright.config.ts',
      '--reporter',
      'dot',
      'tests/docs/arrows.test.ts',
      ...tests,
    ],
  },
];

console.log(
  tests.length === 0
    ? 'No unit test belongs to what differs from the last commit.'
    : `Unit tests of what differs from the last commit: ${tests.join(' ')}`,
);
const started = performance.now();
const failed = (await Promise.all(steps.map(run))).filter((name) => name !== undefined);
const took = `${seconds(started)} s`;
console.log(failed.length === 0 ? `All is well, ${took}.` : `To mend: ${failed.join(', ')}. ${took}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Shows what a step said when it has ended. @returns its name where it failed */
async function run({ name, args }: Step): Promise<string | undefined> {
  const from = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, env: childEnvironment({}), stdio: 'pipe' });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', resolve);
  });
  console.log(`${code === 0 ? 'ok' : 'FAILED'}: ${name}, ${seconds(from)} s`);
  if (code !== 0) console.log(output.trimEnd());
  return code === 0 ? undefined : name;
}

function importing(path: string): readonly string[] {
  return git('ls-files', '--cached', '--others', '--exclude-standard', 'tests/*.test.ts').filter(
    (test) => existsSync(`${root}${test}`) && readFileSync(`${root}${test}`, 'utf8').includes(`../${path}'`),
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
