import { externalAccounts } from '../areas/accounts/records.ts';
import type { Replacements } from '../areas/behaviour.ts';
import { traitsOf } from '../areas/customers/records.ts';
import type { Payment } from '../areas/transfers/records.ts';
import { refuse, Refusal } from '../server/refusal.ts';
import { faultsOf } from './fault.ts';

/** Ownership verification of external accounts. */
export const accountFaults = faultsOf([
  [
    'verified-account-stays-pending',
    'ACCOUNT-VERIFY-ACTIVE',
    'A verification that succeeds leaves the account pending.',
    { statusWhenProven: () => () => 'PENDING_OWNERSHIP_VERIFICATION' },
  ],
  [
    'verified-account-called-verified',
    'ACCOUNT-VERIFY-ACTIVE',
    'A verified account has the status VERIFIED.',
    { statusWhenProven: () => () => 'VERIFIED' },
  ],
  [
    'failed-account-stays-pending',
    'ACCOUNT-VERIFY-UNVERIFIED',
    'A verification that fails leaves the account pending.',
    { statusWhenNotProven: () => () => 'PENDING_OWNERSHIP_VERIFICATION' },
  ],
  [
    'any-signature-verifies',
    'ACCOUNT-VERIFY-WRONG-SIGNATURE',
    'Every signature verifies the ownership.',
    { ownershipProven: () => () => true },
  ],
  [
    'liveness-proves-nothing',
    'ACCOUNT-LIVENESS',
    'A liveness check that succeeds leaves the account UNVERIFIED.',
    {
      settleLiveness: () => (world, account) => world.behaviour.settleOwnership(account, false),
    },
  ],
  [
    'failed-liveness-changes-nothing',
    'ACCOUNT-LIVENESS',
    'A liveness check that fails leaves the account pending.',
    {
      settleLiveness: (original) => (world, account, holds) => {
        if (holds) original(world, account, holds);
      },
    },
  ],
  [
    'verification-in-the-background',
    'ACCOUNT-VERIFY-SYNCHRONOUS',
    'Verify answers before the signature was looked at.',
    {
      whenOwnershipKnown: () => (_world, settle) => {
        setTimeout(settle, 150).unref();
      },
    },
  ],
  [
    'challenge-counts-as-attempt',
    'ACCOUNT-CHALLENGE-CHANGES-NOTHING',
    'Asking for a challenge ends the verification as failed.',
    {
      afterOwnershipChallenge: () => (_world, account) => {
        account.status = 'UNVERIFIED';
      },
      awaitsOwnership: () => () => undefined,
    },
  ],
]);

