/** Between two looks, in milliseconds: quick at first, patient later. */
const PAUSES_MS = [20, 50, 100, 200];
const LONGEST_PAUSE_MS = 400;

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
  const deadline = performance.now() + timeoutMs;
  for (let turn = 0; ; turn += 1) {
    const seen = await look();
    const left = deadline - performance.now();
    if (holds(seen) || left <= 0) return seen;
    // The last look is made when the time is up, and not a pause later.
    const pauseMs = Math.min(PAUSES_MS[turn] ?? LONGEST_PAUSE_MS, left);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
