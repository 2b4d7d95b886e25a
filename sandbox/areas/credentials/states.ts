import { randomUUID } from 'node:crypto';
import { param, type State, Unpreparable } from '../../server/area.ts';
import { openWalletWith } from '../../steering/steering.ts';
import { addAgent, PERMISSIONS, redeemDeviceCode } from '../agents/records.ts';
import { removeAgent } from '../agents/states.ts';
import { newCustomer, quoteBody } from '../customers/states.ts';
import { openAccounts, registerExternalAccount } from '../accounts/records.ts';
import { credentialsOf, lastCode } from './records.ts';

const CURRENCY = 'USDC';

/** States that prepare this area. */
export const walletStates: readonly State[] = [
  // An embedded wallet of a customer of its own, with exactly the wanted credentials.
  {
    name: 'wallet-account',
    setup(world, params) {
      const name = randomUUID();
      const digits = name.replace(/\D/g, '').padEnd(7, '0').slice(0, 7);
      const data = { email: `${name}@example.com`, phoneNumber: `+1555${digits}` };
      const customer = newCustomer(world, data);
      const types = param<readonly ('EMAIL_OTP' | 'SMS_OTP')[]>(params, 'credentials', []);
      const account = openWalletWith(world, customer, types);
      world.behaviour.fundAccount(account, 1_000_000n);
      const credentials = credentialsOf(world, account.id).map(({ id, type }) => ({ id, type }));
      return {
        accountId: account.id,
        customerId: customer.id,
        email: data.email,
        phone: data.phoneNumber,
        credentials,
        challengeLimit: world.behaviour.challengeLimit(),
      };
    },
  },
  // A Global Account as the service creates it, on which nothing has been done yet.
  {
    name: 'new-wallet',
    setup(world) {
      const customer = newCustomer(world, { email: `${randomUUID()}@example.com` });
      return { accountId: world.behaviour.openWallet(customer).id, customerId: customer.id };
    },
  },
  // A Global Account with money, beside an ordinary account of the same customer, and ways to pay out of either.
  {
    name: 'wallet-payment',
    setup(world) {
      const customer = newCustomer(world, { email: `${randomUUID()}@example.com` });
      const wallet = openWalletWith(world, customer, ['EMAIL_OTP']);
      const ordinary = openAccounts(world, customer, [CURRENCY])[0]!;
      for (const account of [wallet, ordinary]) world.behaviour.fundAccount(account, 100_000_000n);
      const agent = addAgent(world, customer, 'Prepared agent', {
        permissions: PERMISSIONS,
        defaultExecutionMode: 'AUTO',
      });
      const { accessToken } = redeemDeviceCode(world, agent.deviceCode);
      const payee = registerExternalAccount(world, customer, 'EUR');
      const quoteFrom = (accountId: string) => ({
        ...quoteBody(
          { sourceType: 'ACCOUNT', accountId },
          { destinationType: 'ACCOUNT', accountId: payee.id },
        ),
        lockedCurrencyAmount: 10_000_000,
      });
      return {
        accountId: wallet.id,
        customerId: customer.id,
        credentials: credentialsOf(world, wallet.id).map(({ id, type }) => ({ id, type })),
        agentId: agent.id,
        accessToken,
        sourceAccountId: ordinary.id,
        destinationAccountId: registerExternalAccount(world, customer, CURRENCY).id,
        body: quoteFrom(wallet.id),
        ordinaryBody: quoteFrom(ordinary.id),
      };
    },
    teardown: removeAgent,
  },
  // The last code that was sent for a credential.
  {
    name: 'otp-code',
    setup(world, params) {
      const code = lastCode(world, String(params['credentialId']));
      if (code === undefined)
        throw new Unpreparable('no code was sent for this credentialId, or codes are not told here.');
      return { code };
    },
  },
];
