import type { JsonObject } from '../core/json.ts';
import { Table } from '../core/table.ts';
import { mintId, type World } from '../core/world.ts';
import type { Customer } from './customer.ts';

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
  readonly payoutFails?: string;
  readonly createdAt: number;
  updatedAt: number;
}

export const externalAccounts = new Table<ExternalAccount>();

export type NewExternalAccount = Partial<
  Pick<ExternalAccount, 'accountInfo' | 'rails' | 'payoutFails' | 'status'>
>;

/** Rails of an account that names none itself, by currency. */
const RAILS: Readonly<Record<string, readonly string[]>> = {
  USD: ['ACH', 'WIRE', 'RTP', 'FEDNOW'],
  EUR: ['SEPA', 'SEPA_INSTANT'],
  GBP: ['FASTER_PAYMENTS'],
  INR: ['UPI', 'NEFT'],
  BRL: ['PIX'],
  MXN: ['SPEI'],
};

export function addExternalAccount(
  world: World,
  customer: Customer,
  currency: string,
  wanted: NewExternalAccount = {},
): ExternalAccount {
  const id = mintId(world, 'ExternalAccount');
  const now = world.clock.now(customer.id);
  const rails = wanted.rails ?? RAILS[currency] ?? ['BANK_TRANSFER'];
  return externalAccounts.put(world, id, {
    id,
    customerId: customer.id,
    status: wanted.status ?? 'ACTIVE',
    currency,
    accountInfo: wanted.accountInfo ?? { accountType: `${currency}_ACCOUNT`, paymentRails: [...rails] },
    rails,
    ...(wanted.payoutFails === undefined ? {} : { payoutFails: wanted.payoutFails }),
    createdAt: now,
    updatedAt: now,
  });
}
