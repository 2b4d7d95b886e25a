import type { JsonObject } from '../../server/json.ts';
import { outside } from '../../world/ledger.ts';
import { Table } from '../../world/table.ts';
import { newRecord, type World } from '../../world/world.ts';
import { type Customer, isEuropean, traitsOf } from '../customers/records.ts';

/** An account held inside the service; its balance stands in the ledger under its id. */
export interface InternalAccount {
  readonly id: string;
  readonly customerId: string;
  readonly type: 'INTERNAL_FIAT' | 'INTERNAL_CRYPTO' | 'EMBEDDED_WALLET';
  readonly currency: string;
  readonly createdAt: number;
  updatedAt: number;
}

export const internalAccounts = new Table<InternalAccount>();

/** Puts a new account on record. */
export function addInternalAccount(
  world: World,
  customer: Customer,
  currency: string,
  type: InternalAccount['type'] = 'INTERNAL_FIAT',
): InternalAccount {
  const born = newRecord(world, 'InternalAccount', customer.id);
  return internalAccounts.put(world, born.id, {
    ...born,
    customerId: customer.id,
    type,
    currency,
  });
}

/** Balance in the smallest unit of the account's currency. */
export function balanceOf(world: World, account: InternalAccount): bigint {
  return world.ledger.balance(account.id, account.currency);
}

/** An amount with its currency, where the shape of neither is shown. @param amount smallest unit */
export const presentMoney = (world: World, amount: bigint, currency: string): JsonObject => ({
  amount,
  currency: world.behaviour.presentCurrency(currency),
});

/** Name in the ledger of whoever pays or is paid: accounts of the service under their id, all others outside. */
export function bookOf(id: string): string {
  return id.startsWith('InternalAccount:') ? id : outside(id);
}

/** A bank account or wallet outside the service. */
export interface ExternalAccount {
  readonly id: string;
  readonly customerId: string;
  status: string;
  readonly currency: string;
  readonly accountInfo: JsonObject;
  /** Payment rails that it can be reached by; the first is the default. */
  readonly rails: readonly string[];
  /** Set: whatever is paid out to it comes back, for this transaction failure reason. */
  payoutFails?: string;
  readonly createdAt: number;
  updatedAt: number;
}

export const externalAccounts = new Table<ExternalAccount>();

type NewExternalAccount = Partial<Pick<ExternalAccount, 'accountInfo' | 'rails' | 'payoutFails' | 'status'>>;

/** Rails of accounts that name none themselves, by currency. */
const RAILS: Readonly<Record<string, readonly string[]>> = {
  USD: ['ACH', 'WIRE', 'RTP', 'FEDNOW'],
  EUR: ['SEPA', 'SEPA_INSTANT'],
  GBP: ['FASTER_PAYMENTS'],
  INR: ['UPI', 'NEFT'],
  BRL: ['PIX'],
  MXN: ['SPEI'],
  COP: ['ACH_COLOMBIA', 'BRE_B'],
  PHP: ['INSTAPAY', 'PESONET'],
  SGD: ['FAST', 'PAYNOW'],
  CNY: ['CIPS', 'UNIONPAY'],
  HKD: ['RTGS'],
  KES: ['MOBILE_MONEY'],
  SWIFT: ['SWIFT'],
};

/** @param currency or SWIFT */
export const railsOf = (currency: string): readonly string[] => RAILS[currency] ?? ['BANK_TRANSFER'];

/** Puts a new account on record. */
export function addExternalAccount(
  world: World,
  customer: Customer,
  currency: string,
  wanted: NewExternalAccount = {},
): ExternalAccount {
  const born = newRecord(world, 'ExternalAccount', customer.id);
  const rails = wanted.rails ?? railsOf(currency);
  return externalAccounts.put(world, born.id, {
    ...born,
    customerId: customer.id,
    status: wanted.status ?? 'ACTIVE',
    currency,
    accountInfo: wanted.accountInfo ?? { accountType: `${currency}_ACCOUNT`, paymentRails: [...rails] },
    rails,
    ...(wanted.payoutFails === undefined ? {} : { payoutFails: wanted.payoutFails }),
  });
}

/** What the owner of an external account has to prove; the time in milliseconds since the epoch. */
export interface OwnershipChallenge {
  readonly accountId: string;
  readonly method: 'WALLET_SIGNATURE' | 'LIVENESS';
  readonly messageToSign: string;
  readonly expiresAt: number;
}

/** The latest challenge of each external account, by account id. */
export const ownershipChallenges = new Table<OwnershipChallenge>();

/** Whether a wallet is private, by account. */
export const privateWallets = new Table<boolean>();

/** What a wallet export hands out, by account. */
export const walletSecrets = new Table<Buffer>();

/** Moves an account to a status; a change is told. */
export function setAccountStatus(world: World, account: ExternalAccount, status: string): void {
  const changes = account.status !== status;
  account.status = status;
  account.updatedAt = world.clock.now(account.customerId);
  if (changes) world.behaviour.tellAccountStatus(account);
}

/** Tickers of currencies that are no money of a country. */
const CRYPTO = new Set(['BTC', 'USDC', 'USDT', 'ETH', 'SOL']);

/** Accounts that a new customer is born with. */
export function openAccounts(
  world: World,
  customer: Customer,
  currencies: readonly string[],
): InternalAccount[] {
  return currencies.map((currency) =>
    addInternalAccount(world, customer, currency, CRYPTO.has(currency) ? 'INTERNAL_CRYPTO' : 'INTERNAL_FIAT'),
  );
}

/** Account numbers whose payouts come back, by their last digits, with the transaction failure reason. */
const RETURNING: Readonly<Record<string, string>> = {
  '99990001': 'ACCOUNT_CANNOT_RECEIVE',
  '99990002': 'ACCOUNT_INVALID',
  '99990003': 'PAYOUT_RETURNED',
  '99990004': 'COMPLIANCE_REJECTED',
};

/** Whether its ownership must be verified first is not shown; here the sandbox's caller decides, else the customer's region. */
function statusOfNewAccount(world: World, { id, data }: Customer, info?: JsonObject): string {
  const isToProve = isEuropean(data) && String(info?.['accountType']).endsWith('_WALLET');
  return traitsOf(world, id).statusOfNewAccounts ?? (isToProve ? 'PENDING_OWNERSHIP_VERIFICATION' : 'ACTIVE');
}

/** Puts an account outside the service on record. */
export function registerExternalAccount(
  world: World,
  customer: Customer,
  currency: string,
  accountInfo?: JsonObject,
): ExternalAccount {
  const rails = accountInfo?.['paymentRails'] as readonly string[] | undefined;
  const payoutFails = RETURNING[String(accountInfo?.['accountNumber'] ?? '').slice(-8)];
  return addExternalAccount(world, customer, currency, {
    status: statusOfNewAccount(world, customer, accountInfo),
    ...(accountInfo === undefined ? {} : { accountInfo }),
    ...(rails === undefined ? {} : { rails }),
    ...(payoutFails === undefined ? {} : { payoutFails }),
  });
}
