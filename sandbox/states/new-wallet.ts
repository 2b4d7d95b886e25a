import { randomUUID } from 'node:crypto';
import type { State } from '../core/state.ts';
import { addCustomer } from '../domain/customer.ts';
import { mainPlatform } from '../domain/platform.ts';

/** A Global Account as the service creates it, on which nothing has been done yet. */
export const newWalletState: State = {
  name: 'new-wallet',
  params: {},
  setup(world) {
    const name = randomUUID();
    const customer = addCustomer(world, mainPlatform(world), {
      platformCustomerId: `platform-${name}`,
      data: { email: `${name}@example.com` },
    });
    return { accountId: world.rules.openWallet(world, customer).id, customerId: customer.id };
  },
};
