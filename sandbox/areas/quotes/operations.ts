import { bodyOf, type Call, created, ok, operation, type Reply, type Route } from '../../server/area.ts';
import type { JsonObject } from '../../server/json.ts';
import { Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { type InternalAccount, internalAccounts } from '../accounts/records.ts';
import { agentOf, ownedBy, platformOf } from '../conventions/operations.ts';
import { signedRoute } from '../credentials/signed-operation.ts';
import { answerThenEnd } from '../transfers/operations.ts';
import type { QuoteCaller } from './creation-behaviour.ts';
import { quoteMayExecute } from './execution.ts';
import { RECEIVING } from './rates.ts';
import { type Quote, quotes, sourceAccountId } from './records.ts';

/** Quotes of platforms and of agents, and exchange rates. */
export const quoteRoutes: readonly Route[] = [
  {
    ...operation('POST /quotes'),
    handle: (_world, call) => create(call, platformOf(call)),
  },
  {
    ...operation('GET /quotes/:quoteId'),
    handle: (world, call) => ok(world.behaviour.presentQuote(quoteOf(call))),
  },
  signedRoute({
    ...operation('POST /quotes/:quoteId/execute'),
    isSigned: (call) => walletOf(call) !== undefined,
    prepare(world, call) {
      const quote = quoteOf(call);
      const wallet = walletOf(call);
      if (!wallet) return execute(world, quote);
      return {
        signers: { customerId: wallet.customerId, accountIds: [wallet.id] },
        check: () => quoteMayExecute(world, quote),
        complete: () => execute(world, quote),
      };
    },
  }),
  {
    ...operation('POST /quotes/:quoteId/authorize'),
    async handle(world, call) {
      const quote = quoteOf(call);
      await world.behaviour.authorizeQuote(quote, bodyOf(call));
      return ok(world.behaviour.presentQuote(quote));
    },
  },
  {
    ...operation('POST /agents/me/quotes', 'agent'),
    handle(world, call) {
      world.behaviour.permissionGranted(agentOf(call), 'CREATE_QUOTES');
      return create(call, agentOf(call));
    },
  },
  {
    ...operation('GET /agents/me/quotes/:quoteId', 'agent'),
    handle: (world, call) => ok(world.behaviour.presentQuote(agentsQuote(call))),
  },
  {
    ...operation('POST /agents/me/quotes/:quoteId/execute', 'agent'),
    handle(world, call) {
      const agent = agentOf(call);
      return world.behaviour.answerOnce({
        agent,
        operation: 'POST /agents/me/quotes/:quoteId/execute',
        params: call.params,
        key: call.headers['idempotency-key'],
        body: undefined,
        run: () => answerThenEnd(world, world.behaviour.executeAsAgent(agent, agentsQuote(call)), 200),
      });
    },
  },
  {
    ...operation('GET /exchange-rates'),
    handle(world, { query }) {
      const pairs = ratesAskedFor(query['sourceCurrency'], query['destinationCurrency']);
      return ok({ data: pairs.map(([sending, receiving]) => presentRate(world, sending, receiving)) });
    },
  },
];

function quoteOf(call: Call): Quote {
  return ownedBy(call, quotes, 'Quote', call.params['quoteId']!);
}

/** The Global Account that a quote takes its money from; its session has to sign the execution. */
function walletOf(call: Call): InternalAccount | undefined {
  const { world } = call;
  const account = internalAccounts.get(world, sourceAccountId(quoteOf(call)) ?? '');
  return world.behaviour.paymentNeedsSession(account) ? account : undefined;
}

/** A quote of the agent's customer. @throws Refusal 404 */
function agentsQuote(call: Call): Quote {
  const { world } = call;
  const id = call.params['quoteId']!;
  const quote = quotes.get(world, id);
  if (quote && world.behaviour.agentActsOnQuote(agentOf(call), quote)) return quote;
  throw world.behaviour.refuseNotFound('Quote', id);
}

function create(call: Call, caller: QuoteCaller): Reply {
  const { behaviour } = call.world;
  return created(behaviour.presentQuote(behaviour.createQuote(caller, bodyOf(call))));
}

/** Executes, answers, and only then settles what has begun. */
function execute({ behaviour }: World, quote: Quote): Reply {
  behaviour.executeQuote(quote);
  const isUnderWay = quote.status !== 'PENDING_AUTHORIZATION';
  const reply = ok(behaviour.presentQuote(quote));
  if (isUnderWay) behaviour.whenQuoteSettles(() => behaviour.settleQuote(quote));
  return reply;
}

/** The shape of an exchange rate is not shown. The rate as in quotes: sending currency units per receiving currency unit. */
function presentRate(world: World, sending: string, receiving: string): JsonObject {
  const { rate, takenAt } = world.behaviour.rateShown(sending, receiving);
  return {
    sourceCurrency: sending,
    destinationCurrency: receiving,
    exchangeRate: rate,
    updatedAt: world.behaviour.presentTime(takenAt),
    expiresAt: world.behaviour.presentTime(takenAt + world.behaviour.rateCacheTime()),
  };
}

/** The pairs that are asked for: of one currency with another, or with every one. @throws Refusal */
function ratesAskedFor(
  sending: string | undefined,
  receiving: string | undefined,
): readonly (readonly [sending: string, receiving: string])[] {
  const from = sending ?? 'USD';
  for (const code of [from, receiving]) {
    if (code !== undefined && !/^[A-Z0-9]{3,12}$/.test(code))
      throw new Refusal(400, 'INVALID_CURRENCY', `${code} is no currency.`);
  }
  const wanted = receiving === undefined ? RECEIVING.filter((code) => code !== from) : [receiving];
  return wanted.map((code) => [from, code]);
}
