import type { HttpClient } from '../../client/http/http-client.ts';
import type { Profile } from '../profile.ts';
import { ProviderStates } from '../providers/provider-states.ts';
import { UsageError } from '../usage-error.ts';

/** @throws UsageError when situations are to be prepared at a provider-states URL, and nothing there can do it */
export async function refuseStatesUrl(
  { preparation, providerStates }: Profile,
  http: HttpClient,
): Promise<void> {
  if (preparation !== 'provider-states' || !providerStates) return;
  const { url, token } = providerStates;
  const obstacle = await new ProviderStates(http, url, token).obstacle();
  if (obstacle !== undefined) throw new UsageError(`PROVIDER_STATES_URL ${url} cannot be used: ${obstacle}.`);
}
