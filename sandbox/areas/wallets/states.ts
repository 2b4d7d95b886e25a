import { randomUUID } from 'node:crypto';
import { param, type State, Unpreparable } from '../../server/area.ts';
import { unlessRefused } from '../../server/refusal.ts';
import { addExternalAccount, addInternalAccount, fund } from '../accounts/records.ts';
import { addAgent, PERMISSIONS } from '../agents/records.ts';
import { removeAgent } from '../agents/states.ts';
import { mainPlatform } from '../auth/records.ts';
import { addCredential } from '../credentials/records.ts';
import { addCustomer } from '../customers/records.ts';
import { quoteBody } from '../customers/states.ts';
import { otpChallenges } from '../logins/records.ts';

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
      challengeLimit: world.rules.challengeLimit(),
    };
  },
};

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
    return { accountId: world.rules.openWallet(customer).id, customerId: customer.id };
  },
};

const CURRENCY = 'USDC';

/** A Global Account with money, beside an ordinary account of the same customer, and ways to pay out of either. */
export const walletPaymentState: State = {
  name: 'wallet-payment',
  params: {},
  setup(world) {
    const email = `${randomUUID()}@example.com`;
    const customer = addCustomer(world, mainPlatform(world), {
      platformCustomerId: `platform-${randomUUID()}`,
      data: { email },
    });
    const wallet = addInternalAccount(world, customer, CURRENCY, 'EMBEDDED_WALLET');
    const ordinary = addInternalAccount(world, customer, CURRENCY, 'INTERNAL_CRYPTO');
    for (const account of [wallet, ordinary]) fund(world, account, 100_000_000n);
    const { id, type } = addCredential(world, wallet, { type: 'EMAIL_OTP', nickname: email });
    const agent = addAgent(world, customer, 'Prepared agent', {
      permissions: PERMISSIONS,
      defaultExecutionMode: 'AUTO',
    });
    const { accessToken } = unlessRefused(world.rules.redeemDeviceCode(agent.deviceCode));
    const payee = addExternalAccount(world, customer, 'EUR');
    const quoteFrom = (accountId: string) => ({
      ...quoteBody({ sourceType: 'ACCOUNT', accountId }, { destinationType: 'ACCOUNT', accountId: payee.id }),
      lockedCurrencyAmount: 10_000_000,
    });
    return {
      accountId: wallet.id,
      customerId: customer.id,
      credentials: [{ id, type }],
      agentId: agent.id,
      accessToken,
      sourceAccountId: ordinary.id,
      destinationAccountId: addExternalAccount(world, customer, CURRENCY).id,
      body: quoteFrom(wallet.id),
      ordinaryBody: quoteFrom(ordinary.id),
    };
  },
  teardown: removeAgent,
};

/** The last code that was sent for a credential. */
export const otpCodeState: State = {
  name: 'otp-code',
  params: { credentialId: { type: 'string' } },
  setup(world, params) {
    const last = (otpChallenges.get(world, (params['credentialId'] as string | undefined) ?? '') ?? []).at(
      -1,
    );
    if (!last) throw new Unpreparable('no code was sent for this credentialId.');
    const code = world.rules.toldCode(last.code);
    if (code === undefined) throw new Unpreparable('codes are not told here.');
    return { code };
  },
};
