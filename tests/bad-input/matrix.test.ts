import { expect, test } from '@playwright/test';
import { faults } from '../../sandbox/faults/index.ts';
import { runNode } from '../support/run-assay.ts';

const NODE = ['--disable-warning=ExperimentalWarning', '--import', 'tsx'];

async function refuses(command: string, args: readonly string[], sentence: RegExp): Promise<void> {
  test.setTimeout(90_000);
  const { code, output } = await runNode([...NODE, `proof/${command}/main.ts`, ...args]);
  expect(output.trim()).toMatch(sentence);
  expect(code).toBe(2);
}

test('a name that means no fault', () =>
  refuses(
    'matrix',
    ['NOPE-AT-ALL-XYZ'],
    /^No fault is called NOPE-AT-ALL-XYZ, and none breaks a rule of that name: npm run sandbox -- --list-faults lists them\.$/,
  ));

test('a name with a slip of the pen', () => {
  const { name } = faults[0]!;
  return refuses(
    'matrix',
    [`${name}x`],
    new RegExp(`^No fault is called ${name}x, and none breaks a rule of that name; did you mean ${name}\\?$`),
  );
});

test('a shard that is none', () =>
  refuses('matrix', ['--shard', '5/4'], /^--shard must be like 2\/4, the second of four, not "5\/4"\.$/));

test('an option that is none', () =>
  refuses('variants', ['--sedes', '3'], /^Unknown option '--sedes'\. Run with --help to see the options\.$/));

test('a sample of nothing', () =>
  refuses('mutants', ['--sample', '0'], /^--sample must be a whole number from 1 on, not "0"\.$/));

test('soundness of everything', () =>
  refuses('matrix', ['--sound'], /^--sound takes about a minute a fault: name some faults, or draw some/));
