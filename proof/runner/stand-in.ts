import { AsyncLocalStorage } from 'node:async_hooks';
import { declare } from './declared.ts';
import type { Details, FixtureTable, TestBody } from './fixtures.ts';
import type { Sheet } from './sheet.ts';

/**
 * Stands in for `@playwright/test` while the suite runs against thousands of worlds: the same specs and the same fixtures of
 * suite/test.ts, without a worker process, a trace and a report for each test. It has what the suite uses, and no more.
 */
const running = new AsyncLocalStorage<Sheet>();

/** Runs a test body and its fixtures with the sheet that `test.info()` returns. */
export function withSheet<T>(sheet: Sheet, run: () => T): T {
  return running.run(sheet, run);
}

function testOf(fixtures: FixtureTable) {
  const declareTest = (title: string, details: Details | TestBody, body?: TestBody): void =>
    declare(fixtures, title, details, body);
  return Object.assign(declareTest, {
    extend: (more: FixtureTable) => testOf({ ...fixtures, ...more }),
    info: (): Sheet => {
      const sheet = running.getStore();
      if (!sheet) throw new Error('test.info() outside of a test');
      return sheet;
    },
    step: async <T>(_title: string, body: () => T | Promise<T>): Promise<T> => body(),
  });
}

export const test = testOf({});
/** The same without a browser's fixtures, of which there are none here. */
export const _baseTest = test;
