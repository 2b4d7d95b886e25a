import { externalAccounts } from '../areas/accounts/records.ts';
import type { Replacements } from '../areas/behaviour.ts';
import { traitsOf } from '../areas/customers/records.ts';
import { refuse, Refusal } from '../server/refusal.ts';
import type { Payment } from '../areas/transfers/records.ts';
import { type Behave, fault, type Fault } from './fault.ts';

/** Ownership verification of external accounts. */
export const accountFaults = [
  fault('verified-account-stays-pending', 'ACCOUNT-VERIFY-ACTIVE', {
    statusWhenProven: () => () => 'PENDING_OWNERSHIP_VERIFICATION',
  }),
  fault('verified-account-called-verified', 'ACCOUNT-VERIFY-ACTIVE', {
    statusWhenProven: () => () => 'VERIFIED',
  }),
  fault('failed-account-stays-pending', 'ACCOUNT-VERIFY-UNVERIFIED', {
    statusWhenNotProven: () => () => 'PENDING_OWNERSHIP_VERIFICATION',
  }),
  fault('any-signature-verifies', 'ACCOUNT-VERIFY-WRONG-SIGNATURE', { ownershipProven: () => () => true }),
  fault('liveness-proves-nothing', 'ACCOUNT-LIVENESS', {
    settleLiveness: () => (world, account) => world.behaviour.settleOwnership(account, false),
  }),
  fault('failed-liveness-changes-nothing', 'ACCOUNT-LIVENESS', {
    settleLiveness: (original) => (world, account, holds) => {
      if (holds) original(world, account, holds);
    },
  }),
  fault('verification-in-the-background', 'ACCOUNT-VERIFY-SYNCHRONOUS', {
    whenOwnershipKnown: () => (_world, settle) => {
      setTimeout(settle, 150).unref();
    },
  }),
  fault('challenge-counts-as-attempt', 'ACCOUNT-CHALLENGE-CHANGES-NOTHING', {
    afterOwnershipChallenge: () => (_world, account) => {
      account.status = 'UNVERIFIED';
    },
    awaitsOwnership: () => () => undefined,
  }),
];

