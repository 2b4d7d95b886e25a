import { expect, test } from '@playwright/test';
import { amountBeyond } from '../../../target/safety/amounts.ts';

/** Bodies of requests, with the amount above 100 that each names. */
const BODIES: readonly (readonly [what: string, body: unknown, beyond: number | bigint | undefined])[] = [
  ['the bound itself', { amount: 100 }, undefined],
  ['more than it', { amount: 101 }, 101],
  ['a bigint', { amount: 10n ** 20n }, 10n ** 20n],
  ['an amount that is a text', { amount: '250' }, 250],
  ['a locked amount of a quote', { source: {}, lockedCurrencyAmount: 5_000 }, 5_000],
  ['an amount within a list', { payments: [{ amount: 1 }, { amount: 300 }] }, 300],
  ['an exact text', '{"amount":9007199254740993}', 9007199254740992],
  ['a text that is no JSON', '{"amount":', undefined],
  ['another number', { decimals: 400, amount: null }, undefined],
  ['nothing', undefined, undefined],
];

for (const [what, body, beyond] of BODIES)
  test(what, () => {
    expect(amountBeyond(body, 100)).toBe(beyond);
    expect(amountBeyond(body, undefined)).toBeUndefined();
  });
