import { readAccepted } from './rule-list.ts';
import { readKnownFailures } from './known-failures.ts';
import { depthOf, wholeNumber } from './environment.ts';
import { loadProfile, type Embedded } from './load-profile.ts';
import type { Profile } from './profile.ts';
import { FixturesFile } from './providers/fixtures-file.ts';
import { workersFor } from './workers.ts';

/** What a run is told from outside, read and checked once before anything starts. */
export interface Settings {
  readonly profile: Profile;
  /** Tests at once, where the target's latency is not known. */
  readonly workers: number;
}

/**
 * Reads every setting and every file that a run will need, so that a mistake in one of them shows before any test.
 *
 * @throws UsageError in one sentence with the fix
 */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  embedded: Embedded,
): Settings {
  const profile = loadProfile(env, embedded);
  readKnownFailures(profile.knownFailures);
  readAccepted(profile.accepted);
  if (profile.preparation === 'fixtures') void new FixturesFile(profile.fixtures as string);
  wholeNumber(env, 'SEED', 0, Number.NEGATIVE_INFINITY);
  depthOf(env);
  return { profile, workers: workersFor(env, undefined) };
}
