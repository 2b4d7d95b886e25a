import type { StateParams, StateValues } from '../state-provider.ts';
import { agent } from './agent.ts';
import { QUOTED_AMOUNT, terms } from './customer.ts';
import type { Steps } from './steps.ts';

/** State `agent-quote`: as `agent`, with an external account in another currency and the body of a quote to it. */
export async function agentQuote(steps: Steps, params: StateParams): Promise<StateValues> {
  const { destinationCurrency: wanted, kind, ...policy } = params;
  const values = await agent(steps, policy);
  const { customerId, currency, sourceAccountId } = values as Readonly<Record<string, string>>;
  await terms(steps, customerId as string, true);
  const destinationCurrency = (wanted as string | undefined) ?? (currency === 'EUR' ? 'USD' : 'EUR');
  const destination = await steps.externalAccount(customerId as string, destinationCurrency);
  const source =
    kind === 'REALTIME_FUNDING'
      ? { sourceType: kind, currency, customerId }
      : { sourceType: 'ACCOUNT', accountId: sourceAccountId };
  return {
    ...values,
    destinationCurrency,
    body: steps.body('createAgentQuote', {
      source,
      destination: { destinationType: 'ACCOUNT', accountId: destination.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: QUOTED_AMOUNT,
    }),
  };
}
