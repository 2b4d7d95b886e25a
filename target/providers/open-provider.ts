import type { HttpClient } from '../../client/http/http-client.ts';
import type { Profile } from '../profile.ts';
import { FixturesFile } from './fixtures-file.ts';
import { ProviderStates } from './provider-states.ts';
import { PublicCalls, type PlatformCall } from './public-calls/public-calls.ts';
import type { StateProvider } from './state-provider.ts';

/** The provider of states that the profile chooses. */
export function openProvider(
  profile: Profile,
  http: Pick<HttpClient, 'send'>,
  call: PlatformCall,
): StateProvider {
  switch (profile.preparation) {
    case 'provider-states': {
      const { url, token } = profile.providerStates as NonNullable<Profile['providerStates']>;
      return new ProviderStates(http, url, token);
    }
    case 'fixtures':
      return new FixturesFile(profile.fixtures as string);
    case 'public-calls':
      return new PublicCalls(profile, call);
  }
}
