import type { JsonObject } from '../core/json.ts';
import { Table } from '../core/table.ts';
import { mintId, type World } from '../core/world.ts';
import type { Platform } from './platform.ts';

/** A customer of a platform. Times in milliseconds since the epoch. */
export interface Customer {
  readonly id: string;
  readonly platformId: string;
  readonly platformCustomerId: string;
  readonly customerType: 'INDIVIDUAL' | 'BUSINESS';
  /** What the platform told about it, as it was sent. */
  data: JsonObject;
  readonly createdAt: number;
  updatedAt: number;
}

export const customers = new Table<Customer>();

export type NewCustomer = Partial<Pick<Customer, 'platformCustomerId' | 'customerType' | 'data'>>;

export function addCustomer(world: World, platform: Platform, wanted: NewCustomer = {}): Customer {
  const id = mintId(world, 'Customer');
  const now = world.clock.now();
  return customers.put(world, id, {
    id,
    platformId: platform.id,
    platformCustomerId: wanted.platformCustomerId ?? `customer-${id.slice(-12)}`,
    customerType: wanted.customerType ?? 'INDIVIDUAL',
    data: wanted.data ?? {},
    createdAt: now,
    updatedAt: now,
  });
}
