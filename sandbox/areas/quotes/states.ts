import { named, param, type State } from '../../server/area.ts';
import { steerCustomer } from '../../steering/steering.ts';
import { prepareAgent, removeAgent } from '../agents/states.ts';
import { prepareCustomer, quoteBody } from '../customers/states.ts';
import { addSca, withFunding } from '../sca/states.ts';
import { registerExternalAccount } from '../accounts/records.ts';
import { customers } from '../customers/records.ts';
import { configOf } from '../platform/records.ts';

/** States that prepare this area. */
export const quoteStates: readonly State[] = [
  // A quote request of a wanted kind.
  {
    name: 'quote-source',
    setup(world, params) {
      const fee = params['platformFee'];
      const own = fee === undefined ? {} : { ownPlatform: true };
      const prepared = withFunding(prepareCustomer(world, { ...params, ...own }), params);
      if (params['accountType'] !== undefined)
        steerCustomer(world, prepared.customer, { fundingAccountType: params['accountType'] });
      if (fee !== undefined) {
        const feeConfigs = [{ sourceCurrency: param(params, 'currency', 'USD'), fixedFee: fee }];
        world.behaviour.updateConfig(configOf(world, prepared.customer.platformId), { feeConfigs });
      }
      return {
        ...prepared.values,
        ...(params['challenges'] === undefined ? {} : addSca(world, prepared, params)),
      };
    },
  },
  // Quotes made from now on for a customer live so long.
  {
    name: 'quote-expiry',
    setup(world, params) {
      const quoteLifetimeSeconds = params['expiresInSeconds'] ?? 900;
      steerCustomer(world, named(world, customers, 'customer', params['customerId']), {
        quoteLifetimeSeconds,
      });
      return {};
    },
  },
  // An agent, and a quote request that it can make.
  {
    name: 'agent-quote',
    setup(world, params) {
      const { destinationCurrency = 'EUR', kind = 'ACCOUNT', ...rest } = params;
      const values = prepareAgent(world, rest);
      const customer = named(world, customers, 'customer', values['customerId']);
      const target = registerExternalAccount(world, customer, String(destinationCurrency));
      const source =
        kind === 'ACCOUNT'
          ? { sourceType: 'ACCOUNT', accountId: values['sourceAccountId'] }
          : { sourceType: 'REALTIME_FUNDING', currency: param(params, 'currency', 'USD') };
      const destination = { destinationType: 'ACCOUNT', accountId: target.id };
      return { ...values, destinationCurrency, body: quoteBody(source, destination) };
    },
    teardown: removeAgent,
  },
  // How to read an exchange rate.
  {
    name: 'exchange-rate',
    setup(_world, params) {
      const source = param(params, 'sourceCurrency', 'USD');
      const destination = param(params, 'destinationCurrency', 'EUR');
      return {
        read: {
          method: 'GET',
          path: `/exchange-rates?sourceCurrency=${source}&destinationCurrency=${destination}`,
        },
        sourceCurrency: source,
        destinationCurrency: destination,
      };
    },
  },
];
