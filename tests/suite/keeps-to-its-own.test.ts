import { expect, test } from '@playwright/test';
import type { RecordedExchange } from '../../journal/types.ts';
import { keepsToItsOwn } from '../../suite/run/keeps-to-its-own.ts';

const uuid = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;
const CUSTOMER = `Customer:${uuid(1)}`;
const [ACCOUNT, WALLET] = [`InternalAccount:${uuid(2)}`, `InternalAccount:${uuid(3)}`];

function sent(method: string, path: string, more: { body?: object; status?: number; label?: string } = {}) {
  const { body, status = 200, label = 'a request' } = more;
  return {
    label,
    request: { method, url: `https://x.test/v1${path}`, ...(body ? { body: JSON.stringify(body) } : {}) },
    ...(status === 0 ? {} : { response: { status } }),
  } as RecordedExchange;
}

for (const [what, exchange, keeps] of [
  ['its account in a body', sent('POST', '/quotes', { body: { source: { accountId: ACCOUNT } } }), true],
  ['its account in another letter case', sent('PATCH', `/x/${ACCOUNT.toUpperCase()}`), true],
  ['another account', sent('POST', '/quotes', { body: { source: { accountId: WALLET } } }), false],
  ['its customer in the path', sent('PATCH', `/customers/${encodeURIComponent(CUSTOMER)}`), false],
  ['its customer in the body', sent('POST', '/x', { body: { customerId: CUSTOMER } }), false],
  ['its customer, without an answer', sent('PATCH', `/customers/${CUSTOMER}`, { status: 0 }), false],
  ['its customer, with an error', sent('PATCH', `/customers/${CUSTOMER}`, { status: 500 }), false],
  ['its customer, refused', sent('PATCH', `/customers/${CUSTOMER}`, { status: 422 }), true],
  ['its customer, read', sent('GET', `/customers/${CUSTOMER}`), true],
  [
    'its customer, while it is prepared',
    sent('POST', '/agents', { body: { customerId: CUSTOMER }, label: 'preparing: creating an agent' }),
    true,
  ],
] as const)
  test(`${what}: ${keeps ? 'the rest is' : 'nothing counts'} as it was made`, () =>
    expect(keepsToItsOwn([exchange], [{ customerId: CUSTOMER, sourceAccountId: ACCOUNT }])).toBe(keeps));
