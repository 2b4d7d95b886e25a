import type { JsonObject } from '../../server/json.ts';
import { Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import type { Channel } from './behaviour.ts';
import { CONTACT_CODE, type Customer, traitsOf } from './records.ts';

/** Sends a code. @throws Refusal */
export function startContactVerification(world: World, customer: Customer, channel: Channel): void {
  world.behaviour.contactApplies(customer, channel, 'start');
  traitsOf(world, customer.id).contactCodes.set(channel, CONTACT_CODE);
}

/** Takes the code that was sent. @throws Refusal */
export function confirmContact(world: World, customer: Customer, channel: Channel, code: string): void {
  world.behaviour.contactApplies(customer, channel, 'confirm');
  const codes = traitsOf(world, customer.id).contactCodes;
  if (codes.get(channel) !== code) throw new Refusal(400, 'INVALID_INPUT', 'The code is not right.');
  codes.delete(channel);
}

/** The shape of these answers is not shown. */
export function presentContact(channel: Channel, status: string): JsonObject {
  return { channel, status };
}

/** The e-mail of customer and credential stay the same. */
export function syncEmail(world: World, customer: Customer, email: string): void {
  for (const credential of world.behaviour.tiedCredentials(customer)) {
    credential.nickname = email;
    credential.updatedAt = world.clock.now(customer.id);
  }
}
