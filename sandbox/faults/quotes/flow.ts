import type { Replacements } from '../../areas/behaviour.ts';
import { type Quote, sourceAccountId } from '../../areas/quotes/records.ts';
import { actions } from '../../areas/transfers/records.ts';
import { isObject, type Json, type JsonObject } from '../../server/json.ts';
import { refuse, Refusal } from '../../server/refusal.ts';
import { mintId, type World } from '../../world/world.ts';
import { anyMoveOf, faultsOf, objectsNever, type Row, shown, within } from '../fault.ts';
import { shownWrongly } from '../shown-wrongly.ts';

const MINUTE = 60_000;
const EXCHANGE = 'outside:exchange';

/** What bodies of POST /quotes say in the place of the challenge. */
const sentChallenges = new WeakMap<Quote, Json>();
/** Platform fees that quotes have named themselves. */
const overrides = new WeakSet<object>();

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
  ...faultsOf([
    [
      'failure-called-provider-error',
      'TRANSACTION-FAILURE-REASONS',
      'A failure after the debit gives the reason PROVIDER_ERROR.',
      {
        quoteFailureReason: (original) => (world, reason) =>
          reason === 'QUOTE_EXECUTION_FAILED' ? 'PROVIDER_ERROR' : original(world, reason),
      },
    ],
    [
      'every-quote-refused',
      'QUOTE-CREATE-ACCEPTED',
      'Every request for a quote is refused.',
      {
        createQuote: () => () => {
          throw new Refusal(400, 'QUOTE_REQUEST_FAILED', 'No.');
        },
      },
    ],
    [
      'quote-ends-after-a-minute',
      'QUOTE-EXECUTABLE-UNTIL-EXPIRY',
      'A quote cannot be executed a minute after its creation, whatever its expiresAt says.',
      {
        quoteExpired: (original) => (world, quote) =>
          original(world, quote) || world.clock.now(quote.customerId) - quote.createdAt > MINUTE,
      },
    ],
    [
      'expired-quote-executed',
      'QUOTE-EXPIRED-NOT-EXECUTABLE',
      'A quote can be executed for ever.',
      { quoteExpired: () => () => false },
    ],
    ...(
      [
        ['to-an-address', (quote) => quote.destination['destinationType'] === 'UMA_ADDRESS'],
        ['with-realtime-funding', (quote) => quote.source['sourceType'] === 'REALTIME_FUNDING'],
      ] as const satisfies readonly (readonly [string, (quote: Quote) => boolean])[]
    ).map(([kind, isSpared]): Row => [
      `quote-${kind}-never-expires`,
      'QUOTE-EXPIRED-NOT-EXECUTABLE',
      `A quote ${kind.replaceAll('-', ' ')} can be executed for ever.`,
      { quoteExpired: (original) => (world, quote) => !isSpared(quote) && original(world, quote) },
    ]),
    [
      'look-prolongs-quote',
      'QUOTE-EXPIRED-NOT-EXECUTABLE',
      'A quote that is looked at after its first minute lives as long again.',
      {
        presentQuote: (original) => (world, quote) => {
          const shown = original(world, quote);
          const now = world.clock.now(quote.customerId);
          if (quote.status === 'PENDING' && now > quote.createdAt + MINUTE)
            Object.assign(quote, { expiresAt: now + (quote.expiresAt - quote.createdAt) });
          return shown;
        },
      },
    ],
    [
      'waiting-quote-never-expires',
      'QUOTE-EXPIRED-NOT-EXECUTABLE',
      'A quote whose execution waits for the platform is executed whenever the platform approves.',
      {
        quoteExpired: (original) => (world, quote) =>
          !actions.all(world).some(({ quoteId }) => quoteId === quote.id) && original(world, quote),
      },
    ],
    [
      'authorized-quote-never-expires',
      'QUOTE-EXPIRED-NOT-EXECUTABLE',
      'A quote that has waited for authorization is executed whenever it is authorized.',
      {
        quoteExpired: (original) => (world, quote) =>
          quote.authorizations === 0 && quote.challenge === undefined && original(world, quote),
      },
    ],
    [
      'quote-expiry-with-an-hour-of-grace',
      'QUOTE-EXPIRED-NOT-EXECUTABLE',
      'A quote can be executed for an hour after its expiresAt.',
      {
        quoteExpired: () => (world, quote) =>
          world.clock.now(quote.customerId) > quote.expiresAt + 60 * MINUTE,
      },
    ],
    [
      'quote-expired-before-it-was-made',
      'QUOTE-EXPIRES-AFTER-CREATION',
      'A quote shows an expiresAt that lies before its createdAt.',
      shown('presentQuote', (object, world) => ({
        ...object,
        expiresAt: world.behaviour.presentTime(Date.parse(String(object['createdAt'])) - MINUTE),
      })),
    ],
    [
      'debit-of-one-unit-more',
      'QUOTE-DEBIT-IS-TOTAL',
      'An executed quote takes a unit more than its totalSendingAmount.',
      afterSettling((world, quote) => takeAgain(world, quote, 1n)),
    ],
    [
      'executed-quote-takes-nothing',
      'QUOTE-DEBIT-IS-TOTAL',
      'An executed quote is COMPLETED, and the account that it is paid from keeps all of its money.',
      afterSettling((world, quote) => giveBack(world, quote, quote.totalSendingAmount)),
    ],
    [
      'second-execution-pays-again',
      'QUOTE-DEBIT-IS-TOTAL',
      'A second execution is refused after it has taken the amount again.',
      {
        quoteOpen: (original) => (world, quote) => {
          takeAgain(world, quote, quote.totalSendingAmount);
          return original(world, quote);
        },
      },
    ],
    [
      'fees-taken-on-top-of-the-total',
      'QUOTE-DEBIT-IS-TOTAL',
      'An executed quote takes its fees once more, on top of its totalSendingAmount.',
      afterSettling((world, quote) => takeAgain(world, quote, quote.feesIncluded)),
    ],
    [
      'account-pays-to-itself',
      'QUOTE-SELF-PAYMENT',
      'A quote from an account to itself is made and executed.',
      { partiesDiffer: () => () => undefined },
    ],
    [
      'challenge-of-the-caller-taken',
      'QUOTE-SCA-CHALLENGE-READ-ONLY',
      'A scaChallenge in the body of POST /quotes replaces the one that the service issued.',
      {
        createQuote: (original) => (world, caller, body) => {
          const quote = original(world, caller, body);
          if (body['scaChallenge'] !== undefined) sentChallenges.set(quote, body['scaChallenge']);
          return quote;
        },
        presentCreatedQuote: (original) => (world, quote) => {
          const reply = original(world, quote);
          const shown = reply.body as JsonObject;
          const sent = sentChallenges.get(quote);
          if (sent === undefined || shown['scaChallenge'] === undefined) return reply;
          return { ...reply, body: { ...shown, scaChallenge: sent } };
        },
      },
    ],
    [
      'rate-moves-while-quote-lives',
      'QUOTE-RATE-LOCKED',
      'The amount received is computed anew at every read.',
      reading((quote, times) => ({ totalReceivingAmount: quote.totalReceivingAmount + BigInt(times) })),
    ],
    [
      'exchange-rate-moves-while-quote-lives',
      'QUOTE-RATE-LOCKED',
      'The exchange rate shown is that of the moment.',
      reading((quote, times) => ({ exchangeRate: quote.exchangeRate * (1 + times / 100) })),
    ],
    [
      'fees-move-while-quote-lives',
      'QUOTE-FEES-LOCKED',
      'The fees are computed anew at every read.',
      reading((quote, times) => ({ feesIncluded: quote.feesIncluded + BigInt(times) })),
    ],
    [
      'executed-quote-gets-another-id',
      'QUOTE-ID-STABLE',
      'The answer to an execution shows a quote with another id.',
      {
        presentExecutedQuote: () => (world, quote) => ({
          status: 200,
          body: { ...world.behaviour.presentQuote(quote), id: mintId(world, 'Quote') },
        }),
      },
    ],
    [
      'executed-quote-gets-another-transaction',
      'QUOTE-TRANSACTION-ID-STABLE',
      'The transaction named by a quote changes with its execution.',
      shown('presentQuote', (object, world) =>
        ['PROCESSING', 'COMPLETED'].includes(String(object['status']))
          ? { ...object, transactionId: mintId(world, 'Transaction') }
          : object,
      ),
    ],
    [
      'platform-fee-out-of-nothing',
      'QUOTE-PLATFORM-FEE-ZERO',
      'A platform fee is shown although none is configured.',
      {
        shownPlatformFee: (original) => (world, quote) =>
          quote.platformFee === 0n ? quote.feesIncluded : original(world, quote),
      },
    ],
    [
      'platform-fee-beyond-all-fees',
      'QUOTE-PLATFORM-FEE-WITHIN-FEES',
      'A platform fee is not part of feesIncluded.',
      {
        feesOf:
          (original) =>
          (...args) => {
            const fees = original(...args);
            return { ...fees, feesIncluded: fees.feesIncluded - fees.platformFee };
          },
      },
    ],
    [
      'platform-fee-of-an-override-beyond-all-fees',
      'QUOTE-PLATFORM-FEE-WITHIN-FEES',
      'The platform fee that a quote names itself is not part of feesIncluded.',
      {
        feeInForce: (original) => (world, configured, override) => {
          const fee = { ...original(world, configured, override) };
          if (override !== undefined && override !== null) overrides.add(fee);
          return fee;
        },
        feesOf:
          (original) =>
          (...args) => {
            const fees = original(...args);
            const isOwn = overrides.has(args.at(-1) as object);
            return isOwn ? { ...fees, feesIncluded: fees.feesIncluded - fees.platformFee } : fees;
          },
      },
    ],
    [
      'platform-fee-not-applied',
      'QUOTE-PLATFORM-FEE-APPLIED',
      'A configured platform fee is forgotten; an override counts.',
      {
        feeInForce: (original) => (world, configured, override) =>
          override === undefined ? { basisPoints: 0, fixed: 0n } : original(world, configured, override),
      },
    ],
    [
      'authorization-not-needed-to-execute',
      'QUOTE-AUTHORIZATION-BEFORE-EXECUTION',
      'A quote can be executed while it waits for authorization.',
      { quoteAuthorized: () => () => undefined, ...anyMoveOf('quote', 'transaction') },
    ],
    [
      'agent-executes-unauthorized-quote',
      'QUOTE-AUTHORIZATION-BEFORE-EXECUTION',
      'An agent can execute a quote while it waits for authorization.',
      {
        ...within('executeAsAgent', { quoteAuthorized: objectsNever }),
        ...anyMoveOf('quote', 'transaction'),
      },
    ],
    [
      'instructions-never-issued-after-authorization',
      'QUOTE-INSTRUCTIONS-AFTER-AUTHORIZATION',
      'Instructions withheld once are never issued.',
      {
        instructionsWithheld: (original) => (world, quote) =>
          quote.authorizations > 0 || original(world, quote),
      },
    ],
    [
      'fee-override-refused',
      'QUOTE-FEE-OVERRIDE-ACCEPTED',
      'A platformFeeOverride is refused.',
      {
        feeOverrideFits: () => (_world, body) =>
          body['platformFeeOverride'] === undefined
            ? undefined
            : refuse(new Refusal(400, 'INVALID_INPUT', 'platformFeeOverride is not taken.')),
      },
    ],
    [
      'fee-override-ignored',
      'QUOTE-FEE-OVERRIDE-APPLIED',
      'A platformFeeOverride changes nothing.',
      { feeInForce: () => (_world, configured) => configured },
    ],
    [
      'fee-override-stays',
      'QUOTE-FEE-OVERRIDE-APPLIED',
      'A platformFeeOverride counts for later quotes too.',
      {
        feeInForce: (original) => (world, configured, override) => {
          const fee = original(world, configured, override);
          if (override !== undefined) Object.assign(configured, fee);
          return fee;
        },
      },
    ],
    ...(
      [
        ['fixed', (fee) => !('variableFeeBps' in fee)],
        ['joined', (fee) => 'variableFeeBps' in fee && 'fixedFee' in fee],
      ] as const satisfies readonly (readonly [string, (fee: JsonObject) => boolean])[]
    ).map(([kind, isForgotten]): Row => [
      `${kind}-fee-of-the-configuration-forgotten`,
      'QUOTE-PLATFORM-FEE-APPLIED',
      `PATCH /config takes a ${kind} fee and forgets it.`,
      {
        readBody: (original) => (world, call, route) => {
          const body = original(world, call, route);
          if (route.path !== '/config' || !isObject(body) || !Array.isArray(body['feeConfigs'])) return body;
          return {
            ...body,
            feeConfigs: (body['feeConfigs'] as readonly JsonObject[]).filter((fee) => !isForgotten(fee)),
          };
        },
      },
    ]),
    [
      'fees-of-every-currency',
      'QUOTE-FEE-USD-SOURCE',
      'Platform fees are taken of every currency.',
      { platformFeeApplies: () => () => true },
    ],
  ]),
];

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
