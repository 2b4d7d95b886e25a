import type { Replacements } from '../../areas/behaviour.ts';
import type { Quote } from '../../areas/quotes/records.ts';
import { sourceAccountId } from '../../areas/quotes/records.ts';
import { fault } from '../fault.ts';

/** Marks a price, and with it the quote, whose amount received is locked. */
const RECEIVED = Symbol('the amount received is locked');

const isMarked = (payment: object): boolean => RECEIVED in payment;

const marked: Replacements = {
  priceTransfer: (original) => (world, parties, wanted) => {
    const price = original(world, parties, wanted);
    return wanted.side === 'RECEIVING' ? Object.assign(price, { [RECEIVED]: true }) : price;
  },
};

/** What is forgotten of quotes that lock the amount received. */
export const receivedSideFaults = [
  fault('fees-on-top-where-the-amount-received-is-locked', 'QUOTE-DEBIT-IS-TOTAL', {
    ...marked,
    settleQuote: (original) => (world, quote: Quote) => {
      original(world, quote);
      const from = sourceAccountId(quote);
      if (!isMarked(quote) || quote.status !== 'COMPLETED' || from === undefined) return;
      const { feesIncluded: amount, sendingCurrency: currency, id: reason } = quote;
      world.ledger.post({ from, to: 'outside:exchange', amount, currency, reason });
    },
  }),
  fault('size-not-limited-where-the-amount-received-is-locked', 'LIMIT-TRANSACTION-SIZE', {
    ...marked,
    withinTransactionSize: (original) => (world, payment) =>
      isMarked(payment) ? undefined : original(world, payment),
  }),
  fault('ownership-not-needed-where-the-amount-received-is-locked', 'ACCOUNT-VERIFICATION-REQUIRED', {
    ...marked,
    ownershipNeeded: (original) => (world, status, payment) =>
      !isMarked(payment) && original(world, status, payment),
  }),
];
