import { randomUUID } from 'node:crypto';
import { param, type State } from '../core/state.ts';
import { addCredential } from '../domain/credential.ts';
import { addCustomer } from '../domain/customer.ts';
import { addInternalAccount, fund } from '../domain/internal-account.ts';
import { mainPlatform } from '../domain/platform.ts';

const ADDRESS = { EMAIL_OTP: 'email', SMS_OTP: 'phoneNumber' } as const;

/** An embedded wallet of a customer of its own, with exactly the wanted credentials. */
export const walletAccountState: State = {
  name: 'wallet-account',
  params: {
    credentials: { type: 'array', maxItems: 2, uniqueItems: true, items: { enum: ['EMAIL_OTP', 'SMS_OTP'] } },
  },
  setup(world, params) {
    const name = randomUUID();
    const digits = name.replace(/\D/g, '').padEnd(7, '0').slice(0, 7);
    const data = { email: `${name}@example.com`, phoneNumber: `+1555${digits}` };
    const customer = addCustomer(world, mainPlatform(world), {
      platformCustomerId: `platform-${name}`,
      data,
    });
    const account = addInternalAccount(world, customer, 'USDC', 'EMBEDDED_WALLET');
    fund(world, account, 1_000_000n);
    const credentials = param<readonly ('EMAIL_OTP' | 'SMS_OTP')[]>(params, 'credentials', []).map((type) => {
      const { id } = addCredential(world, account, { type, nickname: data[ADDRESS[type]] });
      return { id, type };
    });
    return {
      accountId: account.id,
      customerId: customer.id,
      email: data.email,
      phone: data.phoneNumber,
      credentials,
      challengeLimit: world.rules.challengeLimit(world),
    };
  },
};
