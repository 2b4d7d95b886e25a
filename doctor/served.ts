import { FixturesFile } from '../target/providers/fixtures-file.ts';
import { servesByPublicCalls } from '../target/providers/public-calls/public-calls.ts';
import type { Profile } from '../target/profile.ts';
import { partsOf } from '../target/states/catalogue.ts';

/** Tells whether who prepares serves a part of a state (target/states/catalogue.ts). */
export type Serves = (part: string) => boolean;

/**
 * What a target's preparation serves.
 *
 * @param tried parts that a provider-states URL has served; undefined where there is none
 */
export function servesOf(profile: Profile, tried: ReadonlySet<string> | undefined): Serves {
  const byPreparation = tried ? servesAsTried(tried) : byOthers(profile);
  return (part) => (stateOf(part) === 'clock' && profile.clock === 'none' ? false : byPreparation(part));
}

/** A value that was not tried is served as others of the same param are. */
export function servesAsTried(tried: ReadonlySet<string>): Serves {
  const names = new Set([...tried].map((part) => part.replace(/[=].*$/, '')));
  const params = new Set([...names].map((name) => name.split('.').slice(0, 2).join('.')));
  return (part) => {
    const name = part.replace(/[=].*$/, '');
    // What needs records of a test cannot be tried beforehand.
    return (
      tried.has(part) || names.has(name) || params.has(name) || (isOfTest(name) && tried.has(stateOf(part)))
    );
  };
}

function isOfTest(name: string): boolean {
  return /Id$|\.(url|outcome|expiresInSeconds)$/.test(name);
}

function byOthers(profile: Profile): Serves {
  if (profile.preparation !== 'fixtures') return servesByPublicCalls;
  const rows = new FixturesFile(profile.fixtures as string).rows();
  const parts = new Set(rows.flatMap(({ state, params }) => partsOf(state, params)));
  return (part) => parts.has(part);
}

function stateOf(part: string): string {
  return part.split('.')[0] as string;
}
