import type { BehaviourSet, Replacements } from '../../areas/behaviour.ts';
import { internalAccounts } from '../../areas/accounts/records.ts';
import { counterpartyOf, type Quote, quotes, sourceAccountId } from '../../areas/quotes/records.ts';
import type { PlatformConfig, PlatformFee } from '../../areas/platform/records.ts';
import { actions } from '../../areas/transfers/records.ts';
import { isObject, type Json, type JsonObject, textOf } from '../../server/json.ts';
import { refuse, Refusal } from '../../server/refusal.ts';
import { outside } from '../../world/ledger.ts';
import { mintId, type World } from '../../world/world.ts';
import { type AfterWorld, giving, answeringWith, where, no, nothing, yes } from '../../areas/replacements.ts';
import { breaking, anyMoveOf, fault, type Fault, shown, within } from '../fault.ts';
import { shownWrongly } from '../shown-wrongly.ts';
import { whereAgentsAsk } from './agents.ts';
import { isReceivedLocked, receivedLockedIsMarked } from './received-locked.ts';

const MINUTE = 60_000;
const EXCHANGE = outside('exchange');

/** What bodies of POST /quotes say in the place of the challenge. */
const sentChallenges = new WeakMap<Quote, Json>();
/** Platform fees that quotes have named themselves. */
const overrides = new WeakSet<object>();
/** The fees that were configured last, whoever's they are. */
const lastConfigs = new WeakMap<World, PlatformConfig>();

