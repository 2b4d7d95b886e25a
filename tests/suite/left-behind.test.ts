import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { writeLeftBehind } from '../../reports/folder/left-behind.ts';
import { LeftBehind } from '../../suite/run/left-behind.ts';
import { scratch } from '../support/run-assay.ts';
import type { RecordedExchange } from '../../journal/types.ts';
import { keepsToItsOwn } from '../../suite/run/keeps-to-its-own.ts';

const id = (type: string, last = 1) => `${type}:01234567-89ab-4def-8123-00000000000${last}`;

function exchange(method: string, path: string, status: number, body?: object, sent?: object) {
  return {
    at: 0,
    milliseconds: 1,
    request: {
      method,
      url: `http://localhost/2025-10-13${path}`,
      headers: {},
      ...(sent ? { body: JSON.stringify(sent) } : {}),
    },
    response: { status, headers: {}, text: body ? JSON.stringify(body) : '' },
  };
}

test('what was made and not removed is left, newest first', () => {
  const left = new LeftBehind();
  left.note(exchange('POST', '/customers', 201, { id: id('Customer') }));
  left.note(exchange('POST', '/agents', 201, { agent: { id: id('Agent') }, deviceCode: 'x' }));
  left.note(exchange('POST', '/agents', 201, { agent: { id: id('Agent', 2) } }));
  left.note(exchange('DELETE', `/agents/${id('Agent')}`, 204));
  expect(left.ids).toEqual([id('Agent', 2), id('Customer')]);
  left.forget(id('Customer'));
  expect(left.ids).toEqual([id('Agent', 2)]);
});

/** Exchanges that leave nothing new. */
const NOTHING: readonly (readonly [what: string, exchange: ReturnType<typeof exchange>])[] = [
  ['a refusal', exchange('POST', '/customers', 400, { id: id('Customer') })],
  ['a read', exchange('GET', '/customers', 200, { id: id('Customer') })],
  ['a call that awaits its signature', exchange('POST', '/auth/credentials', 202, { id: id('AuthMethod') })],
  ['a quote, which is history', exchange('POST', '/quotes', 201, { id: id('Quote') })],
  ['an action on what was there', exchange('POST', `/agents/${id('Agent')}/pause`, 200, { id: id('Agent') })],
  [
    'an answer that repeats what was sent',
    exchange('POST', '/x', 201, { customer: { id: id('Customer') } }, { customerId: id('Customer') }),
  ],
  ['no JSON', { ...exchange('POST', '/x', 201), response: { status: 201, headers: {}, text: '<' } }],
];

for (const [what, one] of NOTHING)
  test(`${what} leaves nothing`, () => {
    const left = new LeftBehind();
    left.note(one);
    expect(left.ids).toEqual([]);
  });

test('the list holds what the tests of all parts have left, also of a part that was killed', () => {
  const folder = scratch('left');
  const [soFar, file] = [join(folder, 'left-behind.ndjson'), join(folder, 'left-behind.json')];
  expect(writeLeftBehind(folder)).toBeUndefined();
  const part = (last: number) => {
    const left = new LeftBehind(soFar);
    left.note(exchange('POST', '/customers', 201, { id: id('Customer', last) }));
    left.note(exchange('POST', '/agents', 201, { agent: { id: id('Agent', last) } }));
    left.note(exchange('DELETE', `/agents/${id('Agent', last)}`, 204));
  };
  part(1);
  appendFileSync(soFar, '\n{"run":"killed while it wr');
  part(2);
  const told = `Left on the target: 2 Customer; their ids are in ${file}.`;
  expect(writeLeftBehind(folder, true)).toBe(told);
  expect(writeLeftBehind(folder)).toBe(told);
  expect(existsSync(soFar)).toBe(false);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    runs: [expect.stringMatching(/^[0-9a-f]{8}$/)],
    records: { Customer: [id('Customer', 1), id('Customer', 2)] },
  });
});

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
