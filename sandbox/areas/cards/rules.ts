import { randomInt } from 'node:crypto';
import { created, type Reply } from '../../server/call.ts';
import type { JsonObject } from '../../server/json.ts';
import { type Decision, enforce, Refusal } from '../../server/refusal.ts';
import { mintId, type World } from '../../world/world.ts';
import { type Customer, traitsOf } from '../customers/records.ts';
import { type Card, cards } from './records.ts';

/** Issues a card. @throws Refusal */
export function issueCard(world: World, customer: Customer): Reply {
  enforce(world.rules.kycApproved(customer));
  return created(world.rules.presentCard(world.rules.addCard(customer)));
}

/** Cards are for cardholders whose KYC status is APPROVED. */
export function kycApproved(world: World, customer: Customer): Decision {
  return traitsOf(world, customer.id).kyc === 'APPROVED' ? undefined : world.rules.refuseWithoutKyc();
}

export function refuseWithoutKyc(_world: World): Refusal {
  return new Refusal(400, 'CARDHOLDER_KYC_NOT_APPROVED', "The cardholder's KYC status is not APPROVED.");
}

export function addCard(world: World, customer: Customer): Card {
  const id = mintId(world, 'Card');
  const last4 = String(randomInt(10_000)).padStart(4, '0');
  return cards.put(world, id, {
    id,
    customerId: customer.id,
    last4,
    createdAt: world.clock.now(customer.id),
  });
}

export function presentCard(world: World, card: Card): JsonObject {
  const { id, customerId, last4 } = card;
  return {
    id,
    customerId,
    last4,
    status: 'ACTIVE',
    createdAt: world.rules.presentTime(card.createdAt),
  };
}
