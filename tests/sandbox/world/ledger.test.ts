import { expect, test } from '@playwright/test';
import { BadPosting, Ledger, outside } from '../../../sandbox/world/ledger.ts';

const usd = (from: string, to: string, amount: bigint) => ({
  from,
  to,
  amount,
  currency: 'USD',
  reason: 'r',
});

test('no account goes below zero, and of postings that belong together none is booked when one cannot be', () => {
  const ledger = new Ledger();
  ledger.post(usd(outside('bank'), 'a', 10n));
  expect(() => ledger.post(usd('a', 'b', 4n), usd('a', 'c', 7n))).toThrow(BadPosting);
  expect(() => ledger.post(usd('a', 'b', -1n))).toThrow(BadPosting);
  expect(ledger.balance('a', 'USD')).toBe(10n);
  expect(ledger.postings).toHaveLength(1);
  ledger.post(usd('a', 'b', 10n), usd('b', 'c', 10n));
  expect(['a', 'b', 'c'].map((account) => ledger.balance(account, 'USD'))).toEqual([0n, 0n, 10n]);
});
