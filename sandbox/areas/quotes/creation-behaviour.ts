import { componentSchema } from '../../server/contract-schemas.ts';
import { type JsonObject, readAmount } from '../../server/json.ts';
import { type Passes, Refusal } from '../../server/refusal.ts';
import { mintId, type World } from '../../world/world.ts';
import { externalAccounts, internalAccounts } from '../accounts/records.ts';
import { accountsAllowed, type Agent } from '../agents/records.ts';
import { platformOwns } from '../conventions/operations.ts';
import { type Customer, customers, traitsOf } from '../customers/records.ts';
import { configOf, feeFor, type Platform } from '../platform/records.ts';
import { issueChallenge } from '../sca/records.ts';
import { transactions } from '../transfers/records.ts';
import { setQuoteStatus } from './execution.ts';
import { counterpartyOf, openQuotes, type Price, type Quote, quotes, sourceAccountId } from './records.ts';

/*
 * Quotes: a rate that is locked for one transfer. Here they are made; price-behaviour.ts and rates.ts say what they cost,
 * execution-behaviour.ts and execution.ts execute and end them, showing-behaviour.ts shows them.
 */

/** Makes a quote from a body of the right shape. @throws Refusal */
export function createQuote(world: World, caller: QuoteCaller, body: JsonObject): Quote {
  const { behaviour } = world;
  const parties = readParties(world, caller, body);
  behaviour.customerIsReady(parties.customer);
  behaviour.termsAccepted(parties.customer);
  behaviour.counterpartyAllowed(parties);
  if (caller.kind === 'agent') accountsAllowed(world, caller, accountsOf(parties));
  behaviour.feeOverrideFits(body, parties.sendingCurrency);
  const configured = feeFor(configOf(world, parties.customer.platformId), parties.sendingCurrency);
  const price = behaviour.priceTransfer(parties, {
    side: body['lockedCurrencySide'] as 'SENDING' | 'RECEIVING',
    amount: readAmount(body['lockedCurrencyAmount']),
    platformFee: behaviour.feeInForce(configured, body['platformFeeOverride']),
  });
  behaviour.limitsAtQuote({ ...parties, ...price, customerId: parties.customer.id });
  return addQuote(world, parties, price, caller.kind === 'agent' ? caller.id : undefined);
}

/** Puts a new quote on record, and the transaction that it will become. */
function addQuote(world: World, parties: Parties, price: Price, agentId: string | undefined): Quote {
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
    expiresAt: now + quoteLifetime(world, parties),
  };
  addTransactionOf(world, quote);
  if (world.behaviour.quoteNeedsAuthorization(quote)) {
    setQuoteStatus(world, quote, 'PENDING_AUTHORIZATION');
    quote.challenge = issueChallenge(world, quote);
  }
  openQuotes.put(world, quote.id, quote);
  return quotes.put(world, quote.id, quote);
}

/** How long a quote lives, in milliseconds: short on instant rails. */
function quoteLifetime(world: World, { customer, source, destination }: Parties): number {
  const prepared = traitsOf(world, customer.id).quoteLifetime;
  if (prepared !== undefined) return prepared;
  return isInstant(world, source, destination) ? 300_000 : 900_000;
}

/** interface.md > Quote names instant rails as examples. Others as fast are taken with them, and all funding over a network. */
function isInstant(world: World, source: JsonObject, destination: JsonObject): boolean {
  const account = externalAccounts.get(world, String(destination['accountId']));
  const rail = (destination['paymentRail'] as string | undefined) ?? account?.rails[0];
  const network = source['cryptoNetwork'];
  return ['RTP', 'SEPA_INSTANT', 'FEDNOW', 'PIX', 'UPI'].includes(rail ?? '') || network !== undefined;
}

/** A customer can exist and not be ready for payments. */
export function customerIsReady(_world: World, customer: Customer): Passes {
  if (traitsOf(_world, customer.id).isReady) return;
  throw new Refusal(403, 'USER_NOT_READY', 'The customer is not ready for payments.');
}

/** A counterparty may not be enabled for the account. */
export function counterpartyAllowed(
  world: World,
  { customer, destination }: Pick<Parties, 'customer' | 'destination'>,
): Passes {
  const closed = traitsOf(world, customer.id).closedTo;
  const counterparty = destination['accountId'] ?? destination['umaAddress'];
  if (closed !== undefined && closed === counterparty) throw world.behaviour.refuseCounterparty();
}

/** No quotes without the customer's acceptance of the end-user terms on file. */
export function termsAccepted(world: World, customer: Customer): Passes {
  if (!traitsOf(world, customer.id).hasAcceptedTerms) throw world.behaviour.refuseWithoutTerms();
}

function addTransactionOf(world: World, quote: Quote): void {
  transactions.put(world, quote.transactionId, {
    id: quote.transactionId,
    type: 'OUTGOING',
    status: 'PENDING',
    customerId: quote.customerId,
    platformId: quote.platformId,
    ...(quote.agentId === undefined ? {} : { agentId: quote.agentId }),
    amount: quote.totalSendingAmount,
    currency: quote.sendingCurrency,
    source: quote.source,
    destination: quote.destination,
    counterparty: counterpartyOf(quote),
    platformFees: quote.platformFee,
    createdAt: quote.createdAt,
    updatedAt: quote.createdAt,
  });
}

