import { param, type State } from '../core/state.ts';
import { customers } from '../domain/customer.ts';
import { addExternalAccount } from '../domain/external-account.ts';
import { agentParams, prepareAgent, removeAgent } from './agent.ts';
import { quoteBody } from './customer.ts';

/** An agent, and a quote request that it can make. */
export const agentQuoteState: State = {
  name: 'agent-quote',
  params: {
    ...agentParams,
    destinationCurrency: { type: 'string', pattern: '^[A-Z0-9]{3,12}$' },
    kind: { enum: ['ACCOUNT', 'REALTIME_FUNDING'] },
  },
  setup(world, params) {
    const { destinationCurrency = 'EUR', kind = 'ACCOUNT', ...rest } = params;
    const values = prepareAgent(world, rest);
    const customer = customers.get(world, String(values['customerId']))!;
    const target = addExternalAccount(world, customer, String(destinationCurrency));
    const source =
      kind === 'ACCOUNT'
        ? { sourceType: 'ACCOUNT', accountId: values['sourceAccountId'] }
        : { sourceType: 'REALTIME_FUNDING', currency: param(params, 'currency', 'USD') };
    const destination = { destinationType: 'ACCOUNT', accountId: target.id };
    return { ...values, destinationCurrency, body: quoteBody(source, destination) };
  },
  teardown: removeAgent,
};
