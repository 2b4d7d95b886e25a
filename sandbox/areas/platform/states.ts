import { randomUUID } from 'node:crypto';
import type { State } from '../../server/area.ts';
import { amountParam, customerParams, prepareCustomer } from '../customers/states.ts';
import { configFor } from '../sandbox/steering.ts';

/** Credentials of a second platform, which owns nothing. */
export const otherPlatformState: State = {
  name: 'other-platform',
  params: {},
  setup(world) {
    const { clientId, clientSecret } = world.rules.registerPlatform(`other-${randomUUID()}`);
    return { clientId, clientSecret };
  },
};

/** Moves the time forward, for one customer or for the whole world. */
export const clockState: State = {
  name: 'clock',
  params: {
    advanceSeconds: { type: 'integer', minimum: 0, maximum: 10 * 366 * 24 * 3600 },
    customerId: { type: 'string' },
  },
  setup(world, params) {
    const customerId = params['customerId'] as string | undefined;
    world.clock.advance(Number(params['advanceSeconds'] ?? 0), customerId);
    world.rules.passTime();
    return {
      now: new Date(world.clock.now(customerId)).toISOString(),
      scope: customerId === undefined ? 'target' : 'customer',
    };
  },
};

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
