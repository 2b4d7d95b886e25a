import { agentOf, bodyOf, platformOf, type Call } from '../../core/call.ts';
import { enforce } from '../../core/refusal.ts';
import { ok } from '../../core/reply.ts';
import type { Route } from '../../core/route.ts';
import { internalAccounts, type InternalAccount } from '../../domain/internal-account.ts';
import { quotes, sourceAccountId, type Quote } from '../../domain/quote.ts';
import { signedRoute } from '../credentials/signed-route.ts';
import { ownedBy } from '../owned.ts';
import { quoteSchema } from './quote-schema.ts';

/** Quotes of platforms and of agents. */
export const quoteRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/quotes',
    auth: 'platform',
    body: quoteSchema,
    handle: (call) => call.world.rules.createQuote(call.world, platformOf(call), bodyOf(call)),
  },
  {
    method: 'GET',
    path: '/quotes/:quoteId',
    auth: 'platform',
    handle: (call) => ok(call.world.rules.presentQuote(call.world, quoteOf(call))),
  },
  signedRoute({
    method: 'POST',
    path: '/quotes/:quoteId/execute',
    isSigned: (call) => walletOf(call) !== undefined,
    prepare(call) {
      const { world } = call;
      const quote = quoteOf(call);
      const wallet = walletOf(call);
      if (!wallet) return world.rules.executeQuote(world, quote);
      return {
        signers: { customerId: wallet.customerId, accountIds: [wallet.id] },
        check: () => enforce(world.rules.quoteMayExecute(world, quote)),
        complete: () => world.rules.executeQuote(world, quote),
      };
    },
  }),
  {
    method: 'POST',
    path: '/quotes/:quoteId/authorize',
    auth: 'platform',
    body: { type: 'object' },
    bodyOptional: true,
    handle: (call) => call.world.rules.authorizeQuote(call.world, quoteOf(call), bodyOf(call)),
  },
  {
    method: 'POST',
    path: '/agents/me/quotes',
    auth: 'agent',
    body: quoteSchema,
    handle(call) {
      const { world } = call;
      enforce(world.rules.permissionGranted(world, agentOf(call), 'CREATE_QUOTES'));
      return world.rules.createQuote(world, agentOf(call), bodyOf(call));
    },
  },
  {
    method: 'GET',
    path: '/agents/me/quotes/:quoteId',
    auth: 'agent',
    handle: (call) => ok(call.world.rules.presentQuote(call.world, agentsQuote(call))),
  },
  {
    method: 'POST',
    path: '/agents/me/quotes/:quoteId/execute',
    auth: 'agent',
    handle(call) {
      const { world } = call;
      const agent = agentOf(call);
      const key = call.headers['idempotency-key'];
      return world.rules.answerOnce(world, {
        agent,
        key: key === undefined ? undefined : `${call.path} ${key}`,
        body: undefined,
        run: () => world.rules.executeAsAgent(world, agent, agentsQuote(call)),
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
  return world.rules.paymentNeedsSession(world, account) ? account : undefined;
}

/** A quote of the agent's customer. @throws Refusal 404 */
function agentsQuote(call: Call): Quote {
  const { world } = call;
  const id = call.params['quoteId']!;
  const quote = quotes.get(world, id);
  if (quote && quote.customerId === agentOf(call).customerId) return quote;
  throw world.rules.refuseNotFound(world, 'Quote', id);
}
