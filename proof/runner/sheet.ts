import type { TestStatus } from '@playwright/test';
import type { DeclaredTest } from './stand-in.ts';
import type { Annotation } from './attempt.ts';

/** Thrown by `skip`: ends the test, and is no error. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/** Longest time of one test, in milliseconds, as in playwright.config.ts. */
const TIMEOUT_MS = 60_000;

/** What `testInfo` is to Playwright's tests, as far as the suite uses it. */
export class Sheet {
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

  async attach(name: string, { body, contentType }: { body: string; contentType: string }): Promise<void> {
    this.attachments.push({ name, contentType, body: Buffer.from(body) });
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