/** Limits of payments, and the ownership verification that large ones need. */
export const limitFaults = faultsOf([
  [
    'transaction-size-not-limited',
    'LIMIT-TRANSACTION-SIZE',
    'The size of a transaction is not limited.',
    { withinTransactionSize: () => () => undefined },
  ],
  [
    'transaction-size-not-limited-to-an-address',
    'LIMIT-TRANSACTION-SIZE',
    'The size of a transaction to a UMA address is not limited.',
    {
      withinTransactionSize: (original) => (world, payment) =>
        isToAddress(payment) ? undefined : original(world, payment),
    },
  ],
  [
    'daily-volume-not-limited-to-an-address',
    'LIMIT-DAILY-VOLUME',
    'A payment to a UMA address may go beyond the daily volume.',
    {
      withinDailyVolume: (original) => (world, payment) =>
        isToAddress(payment) ? undefined : original(world, payment),
    },
  ],
  [
    'transaction-size-answers-403',
    'LIMIT-TRANSACTION-SIZE',
    'A too large transaction answers 403.',
    { refuseTransactionSize: () => (world) => world.behaviour.refuseForbidden('Too large.') },
  ],
  [
    'transaction-size-called-out-of-range',
    'LIMIT-TRANSACTION-SIZE',
    'A too large transaction has the code AMOUNT_OUT_OF_RANGE.',
    { refuseTransactionSize: () => () => new Refusal(400, 'AMOUNT_OUT_OF_RANGE', 'Too large.') },
  ],
  [
    'transaction-size-itself-refused',
    'LIMIT-TRANSACTION-SIZE-EQUAL',
    'A transaction of exactly the maximum is refused.',
    {
      withinTransactionSize: (original) => (world, payment) =>
        payment.totalSendingAmount === traitsOf(world, payment.customerId).limits.transactionSize
          ? refuse(world.behaviour.refuseTransactionSize(payment.totalSendingAmount))
          : original(world, payment),
    },
  ],
  [
    'daily-volume-not-limited',
    'LIMIT-DAILY-VOLUME',
    'The daily volume is not limited.',
    { withinDailyVolume: () => () => undefined },
  ],
  [
    'daily-volume-answers-400',
    'LIMIT-DAILY-VOLUME',
    'A payment beyond the daily volume answers 400.',
    { refuseDailyVolume: () => () => new Refusal(400, 'AMOUNT_OUT_OF_RANGE', 'Too much today.') },
  ],
  [
    'daily-volume-called-rate-limited',
    'LIMIT-DAILY-VOLUME',
    'A payment beyond the daily volume has the code RATE_LIMITED.',
    { refuseDailyVolume: () => () => new Refusal(429, 'RATE_LIMITED', 'Too much today.') },
  ],
  [
    'daily-volume-half',
    'LIMIT-DAILY-VOLUME-BELOW',
    'Half of the daily volume is all there is.',
    {
      withinDailyVolume: (original) => (world, payment) =>
        original(world, { ...payment, totalSendingAmount: payment.totalSendingAmount * 2n }),
    },
  ],
  [
    'refused-payment-fills-the-day',
    'LIMIT-DAILY-VOLUME-BELOW',
    'A payment that is refused counts towards the daily volume.',
    countingRefused(),
  ],
  [
    'velocity-not-limited',
    'LIMIT-VELOCITY',
    'Payments to a counterparty are not counted.',
    { withinVelocity: () => () => undefined },
  ],
  [
    'velocity-answers-429',
    'LIMIT-VELOCITY',
    'A counterparty with too many payments answers 429.',
    { refuseVelocity: () => () => new Refusal(429, 'VELOCITY_LIMIT_EXCEEDED', 'Too many.') },
  ],
  [
    'velocity-called-forbidden',
    'LIMIT-VELOCITY',
    'A counterparty with too many payments has the code FORBIDDEN.',
    { refuseVelocity: () => (world) => world.behaviour.refuseForbidden('Too many.') },
  ],
  [
    'velocity-from-the-first-payment',
    'LIMIT-VELOCITY-BELOW',
    'Where velocity is limited, every payment is too many.',
    {
      withinVelocity: () => (world, payment) =>
        traitsOf(world, payment.customerId).limits.velocity === undefined
          ? undefined
          : refuse(world.behaviour.refuseVelocity()),
    },
  ],
  [
    'velocity-of-all-counterparties-together',
    'LIMIT-VELOCITY-BELOW',
    'Payments to whatever counterparty count towards the velocity of each.',
    {
      withinVelocity:
        () =>
        (world, { customerId }) => {
          const { velocity } = traitsOf(world, customerId).limits;
          if (velocity !== undefined && world.behaviour.executedToday(customerId).length >= velocity)
            throw world.behaviour.refuseVelocity();
        },
    },
  ],
  [
    'pending-account-takes-nothing',
    'ACCOUNT-PENDING-USABLE',
    'A pending account takes no payment at all.',
    { ownershipNeeded: () => () => true },
  ],
  [
    'ownership-never-needed',
    'ACCOUNT-VERIFICATION-REQUIRED',
    'Payments never need a verified destination.',
    { ownershipNeeded: () => () => false },
  ],
  [
    'failed-verification-is-enough',
    'ACCOUNT-VERIFICATION-REQUIRED',
    'An account whose verification failed takes payments of any size.',
    {
      ownershipNeeded: (original) => (world, status, payment) =>
        status !== 'UNVERIFIED' && original(world, status, payment),
    },
  ],
  [
    'unverified-destination-answers-403',
    'ACCOUNT-VERIFICATION-REQUIRED',
    'A payment that needs a verified destination answers 403.',
    { refuseUnverified: () => (world) => world.behaviour.refuseForbidden('Verify first.') },
  ],
  [
    'unverified-destination-called-input',
    'ACCOUNT-VERIFICATION-REQUIRED',
    'A payment that needs a verified destination has the code INVALID_INPUT.',
    { refuseUnverified: () => () => new Refusal(400, 'INVALID_INPUT', 'Verify first.') },
  ],
  [
    'verified-account-asked-again',
    'ACCOUNT-VERIFIED-USABLE',
    'A verified account takes no more than a pending one.',
    {
      ownershipSuffices: () => (world, payment) =>
        externalAccounts.get(world, String(payment.destination['accountId'])) &&
        world.behaviour.ownershipNeeded('ACTIVE', payment)
          ? refuse(world.behaviour.refuseUnverified())
          : undefined,
    },
  ],
]);

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

function isToAddress({ destination }: Payment): boolean {
  return destination['destinationType'] === 'UMA_ADDRESS';
}
