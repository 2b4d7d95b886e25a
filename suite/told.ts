/**
 * Takes from an error where in the suite it was thrown: what a target did is told by the message alone, and Playwright
 * would show the suite's own code below it.
 */
export function told<E extends Error>(error: E): E {
  error.stack = `${error.name}: ${error.message}`;
  return error;
}
