import {
  expect,
  type Answer,
  type Check,
  type Delivery,
  type EventFilter,
  type Need,
  type Webhook,
} from '../../../suite/index.ts';
import { laterEvent } from './later-event.ts';

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
}

/**
 * Blames the rule where an event does not come. How long one may take is not shown, so a missing one counts only where
 * another that was sent later has arrived, and the target is known to tell within the time of its dialect.
 *
 * @returns the events that have come
 */
export async function mustBeTold(
  { check, need }: { check: Check; need: Need },
  rule: string,
  { webhook, events, before = 0, what, since = [] }: Expected,
): Promise<readonly Delivery[]> {
  const inTime = await webhook.until(events, before + 1);
  const later = inTime.length > before ? [] : [await laterEvent(webhook, need)];
  const told = webhook.of(events);
  await check(rule, () => expect(told.length, `events ${what}`).toBeGreaterThan(before), {
    evidence: [...since, ...told.map(({ answer }) => answer), ...later],
    assumes: ['eventSeconds'],
  });
  return told;
}
