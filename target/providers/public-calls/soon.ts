import { setTimeout as pause } from 'node:timers/promises';
import type { Profile } from '../../profile.ts';

/** Between two looks, in milliseconds. */
const PAUSE_MS = 200;
/** What never came on a target, by its profile: nobody waits for it again. */
const inVain = new WeakMap<Profile, Set<string>>();

/**
 * Looks again until something is there: how soon what a call has made can be seen, is not stated.
 *
 * @param what names it, for those who come later
 * @returns undefined where it has not come within `effectSeconds`, or never did before
 */
export async function soon<T>(
  profile: Profile,
  what: string,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const missing = inVain.get(profile) ?? new Set();
  const end = performance.now() + profile.dialect.effectSeconds * 1_000;
  for (;;) {
    const seen = await look();
    if (seen !== undefined || missing.has(what)) return seen;
    if (performance.now() > end) break;
    await pause(PAUSE_MS);
  }
  inVain.set(profile, missing.add(what));
  return undefined;
}
