import type { Refund } from '../areas/events/records.ts';
import type { Replacements } from '../areas/behaviour.ts';
import type { Json } from '../server/json.ts';
import { Refusal } from '../server/refusal.ts';
import type { World } from '../world/world.ts';
import { faultsOf, within } from './fault.ts';

/** Events and their delivery. */
export const eventFaults = faultsOf([
  [
    'active-account-not-told',
    'EVENT-ACCOUNT-ACTIVE',
    'An account that becomes ACTIVE is not told.',
    { tellAccountStatus: only(({ status }) => status !== 'ACTIVE') },
  ],
  [
    'passed-liveness-not-told',
    'EVENT-ACCOUNT-ACTIVE',
    'An account that becomes ACTIVE by a hosted liveness check is not told.',
    within(
      'endLiveness',
      { tellAccountStatus: () => () => undefined },
      (_account: unknown, passed: boolean) => passed,
    ),
  ],
  [
    'failed-liveness-not-told',
    'EVENT-ACCOUNT-UNVERIFIED',
    'An account that becomes UNVERIFIED by a hosted liveness check is not told.',
    within(
      'endLiveness',
      { tellAccountStatus: () => () => undefined },
      (_account: unknown, passed: boolean) => !passed,
    ),
  ],
  [
    'active-account-told-by-another-name',
    'EVENT-ACCOUNT-ACTIVE',
    'An account that becomes ACTIVE is told as EXTERNAL_ACCOUNT.VERIFIED.',
    {
      tell: (original) => (world, id, type, data) =>
        original(world, id, isActive(type, data) ? 'EXTERNAL_ACCOUNT.VERIFIED' : type, data),
    },
  ],
  [
    'unverified-account-not-told',
    'EVENT-ACCOUNT-UNVERIFIED',
    'An account that becomes UNVERIFIED is not told.',
    { tellAccountStatus: only(({ status }) => status !== 'UNVERIFIED') },
  ],
  [
    'account-event-with-old-status',
    'EVENT-ACCOUNT-PAYLOAD',
    'The event of an account shows the status before the change.',
    {
      accountEventData: () => (world, one) => ({
        ...world.behaviour.presentExternalAccount(one),
        status: 'PENDING_OWNERSHIP_VERIFICATION',
      }),
    },
  ],
  [
    'account-event-of-another-account',
    'EVENT-ACCOUNT-PAYLOAD',
    'The event of an account names another account.',
    {
      accountEventData: () => (world, one) => ({
        ...world.behaviour.presentExternalAccount(one),
        id: 'ExternalAccount:00000000-0000-4000-8000-000000000000',
      }),
    },
  ],
  [
    'account-event-at-challenge',
    'EVENT-ACCOUNT-ONLY-ON-CHANGE',
    'A challenge is told as a change of status.',
    { afterOwnershipChallenge: () => (world, one) => world.behaviour.tellAccountStatus(one) },
  ],
  [
    'card-events-by-another-name',
    'EVENT-CARD-STATES',
    'Events of card transactions are called CARD.',
    { cardEventType: () => (_world, status) => `CARD.${status}` },
  ],
  [
    'card-refund-not-told',
    'EVENT-CARD-STATES',
    'A refunded card transaction is not told.',
    { tellCardChange: only(({ status }) => status !== 'REFUNDED') },
  ],
  [
    'card-partial-settlement-not-told',
    'EVENT-CARD-STATES',
    'A partially settled card transaction is not told.',
    { tellCardChange: only(({ status }) => status !== 'PARTIALLY_SETTLED') },
  ],
  [
    'card-exception-not-told',
    'EVENT-CARD-STATES',
    'The exception of a card transaction is not told.',
    { tellCardChange: only(({ status }) => status !== 'EXCEPTION') },
  ],
  [
    'card-refund-told-with-old-status',
    'EVENT-CARD-PAYLOAD',
    'The event of a refunded card transaction shows it as SETTLED.',
    {
      tellCardChange: (original) => (world, one) => {
        const { customerId, status } = one;
        if (status !== 'REFUNDED') return original(world, one);
        const before = world.behaviour.presentCardTransaction({ ...one, status: 'SETTLED' });
        world.behaviour.tell(customerId, world.behaviour.cardEventType(status), before);
      },
    },
  ],
  ['pending-refund-not-told', 'EVENT-REFUND-PENDING', 'A pending refund is not told.', refund('PENDING')],
  [
    'pending-refund-told-by-another-name',
    'EVENT-REFUND-PENDING',
    'A pending refund is told as REFUND_INITIATED.',
    {
      refundEventType: (original) => (world, one) =>
        original(world, one).replace('REFUND_PENDING', 'REFUND_INITIATED'),
    },
  ],
  [
    'completed-refund-not-told',
    'EVENT-REFUND-COMPLETED',
    'A completed refund is not told.',
    refund('COMPLETED'),
  ],
  ['failed-refund-not-told', 'EVENT-REFUND-FAILED', 'A failed refund is not told.', refund('FAILED')],
  [
    'refund-event-without-information',
    'EVENT-REFUND-COMPLETED',
    'The event of a completed refund has a type and an empty payload.',
    {
      presentRefundEvent: (original) => (world, one) =>
        one.status === 'COMPLETED' && one.direction === 'INCOMING' ? {} : original(world, one),
    },
  ],
  [
    'outgoing-refunds-not-told',
    'EVENT-OUTGOING-REFUND',
    'Refunds of outgoing payments are not told.',
    { tellRefund: only(({ direction }) => direction !== 'OUTGOING') },
  ],
  [
    'completed-outgoing-refund-not-told',
    'EVENT-OUTGOING-REFUND',
    'The end of a refund of an outgoing payment is not told.',
    { tellRefund: only(({ direction, status }) => direction !== 'OUTGOING' || status !== 'COMPLETED') },
  ],
  [
    'outgoing-refund-stays-pending-in-events',
    'EVENT-OUTGOING-REFUND',
    'The end of a refund of an outgoing payment is told as another one that is pending.',
    {
      tellRefund: (original) => (world, refund) =>
        original(world, refund.direction === 'OUTGOING' ? { ...refund, status: 'PENDING' } : refund),
    },
  ],
  [
    'missing-endpoint-ignored',
    'EVENT-ENDPOINT-NOT-SET',
    'Sending without an endpoint succeeds.',
    {
      sendTestEvent: (original) => (world, id, endpoint) =>
        endpoint === undefined ? Promise.resolve({}) : original(world, id, endpoint),
    },
  ],
  [
    'missing-endpoint-called-input',
    'EVENT-ENDPOINT-NOT-SET',
    'Sending without an endpoint has the code INVALID_INPUT.',
    { refuseWithoutEndpoint: () => () => new Refusal(400, 'INVALID_INPUT', 'No endpoint.') },
  ],
  [
    'failed-delivery-ignored',
    'EVENT-DELIVERY-ERROR',
    'Sending to an endpoint that fails succeeds.',
    {
      sendTestEvent: (original) => async (world, id, endpoint) => {
        try {
          return await original(world, id, endpoint);
        } catch (error) {
          if (endpoint === undefined) throw error;
          return {};
        }
      },
    },
  ],
  [
    'failed-delivery-answers-500',
    'EVENT-DELIVERY-ERROR',
    'Sending to an endpoint that fails answers 500.',
    { refuseFailedDelivery: () => (world) => world.behaviour.refuseInternal() },
  ],
  [
    'failed-delivery-called-not-set',
    'EVENT-DELIVERY-ERROR',
    'Sending to an endpoint that fails has the code WEBHOOK_ENDPOINT_NOT_SET.',
    { refuseFailedDelivery: () => (world) => world.behaviour.refuseWithoutEndpoint() },
  ],
]);

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
