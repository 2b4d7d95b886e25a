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
