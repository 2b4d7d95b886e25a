import { type Call, platformOf } from '../../server/call.ts';
import type { Table } from '../../world/table.ts';
import { type Customer, customers } from '../customers/records.ts';

/** A record that belongs to the calling platform. @throws Refusal 404 when it is not there or another platform's */
export function ownedBy<T extends { readonly platformId: string }>(
  call: Call,
  table: Table<T>,
  kind: string,
  id: string,
): T {
  const { world } = call;
  const record = table.get(world, id);
  if (record && world.rules.platformOwns(platformOf(call), record)) return record;
  throw world.rules.refuseNotFound(kind, id);
}

/** A customer of the calling platform. @throws Refusal 404 */
export function ownedCustomer(call: Call, id: string): Customer {
  return ownedBy(call, customers, 'Customer', id);
}

/** A record of one of the platform's customers. @throws Refusal 404 */
export function ownedByCustomer<T extends { readonly customerId: string }>(
  call: Call,
  table: Table<T>,
  kind: string,
  id: string,
): T {
  const { world } = call;
  const record = table.get(world, id);
  const customer = record && customers.get(world, record.customerId);
  if (record && customer && world.rules.platformOwns(platformOf(call), customer)) return record;
  throw world.rules.refuseNotFound(kind, id);
}
