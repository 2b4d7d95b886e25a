import { randomUUID } from 'node:crypto';
import { unlessRefused } from '../core/refusal.ts';
import type { State } from '../core/state.ts';
import { addAgent, PERMISSIONS } from '../domain/agent.ts';
import { addCredential } from '../domain/credential.ts';
import { addCustomer } from '../domain/customer.ts';
import { addExternalAccount } from '../domain/external-account.ts';
import { addInternalAccount, fund } from '../domain/internal-account.ts';
import { mainPlatform } from '../domain/platform.ts';
import { quoteBody } from './customer.ts';
import { removeAgent } from './agent.ts';

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
    const { accessToken } = unlessRefused(world.rules.redeemDeviceCode(world, agent.deviceCode));
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
