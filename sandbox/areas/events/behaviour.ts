import { type Json, type JsonObject, printJson } from '../../server/json.ts';
import { mintId, type World } from '../../world/world.ts';
import { deliver, endpointFor, recordDelivery, sendEvent } from './delivery.ts';
import type { Refund } from './records.ts';
import { presentRefund } from './refunds.ts';

/*
 * Webhooks: what is told of a change, to which endpoint, and again until it is taken (delivery.ts); and the refunds, which the
 * interface knows by their events (refunds.ts).
 */

const queues = new WeakMap<World, Map<string, Promise<unknown>>>();

/** Tells a change to whoever listens, again until it is taken; nobody waits for it. */
export function tell(world: World, customerId: string, type: string, data: Json): void {
  const url = endpointFor(world, customerId);
  if (url === undefined) return;
  const envelope = world.behaviour.presentEvent(customerId, type, data);
  const delivery = recordDelivery(world, customerId, url, envelope);
  world.behaviour.sendLater(url, () => deliver(world, delivery));
}

/** Events to one endpoint leave in the order of their changes. */
export function sendLater(world: World, url: string, send: () => Promise<boolean>): void {
  let byUrl = queues.get(world);
  if (!byUrl) queues.set(world, (byUrl = new Map()));
  byUrl.set(url, (byUrl.get(url) ?? Promise.resolve()).then(send));
}

/** The envelope of every event. */
export function presentEvent(world: World, customerId: string, type: string, data: Json): JsonObject {
  return {
    id: mintId(world, 'Webhook'),
    type,
    timestamp: world.behaviour.presentTime(world.clock.now(customerId)),
    data,
  };
}

/** Bare, or as JSON with a version. */
export function presentSignature(_world: World, signature: string): string {
  return printJson({ v: '1', s: signature });
}

/** Sends an event on demand and waits for its delivery. @throws Refusal */
export async function sendTestEvent(
  world: World,
  customerId: string | undefined,
  endpoint: string | undefined,
): Promise<JsonObject> {
  if (endpoint === undefined) throw world.behaviour.refuseWithoutEndpoint();
  const envelope = world.behaviour.presentEvent(customerId ?? '', 'TEST', {});
  const delivery = recordDelivery(world, customerId ?? '', endpoint, envelope);
  const isTaken = await sendEvent(world, endpoint, envelope);
  delivery.attempts.push({ at: world.clock.now(), isTaken });
  // Who asked for it is told of a failure, so that it is not sent again.
  delivery.status = isTaken ? 'DELIVERED' : 'GIVEN_UP';
  if (!isTaken) throw world.behaviour.refuseFailedDelivery();
  return envelope;
}

/** interface.md > Events: a refund that is pending, one that has completed and one that has failed are each told. */
export function tellRefund(world: World, refund: Refund): void {
  // Outgoing refunds produce events in the same manner, so they are spelled alike.
  const type = `${refund.direction}_PAYMENT.REFUND_${refund.status}`;
  world.behaviour.tell(refund.customerId, type, world.behaviour.presentRefundEvent(refund));
}

/** Refund information. */
export function presentRefundEvent(world: World, refund: Refund): JsonObject {
  return {
    transactionId: refund.transactionId,
    customerId: refund.customerId,
    refund: presentRefund(world, refund),
  };
}
