import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { TestInfo } from '@playwright/test';

/** Commands to a terminal, but for line breaks and tabs, and marks that turn the direction of what follows. */
const COMMANDS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A text of any origin that Playwright will print, without colours; what else would steer a terminal is shown as `\u009b`. */
export function harmless(text: string): string {
  return stripVTControlCharacters(text).replace(
    COMMANDS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Takes from an error where in the suite it was thrown: what a target did is told by the message alone, and Playwright
 * would show the suite's own code below it. What would steer a terminal is taken out of it.
 *
 * @param line the spec's own line that it is about, such as `specs/agents/approval.spec.ts:31`: Playwright shows that
 */
export function told<E extends Error>(error: E, line?: string): E {
  error.message = harmless(error.message);
  const frame = line === undefined ? '' : `\n    at ${resolve(line)}:1`;
  error.stack = `${error.name}: ${error.message}${frame}`;
  return error;
}

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
