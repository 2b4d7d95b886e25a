import { expect, test } from '@playwright/test';
import {
  type Fixture,
  type FixtureTable,
  type TestBody,
  attemptTest,
} from '../../../proof/runner/attempt.ts';
import { test as standIn } from '../../../proof/runner/stand-in.ts';

const attempt = (fixtures: FixtureTable, body: TestBody) =>
  attemptTest({ id: 'a', label: 'a test', tags: [], annotations: [], fixtures, body }, {}, 0);

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

test('a test that takes too long ends', async () => {
  const { status } = await attempt({}, () => {
    standIn.info().setTimeout(30);
    return new Promise(() => undefined);
  });
  expect(status).toBe('timedOut');
});
