import { componentSchema } from '../core/contract-schemas.ts';
import { param, type State } from '../core/state.ts';
import { configOf } from '../domain/platform-config.ts';
import { traitsOf } from '../domain/traits.ts';
import { addSca, scaParams, withFunding } from './sca-customer.ts';
import { amountParam, customerParams, prepareCustomer } from './customer.ts';

/** A quote request of a wanted kind. */
export const quoteSourceState: State = {
  name: 'quote-source',
  params: {
    ...customerParams,
    ...scaParams,
    accountType: componentSchema('PaymentAccountType'),
    platformFee: amountParam,
  },
  setup(world, params) {
    const fee = params['platformFee'];
    const own = fee === undefined ? {} : { ownPlatform: true };
    const prepared = withFunding(prepareCustomer(world, { ...params, ...own }), params);
    if (params['accountType'] !== undefined)
      traitsOf(world, prepared.customer.id).fundingAccountType = String(params['accountType']);
    if (fee !== undefined) {
      const config = configOf(world, prepared.customer.platformId);
      config.fee = { basisPoints: 0, fixed: BigInt(fee as number) };
      config.feeConfigs = [{ sourceCurrency: param(params, 'currency', 'USD'), fixedFee: fee }];
    }
    return {
      ...prepared.values,
      ...(params['challenges'] === undefined ? {} : addSca(world, prepared, params)),
    };
  },
};
