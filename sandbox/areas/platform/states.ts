import type { State } from '../../server/area.ts';
import { amountParam, customerParams, prepareCustomer } from '../customers/states.ts';
import { configFor } from '../sandbox/lookup.ts';

const SOURCE = { sourceCurrency: 'USD' };

/** A platform of its own with a customer, and the requests that configure it. */
export const platformConfigState: State = {
  name: 'platform-config',
  params: { ...customerParams, platformFee: amountParam },
  setup(world, params) {
    const { customer, values } = prepareCustomer(world, { ...params, ownPlatform: true });
    const fee = params['platformFee'];
    if (fee !== undefined)
      world.rules.updateConfig(configFor(world, customer), { feeConfigs: [{ ...SOURCE, fixedFee: fee }] });
    return {
      ...values,
      variable: { feeConfigs: [{ ...SOURCE, variableFeeBps: 50 }] },
      fixed: { feeConfigs: [{ ...SOURCE, fixedFee: 100 }] },
      both: { feeConfigs: [{ ...SOURCE, variableFeeBps: 50, fixedFee: 100 }] },
      none: { feeConfigs: [] },
      cardTokenization2fa: { cardTokenization2faConfig: { enabled: true } },
      feeOverride: { fixedFee: 777 },
    };
  },
};
