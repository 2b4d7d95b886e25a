import type { Delivery } from '../../../suite/index.ts';
import { objectsWithin } from '../../../suite/objects-within.ts';
import { names } from './account-in.ts';

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
