import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { TestStatus } from '@playwright/test';
import type { Details, FixtureTable, TestBody, Annotation } from './attempt.ts';

/**
 * Stands in for `@playwright/test` while the suite runs against thousands of worlds: the same specs and the same fixtures of
 * suite/test.ts, without a worker process, a trace and a report for each test. It has what the suite uses, and no more.
 */
const running = new AsyncLocalStorage<Execution>();

/** Runs a test body and its fixtures with the execution that `test.info()` returns. */
export function withExecution<T>(execution: Execution, run: () => T): T {
  return running.run(execution, run);
}

function testOf(fixtures: FixtureTable) {
  const declareTest = (title: string, details: Details | TestBody, body?: TestBody): void =>
    declare(fixtures, title, details, body);
  return Object.assign(declareTest, {
    extend: (more: FixtureTable) => testOf({ ...fixtures, ...more }),
    info: (): Execution => {
      const execution = running.getStore();
      if (!execution) throw new Error('test.info() outside of a test');
      return execution;
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
function declare(fixtures: FixtureTable, title: string, details: Details | TestBody, body?: TestBody): void {
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

/** Thrown by `skip`: ends the test, and is no error. */
class Skipped extends Error {
  override readonly name = 'Skipped';
}

/** Longest time of one test, in milliseconds, as in playwright.config.ts. */
const TIMEOUT_MS = 60_000;

/** What `testInfo` is to Playwright's tests, as far as the suite uses it. */
export class Execution {
  readonly testId: string;
  readonly title: string;
  /** File and title. */
  readonly titlePath: readonly string[];
  readonly tags: readonly string[];
  readonly annotations: Annotation[];
  readonly retry: number;
  /** New workers are what the suite saves where many tests are red; here red costs nothing. */
  readonly workerIndex = 0;
  readonly config = { workers: 1 } as const;
  readonly attachments: { name: string; contentType: string; body: Buffer }[] = [];
  readonly errors: { message: string; stack?: string }[] = [];
  expectedStatus: TestStatus = 'passed';
  status: TestStatus = 'passed';
  timeout = TIMEOUT_MS;
  readonly #startedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #expired: (() => void) | undefined;

  constructor(test: DeclaredTest, retry: number) {
    this.testId = test.id;
    const [file = '', ...titles] = test.label.split(' › ');
    this.title = titles.join(' › ');
    this.titlePath = [file, this.title];
    this.tags = test.tags;
    this.annotations = [...test.annotations];
    this.retry = retry;
  }

  /** Resolves when the time of the test is over. */
  expires(): Promise<void> {
    return new Promise((resolve) => {
      this.#expired = resolve;
      this.setTimeout(this.timeout);
    });
  }

  /** @param timeout milliseconds, counted from the start of the test */
  setTimeout(timeout: number): void {
    this.timeout = timeout;
    clearTimeout(this.#timer);
    if (!this.#expired) return;
    this.#timer = setTimeout(this.#expired, timeout - (performance.now() - this.#startedAt));
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  skip(condition: boolean, description: string): void {
    if (!condition) return;
    this.annotations.push({ type: 'skip', description });
    this.expectedStatus = 'skipped';
    throw new Skipped(description);
  }

  fail(condition: boolean, description: string): void {
    if (!condition) return;
    this.annotations.push({ type: 'fail', description });
    if (this.expectedStatus !== 'skipped') this.expectedStatus = 'failed';
  }

  /** Notes what a fixture or the body has thrown. */
  threw(error: unknown): void {
    if (error instanceof Skipped) {
      if (this.status === 'passed') this.status = 'skipped';
      return;
    }
    if (this.status === 'passed' || this.status === 'skipped') this.status = 'failed';
    const { message, name, stack } = error instanceof Error ? error : new Error(String(error));
    this.errors.push({
      message: `${name}: ${message}`,
      ...(stack === undefined ? {} : { stack }),
    });
  }
}
