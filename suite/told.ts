import { harmless } from './harmless.ts';

/**
 * Takes from an error where in the suite it was thrown: what a target did is told by the message alone, and Playwright
 * would show the suite's own code below it. What would steer a terminal is taken out of it.
 */
export function told<E extends Error>(error: E): E {
  error.message = harmless(error.message);
  error.stack = `${error.name}: ${error.message}`;
  return error;
}