/** What an agent's policy can name of a quote. */
function accountsOf({ source, destination }: Parties): readonly string[] {
  const from = sourceAccountId({ source });
  return [...(from === undefined ? [] : [from]), counterpartyOf({ destination })];
}

/** Currencies that are paid in to a wallet. */
const CRYPTO: ReadonlySet<string> = new Set(['BTC', 'USDC', 'USDT']);

/** Who asks for a quote, or for something about one. */
export type QuoteCaller = Platform | Agent;

/** Between whom a quote moves money, and in which currencies. */
export interface Parties {
  readonly customer: Customer;
  readonly source: JsonObject;
  readonly destination: JsonObject;
  readonly sendingCurrency: string;
  readonly receivingCurrency: string;
}

/** Reads source and destination of a request, which has the right shape, against the records. @throws Refusal */
function readParties({ behaviour }: World, caller: QuoteCaller, body: JsonObject): Parties {
  const source = body['source'] as JsonObject;
  const destination = body['destination'] as JsonObject;
  const paying = behaviour.payingParty(caller, source, destination);
  const receivingCurrency = behaviour.receivingParty(caller, paying.customer, destination);
  behaviour.partiesDiffer(source, destination);
  return { ...paying, source, destination, receivingCurrency };
}

/** Platforms speak for their customers, agents for exactly one. */
export function callerActsFor(world: World, caller: QuoteCaller, customer: Customer): boolean {
  return caller.kind === 'agent' ? caller.customerId === customer.id : platformOwns(caller, customer);
}

/** The customer who pays, and in which currency. */
export function payingParty(
  world: World,
  caller: QuoteCaller,
  source: JsonObject,
  destination: JsonObject,
): Pick<Parties, 'customer' | 'sendingCurrency'> {
  const { behaviour } = world;
  if (source['sourceType'] === 'REALTIME_FUNDING') {
    const beneficiary = externalAccounts.get(world, String(destination['accountId']))?.customerId;
    const id =
      (source['customerId'] as string | undefined) ??
      (caller.kind === 'agent' ? caller.customerId : beneficiary);
    const customer = customers.get(world, id ?? '');
    if (!customer || !behaviour.callerActsFor(caller, customer))
      throw behaviour.refuseNotFound('Customer', id ?? 'of this quote');
    const sendingCurrency = source['currency'] as string;
    currencyCanBePaidIn(sendingCurrency);
    return { customer, sendingCurrency };
  }
  const id = source['accountId'] as string;
  const account = internalAccounts.get(world, id);
  const customer = account && customers.get(world, account.customerId);
  if (!account || !customer || !behaviour.callerActsFor(caller, customer))
    throw behaviour.refuseNotFound('account', id);
  return { customer, sendingCurrency: account.currency };
}

/** A quote can be paid in where there is a kind of account for its currency. */
function currencyCanBePaidIn(currency: string): Passes {
  const kinds = componentSchema('PaymentAccountType').enum as readonly string[];
  if (CRYPTO.has(currency) || kinds.includes(`${currency}_ACCOUNT`)) return;
  throw new Refusal(400, 'INVALID_CURRENCY', `Quotes cannot be paid in ${currency}.`);
}

/** The currency in which the destination receives. */
export function receivingParty(
  world: World,
  _caller: QuoteCaller,
  customer: Customer,
  destination: JsonObject,
): string {
  if (destination['destinationType'] === 'UMA_ADDRESS') {
    umaAddressReadable(String(destination['umaAddress']));
    umaReceiverFound(world, String(destination['umaAddress']));
    return (destination['currency'] as string | undefined) ?? 'EUR';
  }
  const id = destination['accountId'] as string;
  const account = externalAccounts.get(world, id) ?? internalAccounts.get(world, id);
  if (!account || account.customerId !== customer.id) throw world.behaviour.refuseNotFound('account', id);
  return account.currency;
}

/** `$name@domain`. */
function umaAddressReadable(address: string): Passes {
  if (/^\$[\w.+-]+@[\w-]+(\.[\w-]+)+$/.test(address)) return;
  throw new Refusal(400, 'INVALID_UMA_ADDRESS', `${address} is no UMA address, such as $name@example.com.`);
}

/** The counterparty knows every receiver but those whose name starts with "nobody". */
function umaReceiverFound(world: World, address: string): Passes {
  if (address.startsWith('$nobody')) throw world.behaviour.refuseUnknownReceiver(address);
}

/** Nobody pays to the account that the money comes from. */
export function partiesDiffer(_world: World, source: JsonObject, destination: JsonObject): Passes {
  if (source['accountId'] === undefined || source['accountId'] !== destination['accountId']) return;
  throw new Refusal(400, 'SELF_PAYMENT', 'Source and destination are the same account.');
}
