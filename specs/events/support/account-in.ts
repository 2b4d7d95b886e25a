import type { Delivery } from '../../../suite/index.ts';
import { objectsWithin } from '../../../suite/objects-within.ts';

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
