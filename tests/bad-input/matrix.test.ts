import { expect, test } from '@playwright/test';
import { faults } from '../../sandbox/faults/index.ts';
import { runNode } from '../support/run-assay.ts';

const CLI = 'node_modules/@playwright/test/cli.js';

async function matrixRefuses(FAULTS: string, sentence: RegExp): Promise<void> {
  test.setTimeout(90_000);
  const { code, output } = await runNode([CLI, 'test', '--config', 'tests/matrix/playwright.config.ts'], {
    FAULTS,
  });
  expect(output.trim()).toMatch(sentence);
  expect(code).toBe(2);
}

test('FAULTS that match nothing', () =>
  matrixRefuses('NOPE', /^FAULTS=NOPE matches no fault: npm run sandbox -- --list-faults lists them\.$/));

test('FAULTS with a slip of the pen', () => {
  const { name } = faults[0]!;
  return matrixRefuses(`${name}x`, new RegExp(`^FAULTS=${name}x matches no fault; did you mean ${name}\\?$`));
});

test('FAULTS that are no expression', () =>
  matrixRefuses('[', /^FAULTS is not a regular expression: "\["\.$/));
