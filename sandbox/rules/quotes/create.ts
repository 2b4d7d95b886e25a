import type { JsonObject } from '../../core/json.ts';
import { enforce, Refusal, unlessRefused, type Decision } from '../../core/refusal.ts';
import { created, type Reply } from '../../core/reply.ts';
import { mintId, type World } from '../../core/world.ts';
import type { Customer } from '../../domain/customer.ts';
import { externalAccounts } from '../../domain/external-account.ts';
import { configOf } from '../../domain/platform-config.ts';
import { quotes, sourceAccountId, type Price, type Quote } from '../../domain/quote.ts';
import { traitsOf } from '../../domain/traits.ts';
import { transactions } from '../../domain/transaction.ts';
import type { Parties, QuoteCaller } from './parties.ts';

/** Makes a quote from a body of the right shape. @throws Refusal */
export function createQuote(world: World, caller: QuoteCaller, body: JsonObject): Reply {
  const { rules } = world;
  const parties = rules.readParties(world, caller, body);
  enforce(rules.customerIsReady(world, parties.customer));
  enforce(rules.termsAccepted(world, parties.customer));
  enforce(rules.counterpartyAllowed(world, parties));
  enforce(rules.feeOverrideFits(world, body, parties.sendingCurrency));
  const configured = configOf(world, parties.customer.platformId).fee;
  const price = unlessRefused(
    rules.priceTransfer(world, parties, {
      side: body['lockedCurrencySide'] as 'SENDING' | 'RECEIVING',
      amount: rules.readAmount(world, body['lockedCurrencyAmount']),
      platformFee: rules.feeInForce(world, configured, body['platformFeeOverride']),
    }),
  );
  enforce(rules.limitsAtQuote(world, { ...parties, ...price, customerId: parties.customer.id }));
  const quote = rules.addQuote(world, parties, price, caller.kind === 'agent' ? caller.id : undefined);
  return rules.presentCreatedQuote(world, quote);
}

/** Puts a new quote on record, and the transaction that it will become. */
export function addQuote(world: World, parties: Parties, price: Price, agentId: string | undefined): Quote {
  const { rules } = world;
  const { customer, source, destination, sendingCurrency, receivingCurrency } = parties;
  const now = world.clock.now(customer.id);
  const quote: Quote = {
    ...price,
    id: mintId(world, 'Quote'),
    platformId: customer.platformId,
    customerId: customer.id,
    ...(agentId === undefined ? {} : { agentId }),
    status: 'PENDING',
    source,
    destination,
    sendingCurrency,
    receivingCurrency,
    transactionId: mintId(world, 'Transaction'),
    authorizations: 0,
    createdAt: now,
    expiresAt: now + rules.quoteLifetime(world, parties),
  };
  if (rules.quoteNeedsAuthorization(world, quote)) {
    quote.status = 'PENDING_AUTHORIZATION';
    quote.challenge = rules.issueChallenge(world, quote);
  }
  addTransactionOf(world, quote);
  return quotes.put(world, quote.id, quote);
}

/** How long a quote lives, in milliseconds: short on instant rails. */
export function quoteLifetime(world: World, { customer, source, destination }: Parties): number {
  const prepared = traitsOf(world, customer.id).quoteLifetime;
  if (prepared !== undefined) return prepared;
  return world.rules.isInstant(world, source, destination) ? 300_000 : 900_000;
}

export function isInstant(world: World, source: JsonObject, destination: JsonObject): boolean {
  const account = externalAccounts.get(world, String(destination['accountId']));
  const rail = (destination['paymentRail'] as string | undefined) ?? account?.rails[0];
  const network = source['cryptoNetwork'];
  return ['RTP', 'SEPA_INSTANT', 'FEDNOW', 'PIX', 'UPI'].includes(rail ?? '') || network !== undefined;
}

/** A customer can exist and not be ready for payments. */
export function customerIsReady(_world: World, customer: Customer): Decision {
  if (traitsOf(_world, customer.id).isReady) return undefined;
  return new Refusal(403, 'USER_NOT_READY', 'The customer is not ready for payments.');
}

/** A counterparty may not be enabled for the account. */
export function counterpartyAllowed(world: World, { customer, destination }: Parties): Decision {
  const closed = traitsOf(world, customer.id).closedTo;
  const counterparty = destination['accountId'] ?? destination['umaAddress'];
  return closed !== undefined && closed === counterparty ? world.rules.refuseCounterparty(world) : undefined;
}

export function refuseCounterparty(_world: World): Refusal {
  return new Refusal(403, 'COUNTERPARTY_NOT_ALLOWED', 'The counterparty is not enabled for this account.');
}

/** No quotes without the customer's acceptance of the end-user terms on file. */
export function termsAccepted(world: World, customer: Customer): Decision {
  return traitsOf(world, customer.id).hasAcceptedTerms ? undefined : world.rules.refuseWithoutTerms(world);
}

export function refuseWithoutTerms(_world: World): Refusal {
  return new Refusal(403, 'END_USER_TERMS_NOT_ACCEPTED', 'The customer has not accepted the end-user terms.');
}

/** The answer to a created quote; whether it is 200, 201 or 202 is not shown. */
export function presentCreatedQuote(world: World, quote: Quote): Reply {
  return created(world.rules.presentQuote(world, quote));
}

function addTransactionOf(world: World, quote: Quote): void {
  transactions.put(world, quote.transactionId, {
    id: quote.transactionId,
    type: 'OUTGOING',
    status: quote.status === 'PENDING_AUTHORIZATION' ? 'PENDING_AUTHORIZATION' : 'PENDING',
    customerId: quote.customerId,
    platformId: quote.platformId,
    ...(quote.agentId === undefined ? {} : { agentId: quote.agentId }),
    amount: quote.totalSendingAmount,
    currency: quote.sendingCurrency,
    sourceAccountId: sourceAccountId(quote) ?? 'outside:realtime-funding',
    destinationAccountId: String(quote.destination['accountId'] ?? quote.destination['umaAddress']),
    createdAt: quote.createdAt,
    updatedAt: quote.createdAt,
  });
}
