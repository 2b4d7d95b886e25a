import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { Details, FixtureTable, TestBody, Annotation } from './attempt.ts';
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

/** One test of the specs. */
export interface DeclaredTest {
  /** Made of file and title: the same in every process. */
  readonly id: string;
  /** As the reports write it: file and title. */
  readonly label: string;
  readonly tags: readonly string[];
  readonly annotations: readonly Annotation[];
  readonly fixtures: FixtureTable;
  readonly body: TestBody;
}

const tests = new Map<string, DeclaredTest>();
let file = '';

/** Notes which spec declares from now on; specs are loaded one after the other. @param path below specs/ */
export function declaring(path: string): void {
  file = path;
}

/** Takes down a test. @throws Error for a second one of the same title in a file */
export function declare(
  fixtures: FixtureTable,
  title: string,
  details: Details | TestBody,
  body?: TestBody,
): void {
  const { tag = [], annotation = [] } = typeof details === 'function' ? {} : details;
  const run = typeof details === 'function' ? details : body;
  if (!run) throw new Error(`${file}: "${title}" has no body`);
  const label = `${file} › ${title}`;
  const id = createHash('sha256').update(label).digest('hex').slice(0, 16);
  if (tests.has(id)) throw new Error(`${file} has two tests called "${title}"`);
  const list = <T>(one: T | readonly T[]): readonly T[] => [one].flat() as T[];
  tests.set(id, {
    id,
    label,
    tags: list(tag),
    annotations: list(annotation),
    fixtures,
    body: run,
  });
}

/** All tests that have been declared, in order. */
export function declaredTests(): readonly DeclaredTest[] {
  return [...tests.values()];
}
