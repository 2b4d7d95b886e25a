import { expect, test } from '@playwright/test';
import { AMOUNT_RULE, conventionsOf, ID_RULE } from '../../suite/conventions.ts';

const UUID = '01234567-89ab-4def-8123-456789abcdef';

/** Bodies, the conventions that they show, and the places where they break one. */
const CASES: readonly (readonly [
  what: string,
  body: unknown,
  seen: readonly string[],
  broken: readonly string[],
])[] = [
  ['an id as it should be', { id: `Customer:${UUID}` }, [ID_RULE], []],
  ['an id in capitals', { id: `Customer:${UUID.toUpperCase()}` }, [ID_RULE], []],
  ['a number for a uuid', { data: [{ accountId: 'InternalAccount:7' }] }, [ID_RULE], ['/data/0/accountId']],
  ['an id of a record that the interface does not have', { id: 'Card:7' }, [], []],
  ["the platform's own id", { platformCustomerId: 'Customer:7' }, [], []],
  ['a text that is no id', { note: 'Customer:7' }, [], []],
  ['an id without its type', { id: '7' }, [], []],
  ['a whole amount', { balance: { amount: 100, currency: 'USD' } }, [AMOUNT_RULE], []],
  ['a fraction', { balance: { amount: 1.5, currency: 'USD' } }, [AMOUNT_RULE], ['/balance/amount']],
  ['a fraction as text', { balance: { amount: '1.00', currency: {} } }, [AMOUNT_RULE], ['/balance/amount']],
  ['a whole amount as text', { balance: { amount: '100', currency: 'USD' } }, [], []],
  ['a fraction of nothing that is money', { amount: 1.5, unit: 'kg' }, [], []],
];

for (const [what, body, seen, broken] of CASES)
  test(`${what}: ${broken.length > 0 ? 'a breach' : seen.length > 0 ? 'kept' : 'nothing to hold'}`, () => {
    const found = conventionsOf(body);
    expect([...found.seen]).toEqual(seen);
    expect(found.breaches.map(({ pointer }) => pointer)).toEqual(broken);
  });
