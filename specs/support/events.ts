import {
  expect,
  succeeded,
  type Answer,
  type Check,
  type Delivery,
  type EventFilter,
  type Need,
  type Webhook,
} from '../../suite/index.ts';
import { cameAtOnce } from '../../suite/eventually.ts';
import { objectsWithin } from '../../suite/objects-within.ts';

/** What ought to be told, and what it follows from. */
export interface Expected {
  readonly webhook: Webhook;
  readonly events: EventFilter;
  /** How many of them had come before. */
  readonly before?: number;
  /** To follow "events": `INCOMING_PAYMENT.REFUND_PENDING`. */
  readonly what: string;
  /** Answers that show what has happened. */
  readonly since?: readonly Answer[];
  /** Has something else happen that is told in the same way, and waits for its events: it is asked for where none has come. */
  readonly sibling?: () => Promise<readonly Delivery[]>;
}

/**
 * Blames the rule where an event does not come. How long one may take is not shown, so a missing one counts only where
 * another that was sent later has arrived, and the target is known to tell within the time of its dialect: by its profile, or as
 * a sibling is told at once.
 *
 * @returns the events that have come
 */
export async function expectTold(
  { check, need }: { check: Check; need: Need },
  rule: string,
  { webhook, events, before = 0, what, since = [], sibling }: Expected,
): Promise<readonly Delivery[]> {
  const inTime = await webhook.until(events, before + 1);
  const later = inTime.length > before ? [] : [await laterEvent(webhook, need)];
  const told = webhook.of(events);
  const siblings = later.length > 0 ? ((await sibling?.()) ?? []) : [];
  const tellsAtOnce = siblings.length > 0 && cameAtOnce();
  await check(rule, () => expect(told.length, `events ${what}`).toBeGreaterThan(before), {
    evidence: [
      ...since,
      ...told.map(({ answer }) => answer),
      ...later,
      ...siblings.map(({ answer }) => answer),
    ],
    assumes: tellsAtOnce ? [] : ['eventSeconds'],
  });
  return told;
}

/**
 * A test event that is sent now and arrives; where the target offers none, any event that has arrived. Without it the absence
 * of an event proves nothing, and the test is not verified.
 */
export async function laterEvent(webhook: Webhook, need: Need): Promise<Answer> {
  const known = webhook.deliveries.length;
  const sent = await webhook.sendTest();
  const later = sent && succeeded(sent) ? await webhook.later(known) : webhook.deliveries[known];
  return need.offered(
    later?.answer ?? (await webhook.works()),
    'no event reaches this machine, so none that is missing proves anything',
  );
}

export const ACCOUNT_EVENT = 'EXTERNAL_ACCOUNT.STATUS_UPDATED';

/**
 * The accounts that an event tells of: the parts of its body that carry a status and an id of an external account. An event
 * may show the account as it was beside the account as it is.
 */
export function accountsIn(delivery: Delivery): readonly Readonly<Record<string, unknown>>[] {
  return objectsWithin(delivery.answer.body as unknown).filter(
    (one) =>
      typeof one['status'] === 'string' &&
      Object.values(one).some((value) => typeof value === 'string' && value.startsWith('ExternalAccount:')),
  );
}

/** Whether an event names a record anywhere. */
export function names(delivery: Delivery, id: string): boolean {
  return delivery.text.toLowerCase().includes(id.toLowerCase());
}

/** Values of the states `incoming-refund` and `outgoing-refund`. */
export interface Refund {
  readonly customerId: string;
  readonly transactionId?: string;
  readonly refundId?: string;
  readonly reference?: string;
}

/** Names that information on a refund goes by, whatever its form. */
const INFORMATION = /refund|reference|transaction|payment|amount|status|initiated|reason/i;

/** Whether an event names the refund, by any of the names that the state gives it. */
export function isOf(event: Delivery, { transactionId, refundId, reference }: Refund): boolean {
  return [transactionId, refundId, reference].some((id) => id !== undefined && names(event, id));
}

/** Names of the fields of an event that tell something about a refund; what they are is not shown. */
export function informationIn(event: Delivery): readonly string[] {
  const own = objectsWithin(event.answer.body as unknown).flatMap((one) =>
    Object.entries(one).filter(([, value]) => typeof value !== 'object' || value === null),
  );
  return [...new Set(own.map(([name]) => name).filter((name) => INFORMATION.test(name)))];
}
