import type { Call } from '../../server/area.ts';
import type { Table } from '../../world/table.ts';
import type { Agent } from '../agents/records.ts';
import { type Customer, customers } from '../customers/records.ts';
import type { Platform } from '../platform/records.ts';

/** The agent that calls; the route must be declared for agents. */
export function agentOf(call: Call): Agent {
  if (call.caller?.kind !== 'agent') throw new Error(`${call.path} is not a route for agents`);
  return call.caller as Agent;
}

/** The platform that calls; the route must be declared for platforms. */
export function platformOf(call: Call): Platform {
  if (call.caller?.kind !== 'platform') throw new Error(`${call.path} is not a route for platforms`);
  return call.caller as Platform;
}

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
