import type { JsonObject } from '../../server/json.ts';
import type { World } from '../../world/world.ts';
import { customers } from '../customers/records.ts';
import { deliveries, type Delivery } from './records.ts';

/** How long an event waits before it is sent again, in seconds of the world's clock: once for each failed attempt. */
const BACKOFF = [5, 30, 120, 600, 3600];

/** So many deliveries of a world can be read back; the oldest make room. */
const MOST_KEPT = 1_000;

/** Puts an event on record that is to be sent. */
export function recordDelivery(
  world: World,
  customerId: string,
  url: string,
  envelope: JsonObject,
): Delivery {
  const id = String(envelope['id']);
  const kept = deliveries.of(world);
  for (const oldest of kept.keys()) {
    if (kept.size < MOST_KEPT) break;
    kept.delete(oldest);
  }
  return deliveries.put(world, id, {
    id,
    customerId,
    platformId: customers.get(world, customerId)?.platformId ?? '',
    url,
    envelope,
    status: 'PENDING',
    attempts: [],
  });
}

/** Sends an event, and sees to it that it is sent again when nobody took it. @returns whether it was taken */
export async function deliver(world: World, delivery: Delivery): Promise<boolean> {
  const { rules } = world;
  const isTaken = await rules.sendEvent(delivery.url, delivery.envelope);
  delivery.attempts.push({ at: world.clock.now(), isTaken });
  delete delivery.nextAttemptAt;
  const wait = BACKOFF[delivery.attempts.length - 1];
  if (isTaken || delivery.status === 'DELIVERED') delivery.status = 'DELIVERED';
  else if (wait === undefined) delivery.status = 'GIVEN_UP';
  else {
    delivery.nextAttemptAt = world.clock.now() + wait * 1000;
    world.alarms.set(delivery.nextAttemptAt, () => rules.deliverAgain(delivery));
  }
  return isTaken;
}

/** The next attempt. Whoever has taken the endpoint away, or has got the event meanwhile, is left alone. */
export function deliverAgain(world: World, delivery: Delivery): void {
  const { rules } = world;
  if (delivery.status !== 'PENDING') return;
  if (rules.endpointFor(delivery.customerId) !== delivery.url) {
    delivery.status = 'GIVEN_UP';
    delete delivery.nextAttemptAt;
    return;
  }
  rules.sendLater(delivery.url, () => rules.deliver(delivery));
}

export function presentDelivery(world: World, delivery: Delivery): JsonObject {
  const { rules } = world;
  const { id, customerId, url, status, envelope, attempts, nextAttemptAt } = delivery;
  return {
    id,
    type: envelope['type'],
    customerId,
    url,
    status,
    attempts: attempts.map(({ at, isTaken }) => ({ at: rules.presentTime(at), taken: isTaken })),
    nextAttemptAt: nextAttemptAt === undefined ? undefined : rules.presentTime(nextAttemptAt),
    event: envelope,
  };
}
