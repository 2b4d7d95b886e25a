import type { Route } from '../../server/area.ts';
import { bodyOf, type Call, ok } from '../../server/call.ts';
import { enforce } from '../../server/refusal.ts';
import { type InternalAccount, internalAccounts } from '../accounts/records.ts';
import { agentOf, ownedBy, platformOf } from '../auth/callers.ts';
import { signedRoute } from '../signed-requests/signed-route.ts';
import { type Quote, quotes, sourceAccountId } from './records.ts';

const code = { type: 'string', pattern: '^[A-Z0-9]{3,12}$' };
const text = { type: 'string', minLength: 1 };
const when = (name: string, value: string, properties: object, required: readonly string[]) => ({
  if: { required: [name], properties: { [name]: { const: value } } },
  then: { required, properties },
});

/** The interface shows no body for a new quote; this is what real deployments take. */
export const quoteSchema = {
  type: 'object',
  required: ['source', 'destination', 'lockedCurrencySide', 'lockedCurrencyAmount'],
  properties: {
    source: {
      type: 'object',
      required: ['sourceType'],
      properties: { sourceType: { enum: ['ACCOUNT', 'REALTIME_FUNDING'] }, customerId: text },
      allOf: [
        when('sourceType', 'ACCOUNT', { accountId: text }, ['accountId']),
        when('sourceType', 'REALTIME_FUNDING', { currency: code, cryptoNetwork: text }, ['currency']),
      ],
    },
    destination: {
      type: 'object',
      required: ['destinationType'],
      properties: { destinationType: { enum: ['ACCOUNT', 'UMA_ADDRESS'] } },
      allOf: [
        when('destinationType', 'ACCOUNT', { accountId: text, paymentRail: text }, ['accountId']),
        when('destinationType', 'UMA_ADDRESS', { umaAddress: text, currency: code }, ['umaAddress']),
      ],
    },
    lockedCurrencySide: { enum: ['SENDING', 'RECEIVING'] },
    lockedCurrencyAmount: { type: 'integer', minimum: 1, maximum: Number(2n ** 63n - 1n) },
  },
};

/** Quotes of platforms and of agents. */
export const quoteRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/quotes',
    auth: 'platform',
    body: quoteSchema,
    handle: (call) => call.world.rules.createQuote(platformOf(call), bodyOf(call)),
  },
  {
    method: 'GET',
    path: '/quotes/:quoteId',
    auth: 'platform',
    handle: (call) => ok(call.world.rules.presentQuote(quoteOf(call))),
  },
  signedRoute({
    method: 'POST',
    path: '/quotes/:quoteId/execute',
    isSigned: (call) => walletOf(call) !== undefined,
    prepare(call) {
      const { world } = call;
      const quote = quoteOf(call);
      const wallet = walletOf(call);
      if (!wallet) return world.rules.executeQuote(quote);
      return {
        signers: { customerId: wallet.customerId, accountIds: [wallet.id] },
        check: () => enforce(world.rules.quoteMayExecute(quote)),
        complete: () => world.rules.executeQuote(quote),
      };
    },
  }),
  {
    method: 'POST',
    path: '/quotes/:quoteId/authorize',
    auth: 'platform',
    body: { type: 'object' },
    bodyOptional: true,
    handle: (call) => call.world.rules.authorizeQuote(quoteOf(call), bodyOf(call)),
  },
  {
    method: 'POST',
    path: '/agents/me/quotes',
    auth: 'agent',
    body: quoteSchema,
    handle(call) {
      const { world } = call;
      enforce(world.rules.permissionGranted(agentOf(call), 'CREATE_QUOTES'));
      return world.rules.createQuote(agentOf(call), bodyOf(call));
    },
  },
  {
    method: 'GET',
    path: '/agents/me/quotes/:quoteId',
    auth: 'agent',
    handle: (call) => ok(call.world.rules.presentQuote(agentsQuote(call))),
  },
  {
    method: 'POST',
    path: '/agents/me/quotes/:quoteId/execute',
    auth: 'agent',
    handle(call) {
      const { world } = call;
      const agent = agentOf(call);
      const key = call.headers['idempotency-key'];
      return world.rules.answerOnce({
        agent,
        key: key === undefined ? undefined : `${call.path} ${key}`,
        body: undefined,
        run: () => world.rules.executeAsAgent(agent, agentsQuote(call)),
      });
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
  return world.rules.paymentNeedsSession(account) ? account : undefined;
}

/** A quote of the agent's customer. @throws Refusal 404 */
function agentsQuote(call: Call): Quote {
  const { world } = call;
  const id = call.params['quoteId']!;
  const quote = quotes.get(world, id);
  if (quote && quote.customerId === agentOf(call).customerId) return quote;
  throw world.rules.refuseNotFound('Quote', id);
}

/** Exchange rates. */
export const ratesRoute: Route = {
  method: 'GET',
  path: '/exchange-rates',
  auth: 'platform',
  handle: ({ world, query }) => world.rules.readRates(query['sourceCurrency'], query['destinationCurrency']),
};
