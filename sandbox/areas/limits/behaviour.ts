import type { Passes } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { externalAccounts } from '../accounts/records.ts';
import { traitsOf } from '../customers/records.ts';
import { counterpartyOf } from '../quotes/records.ts';
import { type Payment, type Transaction, transactions } from '../transfers/records.ts';

/** Limits are looked at when a quote is made… Where is not shown. */
export function limitsAtQuote(world: World, payment: Payment): Passes {
  world.behaviour.withinLimits(payment);
}

/** …or a transfer is submitted, which goes straight to withinLimits, and again when it is executed, for the day may have gone on. */
export function limitsAtExecution(world: World, payment: Payment): Passes {
  world.behaviour.withinLimits(payment);
}

/** Which of several exceeded limits is told is not shown: the first in this order. @throws Refusal */
export function withinLimits(world: World, payment: Payment): Passes {
  const { behaviour } = world;
  behaviour.withinTransactionSize(payment);
  behaviour.ownershipSuffices(payment);
  behaviour.withinVelocity(payment);
  behaviour.withinDailyVolume(payment);
}

/** Exactly the configured maximum is allowed. */
export function withinTransactionSize(world: World, payment: Payment): Passes {
  const { transactionSize } = traitsOf(world, payment.customerId).limits;
  if (transactionSize === undefined || payment.totalSendingAmount <= transactionSize) return;
  throw world.behaviour.refuseTransactionSize(transactionSize);
}

/** The day's sum, this payment included, must not go beyond the volume. */
export function withinDailyVolume(world: World, payment: Payment): Passes {
  const { dailyVolume } = traitsOf(world, payment.customerId).limits;
  if (dailyVolume === undefined) return;
  let sum = payment.totalSendingAmount;
  for (const { amount, currency } of world.behaviour.executedToday(payment.customerId))
    sum += world.behaviour.worthIn(amount, currency, payment.sendingCurrency);
  if (sum > dailyVolume) throw world.behaviour.refuseDailyVolume();
}

/** A counterparty takes so many payments a day. */
export function withinVelocity(world: World, payment: Payment): Passes {
  const { velocity } = traitsOf(world, payment.customerId).limits;
  if (velocity === undefined) return;
  const earlier = world.behaviour
    .executedToday(payment.customerId)
    .filter(({ counterparty }) => counterparty === counterpartyOf(payment));
  if (earlier.length >= velocity) throw world.behaviour.refuseVelocity();
}

/** Payments of a customer, by whatever way in, whose execution began in the last 24 hours and did not fail. */
export function executedToday(world: World, customerId: string): readonly Transaction[] {
  const since = world.clock.now(customerId) - 24 * 3_600_000;
  return transactions
    .all(world)
    .filter(
      (one) => one.customerId === customerId && one.status !== 'FAILED' && (one.executedAt ?? 0) > since,
    );
}

/** Above the regulatory threshold the destination must be ACTIVE. */
export function ownershipSuffices(world: World, payment: Payment): Passes {
  const account = externalAccounts.get(world, counterpartyOf(payment));
  if (payment.isPaidOut === false) return;
  if (!account || account.status === 'ACTIVE') return;
  if (!world.behaviour.ownershipNeeded(account.status, payment)) return;
  throw world.behaviour.refuseUnverified();
}

/**
 * interface.md > External account status: a pending account is still usable below regulatory thresholds, which are not
 * shown. Nor is what an UNVERIFIED one may receive: here as much as a pending one. The threshold, in the smallest unit of
 * the sending currency, is itself too much.
 */
export function ownershipNeeded(world: World, _status: string, payment: Payment): boolean {
  return payment.totalSendingAmount >= traitsOf(world, payment.customerId).limits.ownershipThreshold;
}
