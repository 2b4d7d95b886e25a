import { expect, type Check } from '../../suite/index.ts';

/** A moment, and the finest step that its text shows, both in milliseconds. */
export interface Instant {
  readonly at: number;
  readonly step: number;
}

/** Reads a timestamp; undefined for what is none (its shape is another rule's matter). */
export function instantOf(text: unknown): Instant | undefined {
  if (typeof text !== 'string') return undefined;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return undefined;
  const digits = /\.(\d+)/.exec(text)?.[1]?.length ?? 0;
  return { at, step: 10 ** (3 - Math.min(digits, 3)) };
}

/** Milliseconds from one moment to another; 0 where their texts are too coarse to tell them apart. */
export function elapsed(from: Instant, to: Instant): number {
  const difference = to.at - from.at;
  return Math.abs(difference) <= Math.max(from.step, to.step) ? 0 : difference;
}

/**
 * Milliseconds between a time of the target's clock and the Date of an answer, whichever way round. Where that clock has been
 * moved, the Date may have moved along, or not.
 *
 * @param offset of the target's clock from ours, in milliseconds
 */
export function betweenClocks(at: number, date: number, offset: number): number {
  return Math.min(Math.abs(at - date), Math.abs(at - date - offset));
}

/** A time stays as it was first shown. What is no time is another rule's matter. */
export async function expectSameTime(
  check: Check,
  rule: string,
  times: readonly [first: unknown, later: unknown],
  evidence?: Parameters<Check>[2],
): Promise<void> {
  const [was, is] = times.map(instantOf);
  if (was && is)
    await check(
      rule,
      () => expect(elapsed(was, is), `${times[1]} in place of ${times[0]}`).toBe(0),
      evidence,
    );
}
