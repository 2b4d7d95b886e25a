import type { JsonObject } from '../../core/json.ts';
import type { World } from '../../core/world.ts';
import type { Customer } from '../../domain/customer.ts';

export function presentCustomer(world: World, customer: Customer): JsonObject {
  return {
    ...customer.data,
    id: customer.id,
    platformCustomerId: customer.platformCustomerId,
    customerType: customer.customerType,
    createdAt: world.rules.presentTime(world, customer.createdAt),
    updatedAt: world.rules.presentTime(world, customer.updatedAt),
  };
}
