import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../server/json.ts';
import { held, outside } from '../../world/ledger.ts';
import { mintId, newRecord, type World } from '../../world/world.ts';
import {
  addInternalAccount,
  balanceOf,
  bookOf,
  internalAccounts,
  presentMoney,
} from '../accounts/records.ts';
import type { Customer } from '../customers/records.ts';
import { setTransactionStatus, type Transaction, transactions } from '../transfers/records.ts';
import { type Refund, REFUND_LIFE, refunds } from './records.ts';
import { changeStatus } from '../../world/table.ts';

/** What the payments of beginRefund are worth: 25 US dollars. */
const AMOUNT = 2_500n;

/** Between which ledger accounts the money of a refund goes, and where it goes when it cannot be given back. */
interface Way {
  readonly from: string;
  readonly to: string;
  readonly otherwise?: string;
}

/** A payment that failed after its debit is given back at once. */
export function giveBack(world: World, payment: Transaction, way: Way): void {
  moveRefund(world, openRefund(world, payment, 'OUTGOING', way), 'COMPLETED');
}

/** Somebody outside pays to a customer's account. @param amount smallest unit of the account's currency, greater than zero */
export function receivePayment(
  world: World,
  customer: Customer,
  account = dollarsOf(world, customer),
  amount = AMOUNT,
): Transaction {
  const payer = { sourceType: 'ACCOUNT', accountId: mintId(world, 'ExternalAccount') };
  const receiver = { destinationType: 'ACCOUNT', accountId: account.id };
  const money = { amount, currency: account.currency };
  const payment = addPayment(world, customer, 'INCOMING', payer, receiver, money);
  setTransactionStatus(world, payment, 'PROCESSING');
  const { currency, id: reason } = payment;
  world.ledger.post({ from: outside(payment.counterparty), to: account.id, amount, currency, reason });
  setTransactionStatus(world, payment, 'COMPLETED');
  return payment;
}

/** Begins a refund, pending: the money waits. @throws Refusal when it is no longer there */
function openRefund(
  world: World,
  payment: Transaction,
  direction: Refund['direction'],
  { from, to, otherwise = outside('unreturned') }: Way,
): Refund {
  const id = mintId(world, 'Refund');
  const now = world.clock.now(payment.customerId);
  const { amount, currency } = payment;
  world.ledger.post({ from, to: held(id), amount, currency, reason: id });
  payment.refundId = id;
  const refund = refunds.put(world, id, {
    id,
    direction,
    customerId: payment.customerId,
    transactionId: payment.id,
    reference: randomUUID().slice(0, 8).toUpperCase(),
    status: 'PENDING',
    amount,
    currency,
    to,
    otherwise,
    initiatedAt: now,
    updatedAt: now,
  });
  world.behaviour.tellRefund(refund);
  return refund;
}

/** What came in goes back to whoever sent it, if it is still there. @throws Refusal */
function refundIncoming(world: World, payment: Transaction): Refund {
  const from = String(payment.destination['accountId']);
  const account = internalAccounts.get(world, from)!;
  if (!world.behaviour.fundsSuffice(account, payment.amount)) throw world.behaviour.refuseInsufficientFunds();
  return openRefund(world, payment, 'INCOMING', {
    from,
    to: bookOf(payment.counterparty),
    otherwise: from,
  });
}

/** The bank of a receiver sends a payment back. */
function refundReturned(world: World, customer: Customer): Refund {
  const account = dollarsOf(world, customer);
  if (balanceOf(world, account) < AMOUNT) world.behaviour.fundAccount(account, AMOUNT);
  const receiver = { destinationType: 'ACCOUNT', accountId: mintId(world, 'ExternalAccount') };
  const payment = addPayment(
    world,
    customer,
    'OUTGOING',
    { sourceType: 'ACCOUNT', accountId: account.id },
    receiver,
  );
  const { amount, currency, id: reason } = payment;
  setTransactionStatus(world, payment, 'PROCESSING');
  world.ledger.post({ from: account.id, to: held(reason), amount, currency, reason });
  payment.failureReason = 'PAYOUT_RETURNED';
  setTransactionStatus(world, payment, 'FAILED');
  return openRefund(world, payment, 'OUTGOING', { from: held(reason), to: account.id });
}

function addPayment(
  world: World,
  customer: Customer,
  type: 'INCOMING' | 'OUTGOING',
  source: JsonObject,
  destination: JsonObject,
  money = { amount: AMOUNT, currency: 'USD' },
): Transaction {
  const born = newRecord(world, 'Transaction', customer.id);
  return transactions.put(world, born.id, {
    ...born,
    type,
    status: 'PENDING',
    customerId: customer.id,
    platformId: customer.platformId,
    ...money,
    source,
    destination,
    counterparty: String((type === 'INCOMING' ? source : destination)['accountId']),
  });
}

function dollarsOf(world: World, customer: Customer) {
  const mine = internalAccounts
    .all(world)
    .find(
      ({ customerId, currency, type }) =>
        customerId === customer.id && currency === 'USD' && type !== 'EMBEDDED_WALLET',
    );
  return mine ?? addInternalAccount(world, customer, 'USD');
}

/** The fields of refunds are not shown. The amount in the smallest unit of the currency beside it. */
export function presentRefund(world: World, refund: Refund): JsonObject {
  const { id, reference, status } = refund;
  const amount = presentMoney(world, refund.amount, refund.currency);
  return { id, reference, status, amount, initiatedAt: world.behaviour.presentTime(refund.initiatedAt) };
}

/** A payment of a customer comes to be refunded: one that came in, or one that went out and was returned. */
export function beginRefund(world: World, customer: Customer, direction: Refund['direction']): Refund {
  return direction === 'INCOMING'
    ? refundIncoming(world, receivePayment(world, customer))
    : refundReturned(world, customer);
}

/** Moves a refund, and with it its money. @throws IllegalMove */
export function moveRefund(world: World, refund: Refund, to: Refund['status']): void {
  if (refund.status === to) return;
  changeStatus(world, REFUND_LIFE, refund, to);
  const { id, amount, currency } = refund;
  const receiver = to === 'COMPLETED' ? refund.to : refund.otherwise;
  world.ledger.post({ from: held(id), to: receiver, amount, currency, reason: id });
  refund.updatedAt = world.clock.now(refund.customerId);
  world.behaviour.tellRefund(refund);
}
