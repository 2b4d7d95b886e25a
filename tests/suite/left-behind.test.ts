import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Platform } from '../../suite/api/platform.ts';
import { writeLeftBehind } from '../../reports/folder/left-behind.ts';
import { LeftBehind, cleanUp } from '../../suite/run/left-behind.ts';
import { profileOf } from '../doctor/profile-of.ts';
import { scratch } from '../support/run-assay.ts';

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

test('a removal that failed, or waits for its signature, leaves the record', () => {
  const left = new LeftBehind();
  left.note(exchange('POST', '/agents', 201, { id: id('Agent') }));
  for (const status of [404, 500, 202]) left.note(exchange('DELETE', `/agents/${id('Agent')}`, status));
  expect(left.ids).toEqual([id('Agent')]);
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

test('agents are removed by their documented call, and the rest where the profile says how', async () => {
  const left = new LeftBehind();
  for (const type of ['Customer', 'ExternalAccount', 'Agent'])
    left.note(exchange('POST', '/x', 201, { id: id(type) }));
  const called: unknown[] = [];
  const platform = {
    call: (operation: { path: string }) => {
      called.push(operation);
      return Promise.resolve({ accepted: !operation.path.includes('Customer') });
    },
  } as unknown as Platform;
  const { cleanUp: usual } = profileOf('http://localhost/2025-10-13', 'public-calls');
  await cleanUp(platform, left, { ...usual, Customer: 'POST /customers/{id}/close' });
  expect(called).toEqual([
    { method: 'DELETE', path: `/agents/${id('Agent')}` },
    { method: 'POST', path: `/customers/${id('Customer')}/close` },
  ]);
  // What was refused is still there, and what nobody can remove.
  expect(left.ids).toEqual([id('ExternalAccount'), id('Customer')]);
});
