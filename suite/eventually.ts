/** Between two looks, in milliseconds: quick at first, patient later. */
const PAUSES_MS = [20, 50, 100, 200];
const LONGEST_PAUSE_MS = 400;

/** What has come within this time comes at once, in milliseconds: a fifth of the shortest patience by default. */
const AT_ONCE_MS = 1_000;

let lastMs = Number.POSITIVE_INFINITY;

/** Whether what was last waited for has come, and at once. */
export function cameAtOnce(): boolean {
  return lastMs < AT_ONCE_MS;
}

/**
 * Looks again until something holds or the time is up.
 *
 * @param look makes one observation
 * @param holds whether the observation is the awaited one
 * @param timeoutMs how long to go on, in milliseconds; the interface names no time, so the dialect does (effectSeconds)
 * @returns the last observation, whether or not it holds
 */
export async function eventually<T>(
  look: () => Promise<T>,
  holds: (seen: T) => boolean,
  timeoutMs: number,
): Promise<T> {
  const start = performance.now();
  const deadline = start + timeoutMs;
  for (let turn = 0; ; turn += 1) {
    const seen = await look();
    const left = deadline - performance.now();
    const isHeld = holds(seen);
    if (isHeld || left <= 0) {
      lastMs = isHeld ? performance.now() - start : Number.POSITIVE_INFINITY;
      return seen;
    }
    // The last look is made when the time is up, and not a pause later.
    const pauseMs = Math.min(PAUSES_MS[turn] ?? LONGEST_PAUSE_MS, left);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/**
 * Looks when a time is over: what must not come would be there by then, and lasts.
 *
 * @param ms how long to wait, in milliseconds
 */
export async function afterwards<T>(look: () => Promise<T>, ms: number): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return look();
}
