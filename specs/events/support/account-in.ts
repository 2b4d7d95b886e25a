import type { Delivery } from '../../../suite/index.ts';
import { objectsWithin } from '../../../suite/objects-within.ts';

export const ACCOUNT_EVENT = 'EXTERNAL_ACCOUNT.STATUS_UPDATED';

/** The account that an event tells of: the part of its body that carries a status and an id of an external account. */
export function accountIn(delivery: Delivery): Readonly<Record<string, unknown>> | undefined {
  return objectsWithin(delivery.answer.body as unknown).find(
    (one) =>
      typeof one['status'] === 'string' &&
      Object.values(one).some((value) => typeof value === 'string' && value.startsWith('ExternalAccount:')),
  );
}

/** Whether an event names a record anywhere. */
export function names(delivery: Delivery, id: string): boolean {
  return delivery.text.toLowerCase().includes(id.toLowerCase());
}
