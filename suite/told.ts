import { resolve } from 'node:path';
import { harmless } from './harmless.ts';

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
