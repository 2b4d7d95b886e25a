import { expect, test } from '@playwright/test';
import { MissingPathValue, toRequest } from '../../client/call.ts';
import type { Operation } from '../../schemas/contract.ts';

const BASE = 'http://host/2025-10-13';
const operation: Operation = {
  id: 'op',
  method: 'POST',
  path: '/agents/{agentId}/actions/{actionId}/approve',
  answers: new Map(),
  mayReturn: [],
  mayList: [],
  factsOnly: false,
};
const PATH = { agentId: 'Agent:1', actionId: 'AgentAction:2' };

test('ids keep their colon, other characters are encoded', () => {
  const { url, method } = toRequest(BASE, operation, {
    operation: 'op',
    label: 'x',
    path: { ...PATH, agentId: 'Agent:1/../?' },
  });
  expect(method).toBe('POST');
  expect(url).toBe(`${BASE}/agents/Agent:1%2F..%2F%3F/actions/AgentAction:2/approve`);
});

test('a query keeps its colons', () => {
  const { url } = toRequest(BASE, undefined, {
    operation: { method: 'GET', path: '/x' },
    label: 'x',
    query: { accountId: 'InternalAccount:1', a: 'b c' },
  });
  expect(url).toBe(`${BASE}/x?accountId=InternalAccount:1&a=b+c`);
});

test('a value of the path that an answer should have carried is missed by name', () => {
  const call = {
    operation: 'op',
    label: 'x',
    path: { agentId: 'Agent:1', actionId: undefined as unknown as string },
  };
  expect(() => toRequest(BASE, operation, call)).toThrow(MissingPathValue);
  expect(() => toRequest(BASE, operation, call)).toThrow('there is no actionId');
});

test('bodies: big integers are exact, raw text wins, no body sends no content type', () => {
  const make = (parts: object) =>
    toRequest(BASE, operation, { operation: 'op', label: 'x', path: PATH, ...parts });
  expect(make({ body: { amount: 9223372036854775807n } }).body).toBe('{"amount":9223372036854775807}');
  expect(make({ body: { a: 1 }, raw: '{"a":' }).body).toBe('{"a":');
  expect(make({}).headers).toEqual({ accept: 'application/json' });
});

test('headers can be changed and taken away', () => {
  const { headers } = toRequest(BASE, operation, {
    operation: 'op',
    label: 'x',
    path: PATH,
    body: {},
    authorization: 'Basic x',
    headers: { 'Content-Type': undefined, 'Idempotency-Key': 'k' },
  });
  expect(headers).toEqual({ accept: 'application/json', authorization: 'Basic x', 'idempotency-key': 'k' });
});
