import { expect, test } from '@playwright/test';
import {
  type Fixture,
  type FixtureTable,
  type TestBody,
  attemptTest,
} from '../../../proof/runner/attempt.ts';
import { type DeclaredTest, test as standIn } from '../../../proof/runner/stand-in.ts';

const declared = (fixtures: FixtureTable, body: TestBody): DeclaredTest => ({
  id: 'a',
  label: 'a test',
  tags: [],
  annotations: [],
  fixtures,
  body,
});

test('fixtures are set up in the order of their needs, and end in reverse', async () => {
  const told: string[] = [];
  const fixture =
    (name: string): Fixture =>
    async (_asked, use) => {
      told.push(`${name} up`);
      await use(name);
      told.push(`${name} down`);
    };
  const first: Fixture = ({}, use, sheet) => fixture('first')({}, use, sheet);
  const second: Fixture = ({ first: below }, use, sheet) =>
    fixture(`second on ${String(below)}`)({}, use, sheet);
  const auto: Fixture = ({}, use, sheet) => fixture('auto')({}, use, sheet);
  const sheet = await attemptTest(
    declared({ second, first, auto: [auto, { auto: true }] }, ({ second: value }) => {
      told.push(`body with ${String(value)}`);
    }),
    {},
    0,
  );
  expect(sheet.status).toBe('passed');
  expect(told).toEqual([
    'auto up',
    'first up',
    'second on first up',
    'body with second on first',
    'second on first down',
    'first down',
    'auto down',
  ]);
});

test('an error of the body fails the test, and its fixtures end all the same', async () => {
  let ended = false;
  const held: Fixture = async ({}, use) => {
    await use(1);
    ended = true;
  };
  const sheet = await attemptTest(
    declared({ held }, ({ held: _held }) => {
      throw new TypeError('no');
    }),
    {},
    0,
  );
  expect(sheet.status).toBe('failed');
  expect(sheet.errors.map(({ message }) => message)).toEqual(['TypeError: no']);
  expect(ended).toBe(true);
});

test('an error before a fixture has its value is told once', async () => {
  const broken: Fixture = async () => {
    throw new Error('not up');
  };
  const sheet = await attemptTest(
    declared({ broken: [broken, { auto: true }] }, () => undefined),
    {},
    0,
  );
  expect(sheet.errors.map(({ message }) => message)).toEqual(['Error: not up']);
});

test('skipping ends the test without an error', async () => {
  let after = false;
  const sheet = await attemptTest(
    declared({}, () => {
      standIn.info().skip(true, 'not here');
      after = true;
    }),
    {},
    1,
  );
  expect({ status: sheet.status, expected: sheet.expectedStatus, errors: sheet.errors, after }).toEqual({
    status: 'skipped',
    expected: 'skipped',
    errors: [],
    after: false,
  });
  expect(sheet.retry).toBe(1);
});

test('a test that takes too long ends', async () => {
  const sheet = await attemptTest(
    declared({}, () => {
      standIn.info().setTimeout(30);
      return new Promise(() => undefined);
    }),
    {},
    0,
  );
  expect(sheet.status).toBe('timedOut');
});
