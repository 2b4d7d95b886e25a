import type { TestInfo } from '@playwright/test';

/** The part of Playwright's test that every error passes on its way to reporters, traces and files. */
interface Internals {
  _failWithError?: (error: unknown) => void;
}

/**
 * Masks the errors of a test before anybody writes them down. Playwright has no hook between a throw and its trace, so
 * this stands in the way of its own method; where a later version has none of that name, errors are still masked at the
 * end of the test, for all but traces.
 */
export function maskErrors(testInfo: TestInfo, mask: (text: string) => string): void {
  const internals = testInfo as unknown as Internals;
  const fail = internals._failWithError;
  if (typeof fail !== 'function') return;
  internals._failWithError = (error) => fail.call(testInfo, masked(error, mask));
}

function masked(error: unknown, mask: (text: string) => string): unknown {
  if (typeof error === 'string') return mask(error);
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { stack } = cause;
    cause.message = mask(cause.message);
    if (stack !== undefined) cause.stack = mask(stack);
  }
  return error;
}
