import { randomUUID } from 'node:crypto';
import { agentAuthorization } from '../../client/authorization.ts';
import type { WalletPaymentState } from '../../target/states/types.ts';
import {
  eventually,
  expect,
  inTime,
  isPromised,
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
  type Authorization,
  type Check,
  type Observe,
  type Platform,
  type ReadBack,
  type Wallet,
  type WalletRequest,
  takenBetween,
} from '../../suite/index.ts';
import type { SignedRetryOptions, Signer } from '../../suite/api/wallet/signer.ts';
import { accountBalance, balanceSeen, type Balance } from '../support/accounts.ts';
import { isDoneAtOnce, needWasEmpty } from '../support/credentials.ts';
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
    await wallet.needSign(wallet.signer.session);
    const request = walletRequests.exportWallet(wallet.accountId, wallet.newKey().uncompressed);
    await completed(wallet, request, {
      rule: 'WALLET-EXPORT-COMPLETES',
      question: 'wallet-export-operation',
      ...{ check, observe },
    });
  },
);

for (const order of [
  [true, false, true, false],
  [false, true],
])
  test(
    `a wallet's privacy is set by the signed retry to ${order.join(', then to ')}`,
    verifies('WALLET-PRIVACY-COMPLETES'),
    async ({ given, check, observe, profile }) => {
      const { wallet } = await given.signedIn();
      await wallet.needSign(wallet.signer.session);
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
  'an e-mail that is tied to EMAIL_OTP is updated by the signed retry, and once more',
  verifies('CUSTOMER-EMAIL-COMPLETES'),
  async ({ given, check, observe }) => {
    const { wallet } = await given.signedIn('EMAIL_OTP');
    await wallet.needSign(wallet.signer.session);
    const update = (email: string) =>
      completed(wallet, walletRequests.setEmail(wallet.customerId, email), {
        rule: 'CUSTOMER-EMAIL-COMPLETES',
        question: 'customer-email-operation',
        changed: { field: 'email', value: email, read: () => readEmail(wallet) },
        ...{ check, observe },
      });
    await update(newEmail());
    await wallet.signInAgain();
    await update(newEmail());
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
    needWasEmpty(wallet, answer);
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
  // Whether a change of the account ends its sessions is not shown.
  if (!succeeded(answer)) await wallet.needSign(signer.session, 'another wallet request of the same session');
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

// ------------------------------------------------------------------------------------------------- money out of it

type Account = 'ordinary' | 'global';

/** What was asked for, and the execution of it where that is another call. */
interface Paid {
  readonly asked: Answer;
  readonly executed?: Answer;
  /** Whether nothing more than that has to be called. */
  readonly isPayment?: true;
}

/** Who pays out of an account, and how. */
interface Payer {
  readonly says: string;
  /** Values of the state beside those that each needs. */
  readonly needed: readonly string[];
  /** The state promises it to the platform alone: an agent's policy may know none. */
  readonly isGuess?: true;
  /** @param isFull names what may be left out as well */
  readonly pay: (
    state: WalletPaymentState,
    platform: Platform,
    from: Account,
    isFull?: true,
  ) => Promise<Paid>;
}

/** Refusals that speak of who may do it. */
const AUTHORITY: ReadonlySet<number> = new Set([401, 403]);
const ACCOUNTS = { ordinary: 'an ordinary account', global: 'the Global Account' } as const;

const PAYERS: readonly Payer[] = [
  {
    says: 'an agent moves no money out of a Global Account with its token alone',
    needed: ['accessToken', 'destinationAccountId'],
    pay: async (state, platform, from, isFull) => ({
      asked: await platform.call('transferOut', {
        ...(isFull && { headers: { 'idempotency-key': randomUUID() } }),
        authorization: agentAuthorization(state.accessToken, platform.dialect.agentToken),
        body: {
          source: { accountId: from === 'ordinary' ? state.sourceAccountId : state.accountId },
          destination: { accountId: state.destinationAccountId },
          amount: ORDINARY_AMOUNT,
          ...(isFull && { purposeOfPayment: 'OTHER', remittanceInformation: 'Invoice 7' }),
        },
        label: `a transfer-out from ${ACCOUNTS[from]}`,
      }),
      isPayment: true,
    }),
  },
  {
    says: 'a quote from a Global Account is not executed by its platform without a session',
    needed: ['body', 'ordinaryBody'],
    pay: (state, platform, from) =>
      byQuote(platform, ['createQuote', 'executeQuote'], platform.authorization, bodyFrom(state, from)),
  },
  {
    says: 'a quote from a Global Account is not executed by an agent without a session',
    needed: ['accessToken', 'body', 'ordinaryBody'],
    isGuess: true,
    pay: (state, platform, from) => {
      const authorization = agentAuthorization(state.accessToken, platform.dialect.agentToken);
      return byQuote(
        platform,
        ['createAgentQuote', 'executeAgentQuote'],
        authorization,
        bodyFrom(state, from),
      );
    },
  },
];

for (const { says, needed, isGuess, pay } of PAYERS)
  test(says, verifies('WALLET-PAYMENT-NEEDS-SESSION'), async ({ given, check, need, platform }) => {
    const required = ['accountId', 'customerId', 'credentials', 'sourceAccountId', ...needed];
    const state = await given.state<WalletPaymentState>('wallet-payment', {}, required);
    const balance = (accountId: string) => accountBalance(need, platform, { ...state, accountId });
    const untilLess = (accountId: string, { amount: than }: Balance) =>
      eventually(
        () => balance(accountId),
        ({ amount }) => amount < than,
        platform.patienceMs,
      );

    // The control: money leaves an ordinary account.
    const before = await balance(state.sourceAccountId);
    const control = await pay(state, platform, 'ordinary');
    if (isGuess) need(control.asked).available();
    need(control.asked).accepted();
    if (needed.includes('body'))
      need(need.that(control.executed, 'the quote came without an id')).available();
    const less = await untilLess(state.sourceAccountId, before);
    need.that(less.amount < before.amount, 'no money has left the ordinary account either');

    const held = await balance(state.accountId);
    const { asked, executed, isPayment } = await pay(state, platform, 'global');
    // Where the creation already asks for the session key, or refuses, there is nothing to execute.
    const unsigned = executed ?? asked;
    // Refused, or asked for a signature: nothing has been authorized. Accepted without one: no money may leave.
    if (!succeeded(unsigned)) {
      // The creation of a quote can be refused for something else, as its amount.
      const isClear = executed || isPayment || isPromised(state) || AUTHORITY.has(unsigned.status);
      need.offered(isClear, `"${unsigned.label}" answers ${unsigned.told}, maybe for something else`);
      await check('WALLET-PAYMENT-NEEDS-SESSION', () => expect(unsigned).toBeRefused());
      const again = await pay(state, platform, 'global', true);
      await check('WALLET-PAYMENT-NEEDS-SESSION', () => expect(again.executed ?? again.asked).toBeRefused());
      return;
    }
    const { payloadToSign } = (unsigned.body ?? {}) as { payloadToSign?: unknown };
    const asksForKey = typeof payloadToSign === 'string';
    const after = await (asksForKey ? balance(state.accountId) : untilLess(state.accountId, held));
    // What was accepted and has not moved may only be slow.
    need.that(
      asksForKey || after.amount < held.amount,
      `"${unsigned.label}" was accepted (${unsigned.outcome}), and no money has left yet`,
    );
    await check(
      'WALLET-PAYMENT-NEEDS-SESSION',
      () => expect(takenBetween(held, after)).toHaveTaken({ exactly: 0 }),
      [unsigned, after.answer],
    );
  });

test(
  'the execution of a quote from a Global Account is refused to whoever may not sign for it',
  verifies('WALLET-PAYMENT-NEEDS-SESSION'),
  async ({ given, check, need, platform }) => {
    const required = ['accountId', 'customerId', 'credentials', 'body'];
    const state = await given.state<WalletPaymentState>('wallet-payment', {}, required);
    const wallet = await given.walletOf(state);
    const own = wallet.credentials.find(({ type }) => type === 'EMAIL_OTP');
    const session = await given.session(wallet, need.offered(own, 'the account has no EMAIL_OTP credential'));
    const other = await given.signedIn();
    await other.wallet.needSign(other.session, 'a wallet request on the other account');
    const asked = await platform.call('createQuote', {
      body: platform.filled('createQuote', state.body),
      label: 'a quote from the Global Account',
    });
    need(asked).available();
    const quoteId = need.offered(quoteIdIn(asked), 'the quote came without an id');
    const held = await accountBalance(need, platform, state);
    const execute = { operation: 'executeQuote', path: { quoteId }, label: 'executing the quote' } as const;
    const signed = async (by: Signer, options: SignedRetryOptions) => {
      const done = await wallet.signed(execute, by, options);
      // How a payment is authorized is not shown.
      need.offered(done.challenge, `nothing to sign came with "${done.first.label}" (${done.first.outcome})`);
      return done.answer;
    };
    const wrong: Answer[] = [];
    for (const [label, by, tamper] of [
      ['signed by a key of nobody', wallet.newKey(), {}],
      ["signed by a session of another customer's account", other.session, {}],
      ['with a signature over something else', session, { payload: () => 'something else' }],
    ] as const) {
      if (wrong.some(succeeded)) break;
      wrong.push(await signed(by, { label: `executing the quote, ${label}`, tamper }));
    }
    const after = await accountBalance(need, platform, state);
    if (!wrong.some(succeeded)) need(await signed(session, { label: 'executing the quote' })).accepted();
    for (const answer of wrong)
      await check('WALLET-PAYMENT-NEEDS-SESSION', () => expect(answer).toBeRefused());
    await check(
      'WALLET-PAYMENT-NEEDS-SESSION',
      // What was put in a moment ago may come in yet.
      () => expect(takenBetween(held, after)).toHaveTaken({ below: 1 }),
      [...wrong, after.answer],
    );
  },
);

const quoteIdIn = (asked: Answer): string | undefined => {
  const found = succeeded(asked)
    ? everyObjectIn(asked).find(({ id }) => /^Quote:/i.test(String(id)))
    : undefined;
  return found && String(found['id']);
};

function bodyFrom({ ordinaryBody, body }: WalletPaymentState, from: Account) {
  return { body: from === 'ordinary' ? ordinaryBody : body, account: ACCOUNTS[from] };
}

/** A quote from the account, and its execution where one could be recognised. */
async function byQuote(
  platform: Platform,
  [create, execute]: readonly [create: string, execute: string],
  authorization: Authorization,
  { body, account }: { readonly body: object; readonly account: string },
): Promise<Paid> {
  const asked = await platform.call(create, {
    authorization,
    body: platform.filled(create, body),
    label: `a quote from ${account}`,
  });
  const quoteId = quoteIdIn(asked);
  if (quoteId === undefined) return { asked };
  const label = `executing the quote from ${account}`;
  return { asked, executed: await platform.call(execute, { authorization, path: { quoteId }, label }) };
}
