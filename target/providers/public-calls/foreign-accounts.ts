import type { StateParams, StateValues } from '../state-provider.ts';
import type { Steps } from './steps.ts';

/** State `foreign-accounts`: another customer of the platform with an internal and an external account. */
export async function foreignAccounts(steps: Steps, params: StateParams): Promise<StateValues> {
  const currency = (params['currency'] as string | undefined) ?? steps.profile.currency;
  const { customerId } = await steps.customer();
  const internalAccountId = await steps.internalAccount(customerId, currency);
  const external = await steps.externalAccount(customerId, currency);
  return { customerId, internalAccountId, externalAccountId: external.id };
}