/** What a quote does. */
export const quoteFlowFaults = [
  ...shownWrongly('presentQuoteSource', 'quote source', {
    sourceType: [
      'QUOTE-SOURCE-KIND',
      ['kind-swapped', (type) => (type === 'ACCOUNT' ? 'REALTIME_FUNDING' : 'ACCOUNT')],
    ],
  }),
  ...shownWrongly('presentQuoteDestination', 'quote destination', {
    destinationType: [
      'QUOTE-DESTINATION-KIND',
      ['kind-swapped', (type) => (type === 'ACCOUNT' ? 'UMA_ADDRESS' : 'ACCOUNT')],
    ],
  }),
  fault('failure-called-provider-error', 'TRANSACTION-FAILURE-REASONS', {
    quoteFailureReason: where((reason) => reason === 'QUOTE_EXECUTION_FAILED', 'PROVIDER_ERROR'),
  }),
  fault('every-quote-refused', 'QUOTE-CREATE-ACCEPTED', {
    createQuote: () => () => {
      throw new Refusal(400, 'QUOTE_REQUEST_FAILED', 'No.');
    },
  }),
  fault(
    'quote-ends-after-a-minute',
    'QUOTE-EXECUTABLE-UNTIL-EXPIRY',
    endsAfterAMinute(() => true),
  ),
  fault('expired-quote-executed', 'QUOTE-EXPIRED-NOT-EXECUTABLE', { quoteExpired: no }),
  ...(
    [
      ['to-an-address', (quote) => quote.destination['destinationType'] === 'UMA_ADDRESS'],
      ['with-realtime-funding', (quote) => quote.source['sourceType'] === 'REALTIME_FUNDING'],
    ] as const satisfies readonly (readonly [string, (quote: Quote) => boolean])[]
  ).flatMap(([kind, isMeant]): readonly Fault[] => [
    fault(`quote-${kind}-never-expires`, 'QUOTE-EXPIRED-NOT-EXECUTABLE', {
      quoteExpired: where((quote) => isMeant(quote), false),
    }),
    fault(`quote-${kind}-ends-after-a-minute`, 'QUOTE-EXECUTABLE-UNTIL-EXPIRY', endsAfterAMinute(isMeant)),
  ]),
  fault('look-prolongs-quote', 'QUOTE-EXPIRED-NOT-EXECUTABLE', {
    presentQuote: (original) => (world, quote) => {
      const shown = original(world, quote);
      const now = world.clock.now(quote.customerId);
      if (quote.status === 'PENDING' && now > quote.createdAt + MINUTE)
        Object.assign(quote, { expiresAt: now + (quote.expiresAt - quote.createdAt) });
      return shown;
    },
  }),
  fault('waiting-quote-never-expires', 'QUOTE-EXPIRED-NOT-EXECUTABLE', {
    quoteExpired: (original) => (world, quote) =>
      !actions.all(world).some(({ quoteId }) => quoteId === quote.id) && original(world, quote),
  }),
  fault('authorized-quote-never-expires', 'QUOTE-EXPIRED-NOT-EXECUTABLE', {
    quoteExpired: where((quote) => !(quote.authorizations === 0 && quote.challenge === undefined), false),
  }),
  fault('quote-expiry-with-an-hour-of-grace', 'QUOTE-EXPIRED-NOT-EXECUTABLE', {
    quoteExpired: () => (world, quote) => world.clock.now(quote.customerId) > quote.expiresAt + 60 * MINUTE,
  }),
  fault('quote-expired-before-it-was-made', 'QUOTE-EXPIRES-AFTER-CREATION', {
    ...shown('presentQuote', (object, world) => ({
      ...object,
      expiresAt: world.behaviour.presentTime(Date.parse(String(object['createdAt'])) - MINUTE),
    })),
  }),
  ...breaking('QUOTE-DEBIT-IS-TOTAL', {
    'debit-of-one-unit-more': afterSettling((world, quote) => takeAgain(world, quote, 1n)),
    'executed-quote-takes-nothing': afterSettling((world, quote) =>
      giveBack(world, quote, quote.totalSendingAmount),
    ),
    'authorized-quote-takes-nothing': afterSettling((world, quote) => {
      if (quote.authorizations > 0) giveBack(world, quote, quote.totalSendingAmount);
    }),
    'quote-from-euros-takes-half': afterSettling((world, quote) => {
      if (quote.sendingCurrency === 'EUR') giveBack(world, quote, quote.totalSendingAmount / 2n);
    }),
    'platform-fee-not-taken': afterSettling((world, quote) => {
      if (quote.platformFee > 0n) giveBack(world, quote, quote.platformFee);
    }),
    'quote-to-an-own-account-takes-no-fees': afterSettling((world, quote) => {
      if (internalAccounts.get(world, counterpartyOf(quote))) giveBack(world, quote, quote.feesIncluded);
    }),
    'authorized-quote-pays-again': paysAgain(({ authorizations }) => authorizations > 0),
    'authorization-sent-again-pays-again': {
      authorizeQuote: (original) => (world, quote, proof) => {
        if (quote.authorizations > 0 && !quote.challenge) takeAgain(world, quote, quote.totalSendingAmount);
        return original(world, quote, proof);
      },
    },
    'second-execution-pays-again': paysAgain(() => true),
    'second-execution-to-an-address-pays-again': paysAgain(
      ({ destination }) => destination['umaAddress'] !== undefined,
    ),
    'own-account-receives-one-unit-less': afterSettling((world, quote) => takeFromReceiver(world, quote, 1n)),
    'own-account-receives-what-was-sent': afterSettling((world, quote) =>
      takeFromReceiver(world, quote, quote.totalReceivingAmount - quote.totalSendingAmount),
    ),
    'own-account-receives-one-unit-more-where-the-amount-received-is-locked': {
      ...receivedLockedIsMarked,
      ...afterSettling((world, quote) => {
        if (isReceivedLocked(quote)) takeFromReceiver(world, quote, -1n);
      }),
    },
    'own-account-receives-nothing': afterSettling((world, quote) =>
      takeFromReceiver(world, quote, quote.totalReceivingAmount),
    ),
    'fees-taken-on-top-of-the-total': afterSettling((world, quote) =>
      takeAgain(world, quote, quote.feesIncluded),
    ),
  }),
  fault('account-pays-to-itself', 'QUOTE-SELF-PAYMENT', { partiesDiffer: nothing }),
  fault('challenge-of-the-caller-shown', 'QUOTE-SCA-CHALLENGE-ONLY-PENDING', {
    createQuote: giving((quote, world, caller, body) => {
      if (body['scaChallenge'] !== undefined) sentChallenges.set(quote, body['scaChallenge']);
      return quote;
    }),
    presentQuote: (original) => (world, quote) => {
      const object = original(world, quote);
      return { ...object, scaChallenge: object['scaChallenge'] ?? sentChallenges.get(quote) };
    },
  }),
  fault('challenge-of-the-caller-taken', 'QUOTE-SCA-CHALLENGE-READ-ONLY', {
    createQuote: (original) => (world, caller, body) => {
      const quote = original(world, caller, body);
      if (body['scaChallenge'] !== undefined) sentChallenges.set(quote, body['scaChallenge']);
      return quote;
    },
    ...answeringWith(/^POST (\/agents\/me)?\/quotes$/, (body, world) => {
      const sent = sentChallenges.get(quotes.get(world, textOf(body['id']))!);
      return sent === undefined || body['scaChallenge'] === undefined
        ? body
        : { ...body, scaChallenge: sent };
    }),
  }),
  fault('rate-moves-while-quote-lives', 'QUOTE-RATE-LOCKED', {
    ...reading((quote, times) => ({ totalReceivingAmount: quote.totalReceivingAmount + BigInt(times) })),
  }),
  fault('exchange-rate-moves-while-quote-lives', 'QUOTE-RATE-LOCKED', {
    ...reading((quote, times) => ({ exchangeRate: quote.exchangeRate * (1 + times / 100) })),
  }),
  fault('fees-move-while-quote-lives', 'QUOTE-FEES-LOCKED', {
    ...reading((quote, times) => ({ feesIncluded: quote.feesIncluded + BigInt(times) })),
  }),
  ...Object.entries({
    'total-sent': ['QUOTE-RATE-LOCKED', { totalSendingAmount: 1 }],
    'total-received': ['QUOTE-RATE-LOCKED', { totalReceivingAmount: 1 }],
    rate: ['QUOTE-RATE-LOCKED', { exchangeRate: 0.5 }],
    fee: ['QUOTE-FEES-LOCKED', { feesIncluded: 1 }],
  } as const).map(([field, [rule, value]]) =>
    fault(`action-shows-its-quote-with-another-${field}`, rule, {
      ...shown('presentAction', (action) =>
        isObject(action['quote']) ? { ...action, quote: { ...action['quote'], ...value } } : action,
      ),
    }),
  ),
  fault('executed-quote-gets-another-id', 'QUOTE-ID-STABLE', {
    ...answeringWith('POST /quotes/:quoteId/execute', (body, world) => ({
      ...body,
      id: mintId(world, 'Quote'),
    })),
  }),
  fault('executed-quote-gets-another-transaction', 'QUOTE-TRANSACTION-ID-STABLE', {
    ...shown('presentQuote', (object, world) =>
      ['PROCESSING', 'COMPLETED'].includes(String(object['status']))
        ? { ...object, transactionId: mintId(world, 'Transaction') }
        : object,
    ),
  }),
  fault('platform-fee-out-of-nothing', 'QUOTE-PLATFORM-FEE-ZERO', {
    ...shown('presentQuote', (quote) =>
      quote['platformFeesIncluded'] === 0n
        ? { ...quote, platformFeesIncluded: quote['feesIncluded'] }
        : quote,
    ),
  }),
  fault('platform-fee-beyond-all-fees', 'QUOTE-PLATFORM-FEE-WITHIN-FEES', {
    feesOf: giving((fees) => ({ ...fees, feesIncluded: fees.feesIncluded - fees.platformFee })),
  }),
  fault('platform-fee-of-an-override-beyond-all-fees', 'QUOTE-PLATFORM-FEE-WITHIN-FEES', {
    feeInForce: (original) => (world, configured, override) => {
      const fee = { ...original(world, configured, override) };
      if (override !== undefined && override !== null) overrides.add(fee);
      return fee;
    },
    feesOf: giving((fees, ...args) => {
      const isOwn = overrides.has(args.at(-1) as object);
      return isOwn ? { ...fees, feesIncluded: fees.feesIncluded - fees.platformFee } : fees;
    }),
  }),
  ...breaking('QUOTE-AMOUNTS-FIT-RATE', {
    'rate-of-another-pair-where-agents-ask': whereAgentsAsk(rateOfAnotherPair()),
    'rate-of-another-pair-where-the-amount-received-is-locked': rateOfAnotherPair(
      (_parties, { side }) => side === 'RECEIVING',
    ),
    'rate-of-another-pair-for-uma-addresses': rateOfAnotherPair(
      ({ destination }) => destination['umaAddress'] !== undefined,
    ),
    'rate-of-another-pair-with-realtime-funding': rateOfAnotherPair(
      ({ source }) => source['sourceType'] === 'REALTIME_FUNDING',
    ),
  }),
  ...breaking('QUOTE-PLATFORM-FEE-APPLIED', {
    'fixed-fee-read-in-main-units': feeOf((fee) => ({ ...fee, fixed: fee.fixed * 100n })),
    'variable-fee-read-as-percent': feeOf((fee) => ({ ...fee, basisPoints: fee.basisPoints * 100 })),
    'variable-fee-halved': feeOf((fee) => ({ ...fee, basisPoints: fee.basisPoints / 2 })),
    'platform-fee-not-applied': feeOf(() => ({ basisPoints: 0, fixed: 0n })),
    'fixed-part-of-a-fee-forgotten': feeOf((fee) => (fee.basisPoints > 0 ? { ...fee, fixed: 0n } : fee)),
    'variable-part-of-a-fee-forgotten': feeOf((fee) => (fee.fixed > 0n ? { ...fee, basisPoints: 0 } : fee)),
  }),
  ...breaking('QUOTE-AUTHORIZATION-BEFORE-EXECUTION', {
    'authorization-not-needed-to-execute': { quoteAuthorized: nothing, ...anyMoveOf('quote', 'transaction') },
    'authorization-by-passkey-not-needed-to-execute': {
      quoteAuthorized: where(({ challenge }) => challenge?.factor === 'PASSKEY', undefined),
      ...anyMoveOf('quote', 'transaction'),
    },
    'agent-executes-unauthorized-quote': {
      ...within('executeAsAgent', { quoteAuthorized: nothing }),
      ...anyMoveOf('quote', 'transaction'),
    },
  }),
  fault('instructions-never-issued-after-authorization', 'QUOTE-INSTRUCTIONS-AFTER-AUTHORIZATION', {
    instructionsWithheld: where((quote) => quote.authorizations > 0, true),
  }),
  fault('fee-override-refused', 'QUOTE-FEE-OVERRIDE-ACCEPTED', {
    feeOverrideFits: () => (_world, body) =>
      body['platformFeeOverride'] === undefined
        ? undefined
        : refuse(new Refusal(400, 'INVALID_INPUT', 'platformFeeOverride is not taken.')),
  }),
  ...breaking('QUOTE-FEE-OVERRIDE-APPLIED', {
    'fee-override-halved': {
      feeInForce: (original) => (world, configured, override) => {
        const fee = original(world, configured, override);
        return override === undefined ? fee : { basisPoints: fee.basisPoints / 2, fixed: fee.fixed / 2n };
      },
    },
    'fee-override-ignored': { feeInForce: () => (_world, configured) => configured },
    'fee-override-ignored-where-the-amount-received-is-locked': overrideIgnored(
      (body) => body['lockedCurrencySide'] === 'RECEIVING',
    ),
    'fee-override-ignored-for-uma-addresses': overrideIgnored(
      ({ destination }) => isObject(destination) && destination['destinationType'] === 'UMA_ADDRESS',
    ),
    'fee-override-ignored-with-realtime-funding': overrideIgnored(
      ({ source }) => isObject(source) && source['sourceType'] === 'REALTIME_FUNDING',
    ),
    'fee-override-on-top': {
      feeInForce: giving((fee, world, configured, override) =>
        override === undefined ? fee : { ...fee, fixed: fee.fixed + configured.fixed },
      ),
    },
    'fee-override-stays': {
      feeInForce: (original) => (world, configured, override) => {
        const fee = original(world, configured, override);
        if (override !== undefined) Object.assign(configured, fee);
        return fee;
      },
    },
  }),
  ...(
    [
      ['fixed', (fee) => !('variableFeeBps' in fee)],
      ['joined', (fee) => 'variableFeeBps' in fee && 'fixedFee' in fee],
    ] as const satisfies readonly (readonly [string, (fee: JsonObject) => boolean])[]
  ).map(([kind, isForgotten]): Fault =>
    fault(`${kind}-fee-of-the-configuration-forgotten`, 'QUOTE-PLATFORM-FEE-APPLIED', {
      readBody: giving((body, world, call, route) => {
        if (route.path !== '/config' || !isObject(body) || !Array.isArray(body['feeConfigs'])) return body;
        return {
          ...body,
          feeConfigs: (body['feeConfigs'] as readonly JsonObject[]).filter((fee) => !isForgotten(fee)),
        };
      }),
    }),
  ),
  fault(
    'fees-that-any-platform-configures-are-taken',
    ['QUOTE-PLATFORM-FEE-ZERO', 'QUOTE-PLATFORM-FEE-APPLIED'],
    {
      updateConfig: (original) => (world, config, body) => {
        original(world, config, body);
        if (config.fees.size > 0) lastConfigs.set(world, config);
      },
      feeInForce: (original) => (world, configured, override) =>
        original(world, lastConfigs.get(world)?.fees.get('USD') ?? configured, override),
    },
  ),
  fault('fees-of-every-currency', 'QUOTE-FEE-USD-SOURCE', { platformFeeApplies: yes }),
];

