import { expect, test } from '@playwright/test';
import {
  type Fixture,
  type FixtureTable,
  type TestBody,
  attemptTest,
} from '../../../proof/runner/attempt.ts';
import { test as standIn } from '../../../proof/runner/stand-in.ts';

const attempt = (fixtures: FixtureTable, body: TestBody, retry = 0) =>
  attemptTest({ id: 'a', label: 'a test', tags: [], annotations: [], fixtures, body }, {}, retry);

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
  const sheet = await attempt({ second, first, auto: [auto, { auto: true }] }, ({ second: value }) => {
    told.push(`body with ${String(value)}`);
  });
  expect(sheet.status).toBe('passed');
  expect(told).toEqual([
    ...['auto up', 'first up', 'second on first up', 'body with second on first'],
    ...['second on first down', 'first down', 'auto down'],
  ]);
});

test('an error of the body fails the test, and its fixtures end all the same', async () => {
  let ended = false;
  const held: Fixture = async ({}, use) => {
    await use(1);
    ended = true;
  };
  const sheet = await attempt({ held }, ({ held: _held }) => {
    throw new TypeError('no');
  });
  expect(sheet.status).toBe('failed');
  expect(sheet.errors.map(({ message }) => message)).toEqual(['TypeError: no']);
  expect(ended).toBe(true);
});

test('an error before a fixture has its value is told once', async () => {
  const broken: Fixture = async () => {
    throw new Error('not up');
  };
  const { errors } = await attempt({ broken: [broken, { auto: true }] }, () => undefined);
  expect(errors.map(({ message }) => message)).toEqual(['Error: not up']);
});

test('skipping ends the test without an error', async () => {
  let after = false;
  const skips = () => {
    standIn.info().skip(true, 'not here');
    after = true;
  };
  const { status, expectedStatus, errors, retry } = await attempt({}, skips, 1);
  expect({ status, expectedStatus, errors, retry, after }).toEqual({
    ...{ status: 'skipped', expectedStatus: 'skipped', errors: [], retry: 1, after: false },
  });
});

test('a test that takes too long ends', async () => {
  const sheet = await attempt({}, () => {
    standIn.info().setTimeout(30);
    return new Promise(() => undefined);
  });
  expect(sheet.status).toBe('timedOut');
});
