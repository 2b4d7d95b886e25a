import { randomInt } from 'node:crypto';
import type { Passes } from '../../server/refusal.ts';
import { held, outside } from '../../world/ledger.ts';
import { mintId, newRecord, type World } from '../../world/world.ts';
import { addInternalAccount, type InternalAccount, internalAccounts } from '../accounts/records.ts';
import type { Customer } from '../customers/records.ts';
import {
  type Card,
  CARD_LIFE,
  cards,
  type CardStep,
  type CardTransaction,
  cardTransactions,
} from './records.ts';
import { changeStatus } from '../../world/table.ts';

/** Puts a new card on record. */
export function addCard(world: World, customer: Customer): Card {
  const id = mintId(world, 'Card');
  const last4 = String(randomInt(10_000)).padStart(4, '0');
  return cards.put(world, id, {
    id,
    customerId: customer.id,
    accountId: cardAccount(world, customer).id,
    last4,
    createdAt: world.clock.now(customer.id),
  });
}

/** The account that a card pays from: one that needs no session for it, in US dollars where there is one. */
function cardAccount(world: World, customer: Customer): InternalAccount {
  const mine = internalAccounts
    .all(world)
    .filter((account) => account.customerId === customer.id && !world.behaviour.paymentNeedsSession(account));
  return (
    mine.find(({ currency }) => currency === 'USD') ?? mine[0] ?? addInternalAccount(world, customer, 'USD')
  );
}

/** Holds the amount. @param amount smallest unit of the currency of the card's account @throws Refusal */
export function authorizeCard(world: World, card: Card, amount: bigint): CardTransaction {
  const account = internalAccounts.get(world, card.accountId)!;
  if (!world.behaviour.fundsSuffice(account, amount)) throw world.behaviour.refuseInsufficientFunds();
  const born = newRecord(world, 'Transaction', card.customerId);
  const { id } = born;
  world.ledger.post({ from: account.id, to: held(id), amount, currency: account.currency, reason: id });
  const transaction: CardTransaction = {
    ...born,
    cardId: card.id,
    customerId: card.customerId,
    accountId: account.id,
    status: 'AUTHORIZED',
    amount,
    settled: 0n,
    currency: account.currency,
  };
  cardTransactions.put(world, id, transaction);
  world.behaviour.tellCardChange(transaction);
  return transaction;
}

/** What cannot come next is refused. */
export function cardMayMove(world: World, transaction: CardTransaction, to: CardStep): Passes {
  if (world.behaviour.legalMove(CARD_LIFE, transaction.status, to)) return;
  throw world.behaviour.refuseConflict(
    `The card transaction is ${transaction.status} and cannot become ${to}.`,
  );
}

/** Moves a card transaction, and with it its money. @throws IllegalMove */
export function moveCardTransaction(world: World, transaction: CardTransaction, to: CardStep): void {
  changeStatus(world, CARD_LIFE, transaction, to);
  bookCardStep(world, transaction, to);
  transaction.updatedAt = world.clock.now(transaction.customerId);
  world.behaviour.tellCardChange(transaction);
}

/** A part settles, or the rest; a refund gives back what settled; and what was only held is let go. */
function bookCardStep(world: World, transaction: CardTransaction, to: CardStep): void {
  const { id: reason, amount: whole, settled, currency, accountId } = transaction;
  const shop = outside('card-network');
  const waiting = whole - settled;
  const post = (from: string, receiver: string, amount: bigint) =>
    world.ledger.post({ from, to: receiver, amount, currency, reason });
  if (to === 'PARTIALLY_SETTLED' || to === 'SETTLED') {
    const part = to === 'SETTLED' ? waiting : waiting / 2n;
    post(held(reason), shop, part);
    transaction.settled += part;
    return;
  }
  post(held(reason), accountId, waiting);
  if (to === 'REFUNDED') post(shop, accountId, settled);
}