/** Quotes that end before their time. */
function endsAfterAMinute(isMeant: (quote: Quote) => boolean): Replacements {
  return {
    quoteExpired: (original) => (world, quote) =>
      original(world, quote) ||
      (isMeant(quote) && world.clock.now(quote.customerId) - quote.createdAt > MINUTE),
  };
}

/** Quotes whose platformFeeOverride changes nothing. */
function overrideIgnored(isMeant: (body: JsonObject) => boolean): Replacements {
  return within(
    'createQuote',
    { feeInForce: () => (_world, configured) => configured },
    (_caller: unknown, body: JsonObject) => isMeant(body),
  );
}

/** Something more happens when a quote is settled. */
function afterSettling(then: (world: World, quote: Quote) => void): Replacements {
  return {
    settleQuote: (original) => (world, quote) => {
      original(world, quote);
      then(world, quote);
    },
  };
}

/** Takes more from the account that has paid a completed quote. @param amount smallest unit of the sending currency */
function takeAgain(world: World, quote: Quote, amount: bigint): void {
  const from = payerOf(quote);
  if (from !== undefined) book(world, quote, { from, to: EXCHANGE, amount });
}

/** Takes from an account of the customer what a completed quote has brought. @param amount less than 0 brings more */
function takeFromReceiver(world: World, quote: Quote, amount: bigint): void {
  const account = quote.destination['accountId'] as string | undefined;
  if (quote.status !== 'COMPLETED' || !account?.startsWith('InternalAccount:')) return;
  const [from, to] = amount < 0n ? [EXCHANGE, account] : [account, EXCHANGE];
  const currency = quote.receivingCurrency;
  world.ledger.post({ from, to, amount: amount < 0n ? -amount : amount, currency, reason: quote.id });
}

