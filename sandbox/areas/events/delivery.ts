import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type JsonObject, printJson } from '../../server/json.ts';
import type { World } from '../../world/world.ts';
import { customers } from '../customers/records.ts';
import { configOf } from '../platform/records.ts';
import { customerWebhooks, deliveries, type Delivery } from './records.ts';

/** How long an endpoint may take to answer, in milliseconds. */
const PATIENCE = 5_000;

/** So many deliveries of a world can be read back; the oldest make room. */
const MOST_KEPT = 1_000;

/** How long an event waits before it is sent again, in seconds of the world's clock: once for each failed attempt. */
const BACKOFF = [5, 30, 120, 600, 3600];

/** Sends an event, and sees to it that it is sent again when nobody took it. @returns whether it was taken */
export async function deliver(world: World, delivery: Delivery): Promise<boolean> {
  const isTaken = await sendEvent(world, delivery.url, delivery.envelope);
  delivery.attempts.push({ at: world.clock.now(), isTaken });
  delete delivery.nextAttemptAt;
  const wait = BACKOFF[delivery.attempts.length - 1];
  if (isTaken || delivery.status === 'DELIVERED') delivery.status = 'DELIVERED';
  else if (wait === undefined) delivery.status = 'GIVEN_UP';
  else {
    delivery.nextAttemptAt = world.clock.now() + wait * 1000;
    world.alarms.set(delivery.nextAttemptAt, () => deliverAgain(world, delivery));
  }
  return isTaken;
}

/** Where events about a customer go; undefined: nowhere. */
export function endpointFor(world: World, customerId: string): string | undefined {
  const own = customerWebhooks.get(world, customerId);
  if (own) return own.url ?? undefined;
  const customer = customers.get(world, customerId);
  return customer ? (configOf(world, customer.platformId).webhookEndpoint ?? undefined) : undefined;
}

/** Delivery rules are not shown. What became of an event is something that only a sandbox tells. */
export function presentDelivery({ behaviour }: World, delivery: Delivery): JsonObject {
  const { id, customerId, url, status, envelope, attempts, nextAttemptAt } = delivery;
  return {
    id,
    type: envelope['type'],
    customerId,
    url,
    status,
    attempts: attempts.map(({ at, isTaken }) => ({ at: behaviour.presentTime(at), taken: isTaken })),
    nextAttemptAt: nextAttemptAt === undefined ? undefined : behaviour.presentTime(nextAttemptAt),
    event: envelope,
  };
}

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

/** Posts an event. @returns whether the endpoint took it */
export async function sendEvent(world: World, url: string, envelope: JsonObject): Promise<boolean> {
  const body = printJson(envelope);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [`X-${world.config.brand}-Signature`]: signEvent(world, body),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE),
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** ECDSA over SHA-256 of the raw body, DER, base64. */
function signEvent(world: World, body: string): string {
  const signature = createSign('sha256').update(body, 'utf8').sign(webhookKeys(world).privateKey, 'base64');
  return world.behaviour.presentSignature(signature);
}

/** The next attempt. Whoever has taken the endpoint away, or has got the event meanwhile, is left alone. */
function deliverAgain(world: World, delivery: Delivery): void {
  if (delivery.status !== 'PENDING') return;
  if (endpointFor(world, delivery.customerId) !== delivery.url) {
    delivery.status = 'GIVEN_UP';
    delete delivery.nextAttemptAt;
    return;
  }
  world.behaviour.sendLater(delivery.url, () => deliver(world, delivery));
}

interface Keys {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const keys = new WeakMap<World, Keys>();

/** Signing keys of a world's webhooks (P-256). */
export function webhookKeys(world: World): Keys {
  let pair = keys.get(world);
  if (!pair) keys.set(world, (pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })));
  return pair;
}
