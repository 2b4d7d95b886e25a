import { agentAuthorization } from '../../client/authorization.ts';
import type { WalletPaymentState } from '../../target/states/types.ts';
import {
  eventually,
  expect,
  inTime,
  isRefusedUnsigned,
  newEmail,
  ORDINARY_AMOUNT,
  readEmail,
  readPrivacy,
  succeeded,
  test,
  verifies,
  walletRequests,
  type Answer,
  type Check,
  type Need,
  type Observe,
  type Platform,
  type ReadBack,
  type Wallet,
  type WalletRequest,
  takenBetween,
} from '../../suite/index.ts';
import { accountBalance, balanceSeen, type Balance } from '../support/accounts.ts';
import { everyObjectIn } from '../support/customers.ts';

// -------------------------------------------------------------------------------------------- settings of a wallet

test(
  'funds are received without a session signing key',
  verifies('WALLET-RECEIVE-WITHOUT-SESSION'),
  async ({ given, check, need, platform }) => {
    const wallet = await given.wallet({ credentials: ['EMAIL_OTP'] });
    const before = await balanceSeen(platform, wallet);
    const funded = await wallet.send({
      operation: 'fundInternalAccount',
      label: 'funds arrive on the wallet, which nobody has signed in to',
      path: { id: wallet.accountId },
      body: { amount: 1_000 },
    });
    const wantsSignature = funded.exchange.response?.status === 202 || isRefusedUnsigned(funded);
    if (!wantsSignature) need(funded).available();
    await check('WALLET-RECEIVE-WITHOUT-SESSION', () => isDoneAtOnce(funded));
    if (before === undefined) return;
    const after = await eventually(
      () => balanceSeen(platform, wallet),
      (seen) => seen !== undefined && seen.amount > before.amount,
      platform.patienceMs,
    );
    if (after === undefined) return;
    await check(
      'WALLET-RECEIVE-WITHOUT-SESSION',
      () => expect(after.amount - before.amount, 'what has arrived').toBeGreaterThan(0),
      inTime(funded, after.answer),
    );
  },
);

test(
  'a wallet is exported by the signed retry',
  verifies('WALLET-EXPORT-COMPLETES'),
  async ({ given, check, observe }) => {
    const { wallet } = await given.signedIn();
    await wallet.mustSign(wallet.signer.session);
    const request = walletRequests.exportWallet(wallet.accountId, wallet.newKey().uncompressed);
    await completed(wallet, request, {
      rule: 'WALLET-EXPORT-COMPLETES',
      question: 'wallet-export-operation',
      ...{ check, observe },
    });
  },
);

for (const order of [
  [true, false],
  [false, true],
])
  test(
    `a wallet's privacy is set by the signed retry to ${order.join(', then to ')}`,
    verifies('WALLET-PRIVACY-COMPLETES'),
    async ({ given, check, observe, profile }) => {
      const { wallet } = await given.signedIn();
      await wallet.mustSign(wallet.signer.session);
      // A body that the profile tells is the same each time, whatever the setting.
      const isUsual = profile.dialect.bodies['updateInternalAccount'] === undefined;
      for (const setting of order)
        await completed(wallet, walletRequests.setPrivacy(wallet.accountId, setting), {
          rule: 'WALLET-PRIVACY-COMPLETES',
          question: 'wallet-privacy-operation',
          ...(isUsual
            ? { changed: { field: 'privateEnabled', value: setting, read: () => readPrivacy(wallet) } }
            : {}),
          ...{ check, observe },
        });
    },
  );

test(
  'an e-mail that is tied to EMAIL_OTP is updated by the signed retry',
  verifies('CUSTOMER-EMAIL-COMPLETES'),
  async ({ given, check, observe }) => {
    const { wallet } = await given.signedIn('EMAIL_OTP');
    await wallet.mustSign(wallet.signer.session);
    const email = newEmail();
    await completed(wallet, walletRequests.setEmail(wallet.customerId, email), {
      rule: 'CUSTOMER-EMAIL-COMPLETES',
      question: 'customer-email-operation',
      changed: { field: 'email', value: email, read: () => readEmail(wallet) },
      ...{ check, observe },
    });
  },
);

test(
  'an e-mail that no EMAIL_OTP credential is tied to is updated at once',
  verifies('CUSTOMER-EMAIL-UNTIED'),
  async ({ given, check, need }) => {
    const wallet = await given.wallet({ credentials: [] });
    const answer = await wallet.send(walletRequests.setEmail(wallet.customerId, newEmail()), {
      label: 'updating an e-mail without credential',
    });
    if (!isRefusedUnsigned(answer)) need(answer).available();
    await check('CUSTOMER-EMAIL-UNTIED', () => isDoneAtOnce(answer));
  },
);

interface Completion {
  readonly rule: string;
  readonly question: string;
  readonly check: Check;
  readonly observe: Observe;
  /** What the request sets. The field's name is not shown: judged only where the target uses this one. */
  readonly changed?: {
    readonly field: string;
    readonly value: unknown;
    readonly read: () => Promise<ReadBack>;
  };
}

/** Sends a request with its signed retry, and holds that it is completed and that what it has set is shown. */
async function completed(
  wallet: Wallet,
  request: WalletRequest,
  { rule, question, check, observe, changed }: Completion,
): Promise<void> {
  const { need, signer, means } = wallet;
  const update = await wallet.signed(request, signer.session);
  const { first, answer } = update;
  need(first).available();
  need.challenged(update);
  await check(rule, () => expect(answer).toBeAccepted());
  need(answer).accepted();
  observe(question, { first: first.outcome, then: answer.outcome }, answer);
  if (!changed) return;
  const { field, value, read } = changed;
  const answered: unknown = (answer.body as Record<string, unknown> | undefined)?.[field];
  if (typeof answered === typeof value)
    await check(rule, () => expect(answered, `${field}, as answered`).toBe(value), [answer]);
  const shown = await eventually(read, (seen) => seen.value === value, means.platform.patienceMs);
  if (typeof shown.value !== typeof value) return;
  await check(
    rule,
    () => {
      expect(shown.answer).toBeAccepted();
      expect(shown.value, `${field}, as it is read back`).toBe(value);
    },
    inTime(),
  );
}

function isDoneAtOnce(answer: Answer): void {
  expect(answer).toBeAccepted();
  expect(answer.body ?? {}, 'no challenge to sign').not.toHaveProperty('payloadToSign');
}

// ------------------------------------------------------------------------------------------------- money out of it

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
    () => expect(takenBetween(held, after), 'the Global Account').toHaveTaken({ exactly: 0 }),
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