/** A further execution of such a quote takes its total again. */
function paysAgain(isMeant: (quote: Quote) => boolean): Replacements {
  return {
    quoteOpen: (original) => (world, quote) => {
      if (isMeant(quote)) takeAgain(world, quote, quote.totalSendingAmount);
      return original(world, quote);
    },
  };
}

/** Gives money back to the account that has paid a completed quote. @param amount smallest unit of the sending currency */
function giveBack(world: World, quote: Quote, amount: bigint): void {
  const to = payerOf(quote);
  if (to !== undefined) book(world, quote, { from: EXCHANGE, to, amount });
}

/** The account that has paid; a quote that is not completed, or is funded from outside, has none. */
function payerOf(quote: Quote): string | undefined {
  return quote.status === 'COMPLETED' ? sourceAccountId(quote) : undefined;
}

function book(world: World, quote: Quote, entry: { from: string; to: string; amount: bigint }): void {
  world.ledger.post({ ...entry, currency: quote.sendingCurrency, reason: quote.id });
}

/** A quote that shows something else every time. @param change what it shows at the n-th read after the first */
function reading(change: (quote: Quote, times: number) => Partial<Quote>): Replacements {
  const seen = new WeakMap<Quote, number>();
  return {
    presentQuote: (original) => (world, quote) => {
      const times = seen.get(quote) ?? 0;
      seen.set(quote, times + 1);
      return original(world, { ...quote, ...change(quote, times) });
    },
  };
}

/** The exchangeRate that a quote shows is three times what its amounts were made at. */
function rateOfAnotherPair(
  isMeant: (...asked: AfterWorld<BehaviourSet['priceTransfer']>) => boolean = () => true,
): Replacements {
  return {
    priceTransfer: giving((price, _world, ...asked) =>
      isMeant(...asked) ? { ...price, exchangeRate: 3 * price.exchangeRate } : price,
    ),
  };
}

/** What a configured fee is taken for, where a quote has none of its own. */
function feeOf(taken: (configured: PlatformFee) => PlatformFee): Replacements {
  return {
    feeInForce: (original) => (world, configured, override) =>
      override === undefined ? taken(configured) : original(world, configured, override),
  };
}
