import assert from 'node:assert/strict';
import { internalAccounts } from '../../../../sandbox/areas/accounts/records.ts';
import { refunds } from '../../../../sandbox/areas/events/records.ts';
import { cardTransactions } from '../../../../sandbox/areas/platform/records.ts';
import { type Quote, quotes } from '../../../../sandbox/areas/quotes/records.ts';
import { actions, type AgentAction, transactions } from '../../../../sandbox/areas/transfers/records.ts';
import type { World } from '../../../../sandbox/world/world.ts';
import type { Scene, Values } from './scene.ts';

/** What must be true of all records and all money after every step. @throws AssertionError */
export async function audit(scene: Scene): Promise<void> {
  const { world } = scene.client;
  booksHold(world);
  recordsAgree(world);
  withinLimits(scene);
  await balancesExplained(scene);
}

/** Nothing is below zero, each currency sums to zero, and what is held is what is under way. */
function booksHold(world: World): void {
  const sums = new Map<string, bigint>();
  const waiting = new Map<string, bigint>();
  for (const { account, currency, balance } of world.ledger.accounts) {
    sums.set(currency, (sums.get(currency) ?? 0n) + balance);
    if (!account.startsWith('outside:')) assert.ok(balance >= 0n, `${account} holds ${balance} ${currency}`);
    if (account.startsWith('hold:') && balance !== 0n) waiting.set(account.slice(5), balance);
  }
  for (const [currency, sum] of sums) assert.equal(sum, 0n, currency);
  const expected = new Map<string, bigint>();
  for (const quote of quotes.all(world))
    if (quote.status === 'PROCESSING') expected.set(quote.id, quote.totalSendingAmount);
  for (const action of actions.all(world))
    if (action.transfer && statusOf(world, action.transactionId) === 'PROCESSING')
      expected.set(action.id, action.transfer.amount);
  for (const refund of refunds.all(world))
    if (refund.status === 'PENDING') expected.set(refund.id, refund.amount);
  for (const { id, status, amount, settled } of cardTransactions.all(world))
    if (['AUTHORIZED', 'PARTIALLY_SETTLED'].includes(status) && amount > settled)
      expected.set(id, amount - settled);
  assert.deepEqual(sorted(waiting), sorted(expected), 'what is held is what is under way');
}

const sorted = (map: ReadonlyMap<string, bigint>) => [...map].sort();

function statusOf(world: World, id: string | undefined): string | undefined {
  return id === undefined ? undefined : transactions.get(world, id)?.status;
}

/** A transaction, its quote and its action tell one story. */
function recordsAgree(world: World): void {
  for (const quote of quotes.all(world)) {
    const transaction = transactions.get(world, quote.transactionId)!;
    assert.equal(transaction.status, quote.status === 'EXPIRED' ? 'FAILED' : quote.status, quote.id);
    assert.equal(transaction.failureReason === undefined, transaction.status !== 'FAILED', quote.id);
    assert.equal(transaction.amount, quote.totalSendingAmount);
    const open = ['PENDING', 'PENDING_AUTHORIZATION'].includes(quote.status);
    if (open) assert.ok(world.clock.now(quote.customerId) <= quote.expiresAt + 1_000, `${quote.id} is over`);
    if (open) assert.equal(quote.executedBy, undefined);
    const payers = world.ledger.postings.filter(({ to }) => to === `hold:${quote.id}`);
    assert.equal(payers.length, transaction.executedAt === undefined ? 0 : 1, `${quote.id} is paid once`);
  }
  for (const action of actions.all(world)) actionAgrees(world, action);
}

function actionAgrees(world: World, action: AgentAction): void {
  const { id, status, quoteId } = action;
  const transaction = statusOf(world, action.transactionId);
  if (status === 'PENDING_APPROVAL' || status === 'REJECTED') assert.equal(transaction, undefined, id);
  if (status === 'APPROVED')
    assert.ok(['PROCESSING', 'COMPLETED'].includes(transaction ?? ''), `${id}: ${transaction}`);
  if (status === 'FAILED') assert.ok([undefined, 'FAILED'].includes(transaction), `${id}: ${transaction}`);
  if (quoteId !== undefined && transaction !== undefined)
    assert.equal(quotes.get(world, quoteId)!.executedBy, id, 'one action executes a quote');
}

/** Nobody has spent more in a day than may be. */
function withinLimits({ client: { world }, parties, volumes }: Scene): void {
  for (const [customerId, volume] of volumes) {
    const sum = world.behaviour.executedToday(customerId).reduce((all, { amount }) => all + amount, 0n);
    assert.ok(sum <= volume, `${customerId} has paid ${sum} in a day`);
  }
  for (const { agentId, dailyLimit } of parties) {
    if (agentId === undefined || dailyLimit === undefined) continue;
    const spent = new Map<number, bigint>();
    for (const action of actions.all(world)) {
      if (action.agentId !== agentId || ['REJECTED', 'FAILED'].includes(action.status)) continue;
      const day = Math.floor(action.createdAt / 86_400_000);
      spent.set(day, (spent.get(day) ?? 0n) + spentBy(world, action));
    }
    for (const sum of spent.values()) assert.ok(sum <= dailyLimit, `${agentId} spent ${sum}`);
  }
}

function spentBy(world: World, { transfer, quoteId }: AgentAction): bigint {
  return transfer?.amount ?? quotes.get(world, quoteId!)!.totalSendingAmount;
}

/** What the service shows as a balance is what the records of all payments make of what was put in. */
async function balancesExplained({ client }: Scene): Promise<void> {
  const { world } = client;
  const { body } = await client.platform('GET', '/customers/internal-accounts');
  const shown = new Map((body['data'] as Values[]).map((one) => [one['id'], BigInt(one['balance'].amount)]));
  const expected = new Map(internalAccounts.all(world).map(({ id }) => [id, 0n]));
  const book = (id: unknown, amount: bigint) => {
    const before = expected.get(String(id));
    if (before !== undefined) expected.set(String(id), before + amount);
  };
  for (const { to, amount, reason } of world.ledger.postings) if (reason === 'funding') book(to, amount);
  for (const transaction of transactions.all(world)) {
    const { status, amount, source, destination, type } = transaction;
    const quote = quotes.all(world).find(({ transactionId }) => transactionId === transaction.id);
    const refund = refunds.all(world).find(({ transactionId }) => transactionId === transaction.id);
    if (['PROCESSING', 'COMPLETED'].includes(status)) book(source['accountId'], -amount);
    if (status === 'COMPLETED') book(destination['accountId'], received(quote, amount));
    if (refund && type === 'OUTGOING' && refund.status !== 'COMPLETED') book(source['accountId'], -amount);
    if (refund && type === 'INCOMING' && refund.status !== 'FAILED') book(destination['accountId'], -amount);
  }
  for (const { accountId, status, amount, settled } of cardTransactions.all(world))
    book(accountId, status === 'REFUNDED' ? 0n : status === 'EXCEPTION' ? -settled : -amount);
  for (const [id, balance] of expected) assert.equal(shown.get(id), balance, id);
}

const received = (quote: Quote | undefined, amount: bigint) => quote?.totalReceivingAmount ?? amount;
