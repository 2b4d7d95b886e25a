import { expect, test } from '@playwright/test';
import { MissingPathValue, toRequest } from '../../client/call.ts';
import type { Operation } from '../../schemas/contract.ts';
import { KeyPair } from '../../client/crypto/index.ts';
import {
  retry,
  signedRetry,
  walletHeaders,
  type RetryMeans,
  type RetryOptions,
  type Tampering,
} from '../../client/signed-retry.ts';
import { DIALECT } from '../../target/dialect/keys.ts';
import { judgeStamp } from './crypto/other-side.ts';

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

interface Sent {
  readonly path: string;
  readonly label?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

const CHALLENGE = { payloadToSign: ' {"b": 1, "a": 2}\n', requestId: 'Request:1' };
const key = KeyPair.generate();

/** A service that answers the first call with a challenge and notes what it got. */
function service() {
  const log: Sent[] = [];
  let running = 0;
  let most = 0;
  const means: RetryMeans<Sent, { number: number }> = {
    brand: 'Acme',
    stampForm: DIALECT.stamp.default,
    challengeIn: (answer) => (answer.number === 1 ? CHALLENGE : undefined),
    async send(request) {
      log.push(request);
      const number = log.length;
      most = Math.max(most, (running += 1));
      await Promise.resolve();
      running -= 1;
      return { number };
    },
  };
  return { means, log, atOnce: () => most };
}

const request: Sent = { path: '/thing', label: 'the thing', headers: { 'x-own': 'kept' }, body: '{}' };

async function retried(options: RetryOptions<Sent>): Promise<{ log: Sent[]; atOnce: number; last: Sent }> {
  const { means, log, atOnce } = service();
  await signedRetry(means, request, key, options);
  return { log, atOnce: atOnce(), last: log.at(-1) as Sent };
}

const tampered = (tamper: Tampering<Sent>) => retried({ tamper });

const signature = (sent: Sent): string => sent.headers?.['Acme-Wallet-Signature'] ?? '';

test('repeats the same request with the stamp of the exact payload and the request id', async () => {
  const { means, log } = service();
  const { first, retries, answer, challenge } = await signedRetry(means, request, key);
  expect(log).toHaveLength(2);
  expect(log[0]?.headers).toEqual({ 'x-own': 'kept' });
  expect(log[1]).toMatchObject({
    path: '/thing',
    body: '{}',
    headers: { 'x-own': 'kept', 'Request-Id': 'Request:1' },
  });
  expect(log.map((one) => one.label)).toEqual(['the thing (first call)', 'the thing (signed retry)']);
  expect(judgeStamp(signature(log[1] as Sent), CHALLENGE.payloadToSign, key.compressed)).toBe('valid');
  expect(challenge).toEqual(CHALLENGE);
  expect(first).toEqual({ number: 1 });
  expect(retries).toEqual([answer]);
});

test('makes no retry where the first call gives no challenge', async () => {
  const { means, log } = service();
  const outcome = await signedRetry({ ...means, challengeIn: () => undefined }, request, key);
  expect(log).toHaveLength(1);
  expect(outcome).toEqual({ first: { number: 1 }, challenge: undefined, retries: [], answer: { number: 1 } });
});

test('tampers with the key, the payload, the stamp and the request id', async () => {
  const other = KeyPair.generate();
  expect(
    judgeStamp(signature((await tampered({ key: other })).last), CHALLENGE.payloadToSign, other.compressed),
  ).toBe('valid');
  const trimmed = (await tampered({ payload: (text) => text.trim() })).last;
  expect(judgeStamp(signature(trimmed), CHALLENGE.payloadToSign.trim(), key.compressed)).toBe('valid');
  expect(judgeStamp(signature(trimmed), CHALLENGE.payloadToSign, key.compressed)).not.toBe('valid');
  expect(
    signature((await tampered({ stamp: (payload, by) => `${payload.length} ${by === key}` })).last),
  ).toBe(`${CHALLENGE.payloadToSign.length} true`);
  expect((await tampered({ stamp: null })).last.headers).toEqual({
    'x-own': 'kept',
    'Acme-Wallet-Signature': undefined,
    'Request-Id': 'Request:1',
  });
  expect((await tampered({ requestId: null })).last.headers?.['Request-Id']).toBeUndefined();
  expect((await tampered({ requestId: 'Request:2' })).last.headers?.['Request-Id']).toBe('Request:2');
});

test('sends a high-S signature on request', async () => {
  const low = signature((await retried({ sign: { s: 'low' } })).last);
  const high = signature((await retried({ sign: { s: 'high' } })).last);
  expect(high).not.toBe(low);
  expect(judgeStamp(high, CHALLENGE.payloadToSign, key.compressed)).toBe('valid');
});

test('changes the request on the retry only', async () => {
  const { log } = await tampered({ request: (first) => ({ ...first, body: '{"other":1}', path: '/else' }) });
  expect(log.map(({ path, body }) => ({ path, body }))).toEqual([
    { path: '/thing', body: '{}' },
    { path: '/else', body: '{"other":1}' },
  ]);
});

test('runs what is asked for between the two calls', async () => {
  const { means, log } = service();
  let before = 0;
  await signedRetry(means, request, key, {
    between: async ({ requestId }) => void (before = requestId === 'Request:1' ? log.length : -1),
  });
  expect(before).toBe(1);
});

test('sends the retry twice, in turn or at once', async () => {
  const inTurn = await retried({ times: 2 });
  expect(inTurn.log).toHaveLength(3);
  expect(inTurn.atOnce).toBe(1);
  expect(inTurn.log[1]).toEqual(inTurn.log[2]);
  const atOnce = await retried({ times: 3, atOnce: true });
  expect(atOnce.log).toHaveLength(4);
  expect(atOnce.atOnce).toBe(3);
});

test('retries alone with a challenge that is at hand', async () => {
  const { means, log } = service();
  await retry(means, request, { payloadToSign: 'other', requestId: 'Request:9' }, key);
  expect(log).toHaveLength(1);
  expect(judgeStamp(signature(log[0] as Sent), 'other', key.compressed)).toBe('valid');
});

test('names the signature header by the brand', () => {
  expect(
    Object.keys(walletHeaders({ brand: 'Service', stampForm: DIALECT.stamp.default }, CHALLENGE, key)),
  ).toEqual(['Service-Wallet-Signature', 'Request-Id']);
});
