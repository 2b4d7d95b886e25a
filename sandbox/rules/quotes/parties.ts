import { componentSchema } from '../../core/contract-schemas.ts';
import type { JsonObject } from '../../core/json.ts';
import { enforce, Refusal, unlessRefused, type Decision } from '../../core/refusal.ts';
import type { World } from '../../core/world.ts';
import type { Agent } from '../../domain/agent.ts';
import { customers, type Customer } from '../../domain/customer.ts';
import { externalAccounts } from '../../domain/external-account.ts';
import { internalAccounts } from '../../domain/internal-account.ts';
import type { Platform } from '../../domain/platform.ts';

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
export function readParties(world: World, caller: QuoteCaller, body: JsonObject): Parties {
  const { rules } = world;
  const source = body['source'] as JsonObject;
  const destination = body['destination'] as JsonObject;
  const paying = unlessRefused(rules.payingParty(world, caller, source, destination));
  const receivingCurrency = unlessRefused(rules.receivingParty(world, caller, paying.customer, destination));
  enforce(rules.partiesDiffer(world, source, destination));
  return { ...paying, source, destination, receivingCurrency };
}

/** Platforms speak for their customers, agents for exactly one. */
export function callerActsFor(world: World, caller: QuoteCaller, customer: Customer): boolean {
  return caller.kind === 'agent'
    ? caller.customerId === customer.id
    : world.rules.platformOwns(world, caller, customer);
}

/** The customer who pays, and in which currency. */
export function payingParty(
  world: World,
  caller: QuoteCaller,
  source: JsonObject,
  destination: JsonObject,
): Pick<Parties, 'customer' | 'sendingCurrency'> | Refusal {
  const { rules } = world;
  if (source['sourceType'] === 'REALTIME_FUNDING') {
    const beneficiary = externalAccounts.get(world, String(destination['accountId']))?.customerId;
    const id =
      (source['customerId'] as string | undefined) ??
      (caller.kind === 'agent' ? caller.customerId : beneficiary);
    const customer = customers.get(world, id ?? '');
    if (!customer || !rules.callerActsFor(world, caller, customer))
      return rules.refuseNotFound(world, 'Customer', id ?? 'of this quote');
    const sendingCurrency = source['currency'] as string;
    enforce(rules.currencyCanBePaidIn(world, sendingCurrency));
    return { customer, sendingCurrency };
  }
  const id = source['accountId'] as string;
  const account = internalAccounts.get(world, id);
  const customer = account && customers.get(world, account.customerId);
  if (!account || !customer || !rules.callerActsFor(world, caller, customer))
    return rules.refuseNotFound(world, 'account', id);
  return { customer, sendingCurrency: account.currency };
}

/** A quote can be paid in where there is a kind of account for its currency. */
export function currencyCanBePaidIn(_world: World, currency: string): Decision {
  const kinds = componentSchema('PaymentAccountType').enum as readonly string[];
  if (CRYPTO.has(currency) || kinds.includes(`${currency}_ACCOUNT`)) return undefined;
  return new Refusal(400, 'INVALID_CURRENCY', `Quotes cannot be paid in ${currency}.`);
}

/** The currency in which the destination receives. */
export function receivingParty(
  world: World,
  _caller: QuoteCaller,
  customer: Customer,
  destination: JsonObject,
): string | Refusal {
  const { rules } = world;
  if (destination['destinationType'] === 'UMA_ADDRESS') {
    enforce(rules.umaAddressReadable(world, String(destination['umaAddress'])));
    enforce(rules.umaReceiverFound(world, String(destination['umaAddress'])));
    return (destination['currency'] as string | undefined) ?? 'EUR';
  }
  const id = destination['accountId'] as string;
  const account = externalAccounts.get(world, id) ?? internalAccounts.get(world, id);
  if (!account || account.customerId !== customer.id) return rules.refuseNotFound(world, 'account', id);
  return account.currency;
}

/** `$name@domain`. */
export function umaAddressReadable(_world: World, address: string): Decision {
  if (/^\$[\w.+-]+@[\w-]+(\.[\w-]+)+$/.test(address)) return undefined;
  return new Refusal(400, 'INVALID_UMA_ADDRESS', `${address} is no UMA address, such as $name@example.com.`);
}

/** The counterparty knows every receiver but those whose name starts with "nobody". */
export function umaReceiverFound(world: World, address: string): Decision {
  return address.startsWith('$nobody') ? world.rules.refuseUnknownReceiver(world, address) : undefined;
}

export function refuseUnknownReceiver(_world: World, address: string): Refusal {
  return new Refusal(404, 'UMA_NOT_FOUND', `The counterparty has no receiver ${address}.`);
}

/** Nobody pays to the account that the money comes from. */
export function partiesDiffer(_world: World, source: JsonObject, destination: JsonObject): Decision {
  if (source['accountId'] === undefined || source['accountId'] !== destination['accountId']) return undefined;
  return new Refusal(400, 'SELF_PAYMENT', 'Source and destination are the same account.');
}
