import type { Replacements } from '../../areas/behaviour.ts';
import { giving } from '../../areas/replacements.ts';

const RECEIVED = Symbol('the amount received is locked');

/** Marks a price, and with it the quote, whose amount received is locked: for faults of these alone. */
export const receivedLockedIsMarked: Replacements = {
  priceTransfer: giving((price, _world, _parties, { side }) =>
    side === 'RECEIVING' ? Object.assign(price, { [RECEIVED]: true }) : price,
  ),
};

/** Whether a quote, or a payment made from it, locks the amount received. Needs the mark. */
export const isReceivedLocked = (payment: object): boolean => RECEIVED in payment;
