import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type Json, type JsonObject, printJson } from '../../server/json.ts';
import { Refusal } from '../../server/refusal.ts';
import { mintId, type World } from '../../world/world.ts';
import { customers } from '../customers/records.ts';
import { configOf } from '../platform/records.ts';
import { customerWebhooks, deliveries, type Delivery } from './records.ts';

interface Keys {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const keys = new WeakMap<World, Keys>();
const queues = new WeakMap<World, Map<string, Promise<unknown>>>();

/** How long an endpoint may take to answer, in milliseconds. */
const PATIENCE = 5_000;

/** Signing keys of a world's webhooks (P-256). */
export function webhookKeys(world: World): Keys {
  let pair = keys.get(world);
  if (!pair) keys.set(world, (pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })));
  return pair;
}

/** Where events about a customer go; undefined: nowhere. */
export function endpointFor(world: World, customerId: string): string | undefined {
  const own = customerWebhooks.get(world, customerId);
  if (own) return own.url ?? undefined;
  const customer = customers.get(world, customerId);
  return customer ? (configOf(world, customer.platformId).webhookEndpoint ?? undefined) : undefined;
}

/** Tells a change to whoever listens, again until it is taken; nobody waits for it. */
export function tell(world: World, customerId: string, type: string, data: Json): void {
  const url = world.behaviour.endpointFor(customerId);
  if (url === undefined) return;
  const envelope = world.behaviour.presentEvent(customerId, type, data);
  const delivery = world.behaviour.recordDelivery(customerId, url, envelope);
  world.behaviour.sendLater(url, () => world.behaviour.deliver(delivery));
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

/** Posts an event. @returns whether the endpoint took it */
export async function sendEvent(world: World, url: string, envelope: JsonObject): Promise<boolean> {
  const body = printJson(envelope);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [`X-${world.config.brand}-Signature`]: world.behaviour.signEvent(body),
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
export function signEvent(world: World, body: string): string {
  const signature = createSign('sha256')
    .update(body, 'utf8')
    .sign(world.behaviour.webhookKeys().privateKey, 'base64');
  return world.behaviour.presentSignature(signature);
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
  const { behaviour } = world;
  if (endpoint === undefined) throw behaviour.refuseWithoutEndpoint();
  const envelope = behaviour.presentEvent(customerId ?? '', 'TEST', {});
  const delivery = behaviour.recordDelivery(customerId ?? '', endpoint, envelope);
  const isTaken = await behaviour.sendEvent(endpoint, envelope);
  delivery.attempts.push({ at: world.clock.now(), isTaken });
  // Who asked for it is told of a failure, so that it is not sent again.
  delivery.status = isTaken ? 'DELIVERED' : 'GIVEN_UP';
  if (!isTaken) throw behaviour.refuseFailedDelivery();
  return envelope;
}

/** interface.md > Events: sending without a configured endpoint yields this error. */
export function refuseWithoutEndpoint(_world: World): Refusal {
  return new Refusal(400, 'WEBHOOK_ENDPOINT_NOT_SET', 'No webhook endpoint is configured.');
}

/** interface.md > Events: failed delivery yields this error. Only who sends on demand is there to be told. */
export function refuseFailedDelivery(_world: World): Refusal {
  return new Refusal(400, 'WEBHOOK_DELIVERY_ERROR', 'The webhook endpoint did not take the event.');
}

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
  const { behaviour } = world;
  const isTaken = await behaviour.sendEvent(delivery.url, delivery.envelope);
  delivery.attempts.push({ at: world.clock.now(), isTaken });
  delete delivery.nextAttemptAt;
  const wait = BACKOFF[delivery.attempts.length - 1];
  if (isTaken || delivery.status === 'DELIVERED') delivery.status = 'DELIVERED';
  else if (wait === undefined) delivery.status = 'GIVEN_UP';
  else {
    delivery.nextAttemptAt = world.clock.now() + wait * 1000;
    world.alarms.set(delivery.nextAttemptAt, () => behaviour.deliverAgain(delivery));
  }
  return isTaken;
}

/** The next attempt. Whoever has taken the endpoint away, or has got the event meanwhile, is left alone. */
export function deliverAgain(world: World, delivery: Delivery): void {
  const { behaviour } = world;
  if (delivery.status !== 'PENDING') return;
  if (behaviour.endpointFor(delivery.customerId) !== delivery.url) {
    delivery.status = 'GIVEN_UP';
    delete delivery.nextAttemptAt;
    return;
  }
  behaviour.sendLater(delivery.url, () => behaviour.deliver(delivery));
}

/** Delivery rules are not shown. What became of an event is something that only a sandbox tells. */
export function presentDelivery(world: World, delivery: Delivery): JsonObject {
  const { behaviour } = world;
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