/** Limits of payments, and the ownership verification that large ones need. */
export const limitFaults = [
  ...(
    [
      ['size', 'LIMIT-TRANSACTION-SIZE', 'withinTransactionSize'],
      ['volume', 'LIMIT-DAILY-VOLUME', 'withinDailyVolume'],
    ] as const
  ).map(([what, rule, limit]): Fault =>
    fault(`${what}-not-looked-at-for-uma-addresses`, rule, {
      [limit]:
        (original: Behave): Behave =>
        (world, payment) =>
          (payment as Payment).destination['destinationType'] === 'UMA_ADDRESS'
            ? undefined
            : original(world, payment),
    } as Replacements),
  ),
  ...(
    [
      ['size', 'LIMIT-TRANSACTION-SIZE', 'withinTransactionSize'],
      ['volume', 'LIMIT-DAILY-VOLUME', 'withinDailyVolume'],
      ['velocity', 'LIMIT-VELOCITY', 'withinVelocity'],
      ['ownership', 'ACCOUNT-VERIFICATION-REQUIRED', 'ownershipSuffices'],
    ] as const
  ).map(([what, rule, limit]): Fault =>
    fault(`${what}-not-looked-at-in-transfers`, rule, {
      [limit]:
        (original: Behave): Behave =>
        (world, payment) =>
          (payment as Payment).isPaidOut === undefined ? original(world, payment) : undefined,
    } as Replacements),
  ),
  fault('transaction-size-not-limited', 'LIMIT-TRANSACTION-SIZE', {
    withinTransactionSize: () => () => undefined,
  }),
  fault('transaction-size-answers-403', 'LIMIT-TRANSACTION-SIZE', {
    refuseTransactionSize: () => (world) => world.behaviour.refuseForbidden('Too large.'),
  }),
  fault('transaction-size-called-out-of-range', 'LIMIT-TRANSACTION-SIZE', {
    refuseTransactionSize: () => () => new Refusal(400, 'AMOUNT_OUT_OF_RANGE', 'Too large.'),
  }),
  fault('transaction-size-itself-refused', 'LIMIT-TRANSACTION-SIZE-EQUAL', {
    withinTransactionSize: (original) => (world, payment) =>
      payment.totalSendingAmount === traitsOf(world, payment.customerId).limits.transactionSize
        ? refuse(world.behaviour.refuseTransactionSize(payment.totalSendingAmount))
        : original(world, payment),
  }),
  fault('daily-volume-not-limited', 'LIMIT-DAILY-VOLUME', { withinDailyVolume: () => () => undefined }),
  fault('daily-volume-answers-400', 'LIMIT-DAILY-VOLUME', {
    refuseDailyVolume: () => () => new Refusal(400, 'AMOUNT_OUT_OF_RANGE', 'Too much today.'),
  }),
  fault('daily-volume-called-rate-limited', 'LIMIT-DAILY-VOLUME', {
    refuseDailyVolume: () => () => new Refusal(429, 'RATE_LIMITED', 'Too much today.'),
  }),
  fault('daily-volume-half', 'LIMIT-DAILY-VOLUME-BELOW', {
    withinDailyVolume: (original) => (world, payment) =>
      original(world, { ...payment, totalSendingAmount: payment.totalSendingAmount * 2n }),
  }),
  fault('refused-payment-fills-the-day', 'LIMIT-DAILY-VOLUME-BELOW', countingRefused()),
  fault('velocity-not-limited', 'LIMIT-VELOCITY', { withinVelocity: () => () => undefined }),
  fault('velocity-answers-429', 'LIMIT-VELOCITY', {
    refuseVelocity: () => () => new Refusal(429, 'VELOCITY_LIMIT_EXCEEDED', 'Too many.'),
  }),
  fault('velocity-called-forbidden', 'LIMIT-VELOCITY', {
    refuseVelocity: () => (world) => world.behaviour.refuseForbidden('Too many.'),
  }),
  fault('velocity-from-the-first-payment', 'LIMIT-VELOCITY-BELOW', {
    withinVelocity: () => (world, payment) =>
      traitsOf(world, payment.customerId).limits.velocity === undefined
        ? undefined
        : refuse(world.behaviour.refuseVelocity()),
  }),
  fault('velocity-of-all-counterparties-together', 'LIMIT-VELOCITY-BELOW', {
    withinVelocity:
      () =>
      (world, { customerId }) => {
        const { velocity } = traitsOf(world, customerId).limits;
        if (velocity !== undefined && world.behaviour.executedToday(customerId).length >= velocity)
          throw world.behaviour.refuseVelocity();
      },
  }),
  fault('pending-account-takes-nothing', 'ACCOUNT-PENDING-USABLE', { ownershipNeeded: () => () => true }),
  fault('ownership-never-needed', 'ACCOUNT-VERIFICATION-REQUIRED', { ownershipNeeded: () => () => false }),
  fault('failed-verification-is-enough', 'ACCOUNT-VERIFICATION-REQUIRED', {
    ownershipNeeded: (original) => (world, status, payment) =>
      status !== 'UNVERIFIED' && original(world, status, payment),
  }),
  fault('unverified-destination-answers-403', 'ACCOUNT-VERIFICATION-REQUIRED', {
    refuseUnverified: () => (world) => world.behaviour.refuseForbidden('Verify first.'),
  }),
  fault('unverified-destination-called-input', 'ACCOUNT-VERIFICATION-REQUIRED', {
    refuseUnverified: () => () => new Refusal(400, 'INVALID_INPUT', 'Verify first.'),
  }),
  fault('verified-account-asked-again', 'ACCOUNT-VERIFIED-USABLE', {
    ownershipSuffices: () => (world, payment) =>
      externalAccounts.get(world, String(payment.destination['accountId'])) &&
      world.behaviour.ownershipNeeded('ACTIVE', payment)
        ? refuse(world.behaviour.refuseUnverified())
        : undefined,
  }),
];

/** What a customer was refused adds to every later payment. */
function countingRefused(): Replacements {
  const refused = new Map<string, bigint>();
  return {
    withinLimits: (original) => (world, payment) => {
      try {
        original(world, payment);
      } catch (error) {
        const { customerId, totalSendingAmount } = payment;
        refused.set(customerId, (refused.get(customerId) ?? 0n) + totalSendingAmount);
        throw error;
      }
    },
    withinDailyVolume: (original) => (world, payment) => {
      const totalSendingAmount = payment.totalSendingAmount + (refused.get(payment.customerId) ?? 0n);
      original(world, { ...payment, totalSendingAmount });
    },
  };
}
