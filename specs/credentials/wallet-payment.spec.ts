import { agentAuthorization } from '../../client/authorization.ts';
import {
  eventually,
  expect,
  ORDINARY_AMOUNT,
  succeeded,
  test,
  verifies,
  type Answer,
  type Check,
  type Need,
  type Platform,
} from '../../suite/index.ts';
import { accountBalance, type Balance } from '../support/accounts.ts';
import type { WalletPaymentState } from '../../target/states/types.ts';
import { everyObjectIn } from '../support/customers.ts';

/** A Global Account with money, and its balance before anything is asked for. */
const NEEDED = ['accountId', 'customerId', 'credentials', 'sourceAccountId'];

test(
  'an agent moves no money out of a Global Account with its token alone',
  verifies('WALLET-PAYMENT-NEEDS-SESSION'),
  async ({ given, check, need, platform }) => {
    const wallet = await given.state<WalletPaymentState>('wallet-payment', {}, [
      ...NEEDED,
      'accessToken',
      'destinationAccountId',
    ]);
    const transferFrom = (accountId: string, label: string) =>
      platform.call('transferOut', {
        authorization: agentAuthorization(wallet.accessToken, platform.dialect.agentToken),
        body: {
          source: { accountId },
          destination: { accountId: wallet.destinationAccountId },
          amount: ORDINARY_AMOUNT,
        },
        label,
      });
    const ordinary = { ...wallet, accountId: wallet.sourceAccountId };
    const before = await accountBalance(need, platform, ordinary);
    need(await transferFrom(wallet.sourceAccountId, 'a transfer-out from an ordinary account')).accepted();
    await mustFall(need, platform, ordinary, before);
    const held = await accountBalance(need, platform, wallet);
    const unsigned = await transferFrom(wallet.accountId, 'a transfer-out from the Global Account');
    await staysUnlessSigned({ check, need, platform }, wallet, held, unsigned);
  },
);

const PAYERS = [
  { who: 'its platform', create: 'createQuote', execute: 'executeQuote', needed: [] },
  { who: 'an agent', create: 'createAgentQuote', execute: 'executeAgentQuote', needed: ['accessToken'] },
] as const;

for (const payer of PAYERS)
  test(
    `a quote from a Global Account is not executed by ${payer.who} without a session`,
    verifies('WALLET-PAYMENT-NEEDS-SESSION'),
    async ({ given, check, need, platform }) => {
      const state = await given.state<WalletPaymentState>('wallet-payment', {}, [
        ...NEEDED,
        ...payer.needed,
        'body',
        'ordinaryBody',
      ]);
      const authorization =
        payer.who === 'an agent'
          ? agentAuthorization(state.accessToken, platform.dialect.agentToken)
          : platform.authorization;
      const quoteOf = async (
        body: object,
        label: string,
      ): Promise<{ asked: Answer; id: string | undefined }> => {
        const asked = await platform.call(payer.create, {
          authorization,
          body: platform.filled(payer.create, body),
          label,
        });
        const id = succeeded(asked)
          ? everyObjectIn(asked).find(({ id }) => /^Quote:/i.test(String(id)))?.['id']
          : undefined;
        return { asked, id: typeof id === 'string' ? id : undefined };
      };
      const execute = (quoteId: string, label: string) =>
        platform.call(payer.execute, { authorization, path: { quoteId }, label });

      const ordinary = { ...state, accountId: state.sourceAccountId };
      const before = await accountBalance(need, platform, ordinary);
      const control = await quoteOf(state.ordinaryBody, 'a quote from an ordinary account');
      // The state promises a quote to the platform alone: an agent's policy may know none.
      if (payer.who === 'an agent') need(control.asked).available();
      need(control.asked).accepted();
      const controlId = need.that(control.id, 'the quote came without an id');
      need(await execute(controlId, 'executing the quote from an ordinary account')).available();
      await mustFall(need, platform, ordinary, before);

      const held = await accountBalance(need, platform, state);
      const { asked, id } = await quoteOf(state.body, 'a quote from the Global Account');
      // Where the creation already asks for the session key, or refuses, there is nothing to execute.
      const last =
        id === undefined ? asked : await execute(id, 'executing the quote from the Global Account');
      await staysUnlessSigned({ check, need, platform }, state, held, last);
    },
  );

/** The control of money that must not move: that of an ordinary account does. */
async function mustFall(
  need: Need,
  platform: Platform,
  account: { readonly accountId: string; readonly customerId: string },
  before: Balance,
): Promise<void> {
  const after = await untilLess(need, platform, account, before.amount);
  need.that(after.amount < before.amount, 'no money has left the ordinary account either');
}

/** Refused, or asked for a signature: nothing has been authorized. Accepted without one: no money may leave. */
async function staysUnlessSigned(
  { check, need, platform }: { check: Check; need: Need; platform: Platform },
  account: WalletPaymentState,
  held: Balance,
  unsigned: Answer,
): Promise<void> {
  if (!succeeded(unsigned)) {
    await check('WALLET-PAYMENT-NEEDS-SESSION', () => expect(unsigned).toBeRefused());
    return;
  }
  const asksForKey =
    typeof (unsigned.body as { payloadToSign?: unknown } | undefined)?.payloadToSign === 'string';
  const after = asksForKey
    ? await accountBalance(need, platform, account)
    : await untilLess(need, platform, account, held.amount);
  // What was accepted and has not moved may only be slow.
  need.that(
    asksForKey || after.amount < held.amount,
    `"${unsigned.label}" was accepted (${unsigned.outcome}), and no money has left yet`,
  );
  await check(
    'WALLET-PAYMENT-NEEDS-SESSION',
    () => expect(after.amount, 'balance of the Global Account').toBe(held.amount),
    [unsigned, after.answer],
  );
}

/** Waits until the account holds less than it did; the last look, whether or not it does. */
function untilLess(
  need: Need,
  platform: Platform,
  account: { readonly accountId: string; readonly customerId: string },
  than: number,
): Promise<Balance> {
  return eventually(
    () => accountBalance(need, platform, account),
    ({ amount }) => amount < than,
    platform.patienceMs,
  );
}
