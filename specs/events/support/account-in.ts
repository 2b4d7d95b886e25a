import type { Delivery } from '../../../suite/index.ts';

export const ACCOUNT_EVENT = 'EXTERNAL_ACCOUNT.STATUS_UPDATED';

/** The account that an event tells of: the part of its body that carries a status and an id of an external account. */
export function accountIn(delivery: Delivery): Readonly<Record<string, unknown>> | undefined {
  return objectsIn(delivery.answer.body as unknown).find(
    (one) => typeof one['status'] === 'string' && Object.values(one).some((value) => typeof value === 'string' && value.startsWith('ExternalAccount:')),
  );
}

/** Every object in the body of an event. */
export function objectsIn(node: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof node !== 'object' || node === null) return [];
  const children = Object.values(node).flatMap((child: unknown) => objectsIn(child));
  return Array.isArray(node) ? children : [node as Record<string, unknown>, ...children];
}

/** Whether an event names a record anywhere. */
export function names(delivery: Delivery, id: string): boolean {
  return delivery.text.toLowerCase().includes(id.toLowerCase());
}
