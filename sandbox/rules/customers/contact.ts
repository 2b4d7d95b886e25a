import { enforce, Refusal, type Decision } from '../../core/refusal.ts';
import { ok, type Reply } from '../../core/reply.ts';
import type { World } from '../../core/world.ts';
import type { Customer } from '../../domain/customer.ts';
import { CONTACT_CODE } from '../../domain/fixed-codes.ts';
import { traitsOf } from '../../domain/traits.ts';

export type Channel = 'email' | 'phone';

/** Sends a code. @throws Refusal */
export function startContactVerification(world: World, customer: Customer, channel: Channel): Reply {
  enforce(world.rules.contactApplies(world, customer, channel, 'start'));
  traitsOf(world, customer.id).contactCodes.set(channel, CONTACT_CODE);
  return world.rules.presentContact(world, channel, 'PENDING');
}

/** Takes the code that was sent. @throws Refusal */
export function confirmContact(world: World, customer: Customer, channel: Channel, code: string): Reply {
  enforce(world.rules.contactApplies(world, customer, channel, 'confirm'));
  const codes = traitsOf(world, customer.id).contactCodes;
  if (codes.get(channel) !== code) throw new Refusal(400, 'INVALID_INPUT', 'The code is not right.');
  codes.delete(channel);
  return world.rules.presentContact(world, channel, 'VERIFIED');
}

/** Only for customers whose payment provider mandates it. */
export function contactApplies(
  world: World,
  customer: Customer,
  channel: Channel,
  _step: 'start' | 'confirm',
): Decision {
  return world.rules.contactMandated(world, customer) ? undefined : world.rules.refuseContact(world, channel);
}

export function contactMandated(world: World, customer: Customer): boolean {
  return traitsOf(world, customer.id).mandatesContact;
}

/** Which code is not shown. */
export function refuseContact(_world: World, channel: Channel): Refusal {
  return new Refusal(
    409,
    'CONFLICT',
    `The customer's payment provider asks for no verification of the ${channel}.`,
  );
}

export function presentContact(_world: World, channel: Channel, status: string): Reply {
  return ok({ channel, status });
}
