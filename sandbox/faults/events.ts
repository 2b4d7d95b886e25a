import type { Refund } from '../areas/events/records.ts';
import type { Replacements } from '../areas/behaviour.ts';
import type { Json } from '../server/json.ts';
import { Refusal } from '../server/refusal.ts';
import type { World } from '../world/world.ts';
import { fault, within } from './fault.ts';

/** Events and their delivery. */
export const eventFaults = [
  fault('active-account-not-told', 'EVENT-ACCOUNT-ACTIVE', {
    tellAccountStatus: only(({ status }) => status !== 'ACTIVE'),
  }),
  fault(
    'passed-liveness-not-told',
    'EVENT-ACCOUNT-ACTIVE',
    within(
      'endLiveness',
      { tellAccountStatus: () => () => undefined },
      (_account: unknown, passed: boolean) => passed,
    ),
  ),
  fault(
    'failed-liveness-not-told',
    'EVENT-ACCOUNT-UNVERIFIED',
    within(
      'endLiveness',
      { tellAccountStatus: () => () => undefined },
      (_account: unknown, passed: boolean) => !passed,
    ),
  ),
  fault('active-account-told-by-another-name', 'EVENT-ACCOUNT-ACTIVE', {
    tell: (original) => (world, id, type, data) =>
      original(world, id, isActive(type, data) ? 'EXTERNAL_ACCOUNT.VERIFIED' : type, data),
  }),
  fault('unverified-account-not-told', 'EVENT-ACCOUNT-UNVERIFIED', {
    tellAccountStatus: only(({ status }) => status !== 'UNVERIFIED'),
  }),
  fault('account-event-with-old-status', 'EVENT-ACCOUNT-PAYLOAD', {
    accountEventData: () => (world, one) => ({
      ...world.behaviour.presentExternalAccount(one),
      status: 'PENDING_OWNERSHIP_VERIFICATION',
    }),
  }),
  fault('account-event-of-another-account', 'EVENT-ACCOUNT-PAYLOAD', {
    accountEventData: () => (world, one) => ({
      ...world.behaviour.presentExternalAccount(one),
      id: 'ExternalAccount:00000000-0000-4000-8000-000000000000',
    }),
  }),
  fault('account-event-at-challenge', 'EVENT-ACCOUNT-ONLY-ON-CHANGE', {
    afterOwnershipChallenge: () => (world, one) => world.behaviour.tellAccountStatus(one),
  }),
  fault('card-events-by-another-name', 'EVENT-CARD-STATES', {
    cardEventType: () => (_world, status) => `CARD.${status}`,
  }),
  fault('card-refund-not-told', 'EVENT-CARD-STATES', {
    tellCardChange: only(({ status }) => status !== 'REFUNDED'),
  }),
  fault('card-partial-settlement-not-told', 'EVENT-CARD-STATES', {
    tellCardChange: only(({ status }) => status !== 'PARTIALLY_SETTLED'),
  }),
  fault('card-exception-not-told', 'EVENT-CARD-STATES', {
    tellCardChange: only(({ status }) => status !== 'EXCEPTION'),
  }),
  fault('card-refund-told-with-old-status', 'EVENT-CARD-PAYLOAD', {
    tellCardChange: (original) => (world, one) => {
      const { customerId, status } = one;
      if (status !== 'REFUNDED') return original(world, one);
      const before = world.behaviour.presentCardTransaction({ ...one, status: 'SETTLED' });
      world.behaviour.tell(customerId, world.behaviour.cardEventType(status), before);
    },
  }),
  fault('pending-refund-not-told', 'EVENT-REFUND-PENDING', refund('PENDING')),
  fault('pending-refund-told-by-another-name', 'EVENT-REFUND-PENDING', {
    refundEventType: (original) => (world, one) =>
      original(world, one).replace('REFUND_PENDING', 'REFUND_INITIATED'),
  }),
  fault('completed-refund-not-told', 'EVENT-REFUND-COMPLETED', refund('COMPLETED')),
  fault('failed-refund-not-told', 'EVENT-REFUND-FAILED', refund('FAILED')),
  fault('refund-event-without-information', 'EVENT-REFUND-COMPLETED', {
    presentRefundEvent: (original) => (world, one) =>
      one.status === 'COMPLETED' && one.direction === 'INCOMING' ? {} : original(world, one),
  }),
  fault('outgoing-refunds-not-told', 'EVENT-OUTGOING-REFUND', {
    tellRefund: only(({ direction }) => direction !== 'OUTGOING'),
  }),
  fault('completed-outgoing-refund-not-told', 'EVENT-OUTGOING-REFUND', {
    tellRefund: only(({ direction, status }) => direction !== 'OUTGOING' || status !== 'COMPLETED'),
  }),
  fault('outgoing-refund-stays-pending-in-events', 'EVENT-OUTGOING-REFUND', {
    tellRefund: (original) => (world, refund) =>
      original(world, refund.direction === 'OUTGOING' ? { ...refund, status: 'PENDING' } : refund),
  }),
  fault('missing-endpoint-ignored', 'EVENT-ENDPOINT-NOT-SET', {
    sendTestEvent: (original) => (world, id, endpoint) =>
      endpoint === undefined ? Promise.resolve({}) : original(world, id, endpoint),
  }),
  fault('missing-endpoint-called-input', 'EVENT-ENDPOINT-NOT-SET', {
    refuseWithoutEndpoint: () => () => new Refusal(400, 'INVALID_INPUT', 'No endpoint.'),
  }),
  fault('failed-delivery-ignored', 'EVENT-DELIVERY-ERROR', {
    sendTestEvent: (original) => async (world, id, endpoint) => {
      try {
        return await original(world, id, endpoint);
      } catch (error) {
        if (endpoint === undefined) throw error;
        return {};
      }
    },
  }),
  fault('failed-delivery-answers-500', 'EVENT-DELIVERY-ERROR', {
    refuseFailedDelivery: () => (world) => world.behaviour.refuseInternal(),
  }),
  fault('failed-delivery-called-not-set', 'EVENT-DELIVERY-ERROR', {
    refuseFailedDelivery: () => (world) => world.behaviour.refuseWithoutEndpoint(),
  }),
];

/** A function that tells of a change, and keeps some changes to itself. */
function only<T>(isTold: (one: T) => boolean) {
  return (original: (world: World, one: T) => void) =>
    (world: World, one: T): void => {
      if (isTold(one)) original(world, one);
    };
}

function isActive(type: string, data: Json): boolean {
  return type === 'EXTERNAL_ACCOUNT.STATUS_UPDATED' && (data as { status?: string }).status === 'ACTIVE';
}

/** Refunds of incoming payments are not told in this state. */
function refund(silent: Refund['status']): Replacements {
  return { tellRefund: only(({ direction, status }) => direction === 'OUTGOING' || status !== silent) };
}
