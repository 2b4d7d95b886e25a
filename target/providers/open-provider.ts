import type { HttpClient } from '../../client/http/http-client.ts';
import { type Preparation, type Profile, preparations } from '../profile.ts';
import { FixturesFile } from './fixtures-file.ts';
import { Ladder, type Refusals } from './ladder.ts';
import { ProviderStates } from './provider-states.ts';
import { type LeftOver, PublicCalls, type PlatformCall } from './public-calls/public-calls.ts';
import type { StateProvider } from './state-provider.ts';

/**
 * Who prepares states for the profile.
 *
 * @param refusals what the tests of this worker have asked for in vain
 * @param leftOver what they have left for others
 */
export function openProvider(
  profile: Profile,
  http: Pick<HttpClient, 'send'>,
  call: PlatformCall,
  refusals?: Refusals,
  leftOver?: LeftOver,
): StateProvider {
  const open: Readonly<Record<Preparation, () => StateProvider>> = {
    'provider-states': () => {
      const { url, token } = profile.providerStates as NonNullable<Profile['providerStates']>;
      return new ProviderStates(http, url, token);
    },
    'public-calls': () => new PublicCalls(profile, call, leftOver),
    fixtures: () => new FixturesFile(profile.fixtures as string),
  };
  const [first, ...others] = preparations(profile);
  return new Ladder([open[first](), ...others.map((name) => open[name]())], refusals);
}
