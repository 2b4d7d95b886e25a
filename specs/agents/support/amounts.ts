import { randomInt } from 'node:crypto';

/**
 * Amounts of these specs, in the smallest unit of the currency. They are so far apart that no fee can make one look
 * like another, and the ample balance of a prepared account covers several of them.
 */

/** Amounts above this need the platform's approval, where a test asks for such a policy. */
export const THRESHOLD = 100_000;
/** Runs without approval. */
export const BELOW = 50_000;
/** Waits for approval. */
export const ABOVE = 150_000;

/** An amount close above another one that no other test sends: tells an action from others in a list. */
export function amountOfItsOwn(near: number): number {
  return near + randomInt(1, 10_000);
}
