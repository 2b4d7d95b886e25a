import { expect, test } from '@playwright/test';
import type { Exchange } from '../../client/http/http-client.ts';
import { loadContract } from '../../schemas/contract.ts';
import { Validator } from '../../schemas/validator.ts';
import { judge } from '../../suite/answers/judge-answer.ts';
import { ACTION } from './small-service.ts';

const validator = new Validator();
const ERROR = { status: 400, code: 'INVALID_INPUT', message: 'm' };

interface Come {
  readonly sent?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly notUtf8?: true;
}

/** What an answer of an operation shows, or of a route that the interface does not have. */
async function judged(operation: string | undefined, status: number, body: unknown, come: Come = {}) {
  const contract = await loadContract('Service');
  const known = operation === undefined ? undefined : contract.operations.get(operation);
  expect(known === undefined).toBe(operation === undefined);
  const { sent = {}, headers = {}, ...more } = come;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return judge({ contract, validator }, known, {
    at: 0,
    milliseconds: 1,
    request: { method: 'POST', url: 'x', headers: sent },
    response: { status, headers, text, ...more },
  });
}

/** Rules that it breaks. */
async function broken(operation: string | undefined, status: number, body: unknown, come?: Come) {
  const { breaches } = await judged(operation, status, body, come);
  return [...new Set(breaches.map((breach) => breach.rule))].sort();
}

const { transferDetails: _, ...WITHOUT_DETAILS } = ACTION as Record<string, unknown>;
const EMPTY_QUOTE = { ...WITHOUT_DETAILS, type: 'EXECUTE_QUOTE', quote: {} };

const TO_SIGN = {
  type: 'PASSKEY',
  payloadToSign: '{"a":1}',
  requestId: 'Request:7b6c4f6e-0d1a-4a53-9d6e-0a3c5b1f2e11',
  expiresAt: '2026-01-01T00:00:00Z',
};

const DONE = { ...ACTION, status: 'DONE' };

const CASES: readonly (readonly [
  what: string,
  operation: string | undefined,
  status: number,
  body: unknown,
  rules: readonly string[],
])[] = [
  ['a right answer', 'transferOut', 201, ACTION, []],
  ['what is to be signed', 'createCredential', 202, TO_SIGN, []],
  ['the same with another success', 'createCredential', 200, TO_SIGN, ['CREDENTIAL-CREATE-STATUS']],
  ['an action with an empty quote', 'getMyAction', 200, EMPTY_QUOTE, ['ACTION-QUOTE']],
  ['empty details', 'transferOut', 201, { ...ACTION, transferDetails: {} }, ['ACTION-TRANSFER-DETAILS']],
  ['another success status', 'transferOut', 200, ACTION, ['TRANSFER-SUCCESS-STATUS']],
  ['both at once', 'transferOut', 200, { ...ACTION, id: 'x' }, ['ACTION-ID', 'TRANSFER-SUCCESS-STATUS']],
  ['an empty success', 'transferOut', 201, '', ['ACTION-OBJECT']],
  ['a success that is no JSON', 'transferOut', 201, '<html>', ['GENERAL-RESPONSES-JSON']],
  ['a right error', 'transferOut', 400, ERROR, []],
  ['an error whose status differs', 'transferOut', 403, ERROR, ['ERROR-CODE-403', 'ERROR-STATUS']],
  ['an error without a body', 'transferOut', 404, '', ['ERROR-BODY']],
  ['a conflict in any shape', 'transferOut', 409, '"anything"', []],
  ['a redirect', 'transferOut', 302, '', []],
  ['a body beside a 204', 'revokeCredential', 204, '{}', ['CREDENTIAL-REVOKE-NO-BODY']],
  ["a framework's own 404 for a path that is a guess", 'getMyAction', 404, 'Cannot GET /x', []],
  ["a framework's own 405 for it", 'getMyAction', 405, '', []],
  ['a refusal of it in a form of its own', 'getMyAction', 401, 'no', []],
  ['a fault behind it', 'getMyAction', 500, { error: 'boom' }, []],
  ['an action recognised in an open shape', 'getMyAction', 200, DONE, ['ACTION-STATUS']],
  ['one that stands a level below', 'getMyAction', 200, { action: DONE }, ['ACTION-STATUS']],
  ['a summary of an action', 'getMyAction', 200, { id: ACTION.id, status: 'DONE' }, []],
  ['one in a list', 'listMyActions', 200, { data: [ACTION, DONE] }, ['ACTION-STATUS']],
  [
    'an action that a list shows in short',
    'listMyActions',
    200,
    { data: [{ id: ACTION.id, type: ACTION.type, status: ACTION.status, createdAt: ACTION.createdAt }] },
    [],
  ],
  [
    'a field of it that is wrong all the same',
    'listMyActions',
    200,
    { data: [{ id: ACTION.id, createdAt: 'yesterday' }] },
    ['ACTION-CREATED-AT'],
  ],
  ['a list of something else', 'listMyActions', 200, { data: [{ id: 'Row:1', status: 'DONE' }, 7] }, []],
  ['an unknown route', undefined, 404, 'nothing here', []],
  ["a service's own words for it", undefined, 404, { code: 'NOT_FOUND', message: 'no' }, []],
  ["a gateway's words for it", undefined, 403, { message: 'Missing Authentication Token' }, []],
];

for (const [what, operation, status, body, rules] of CASES)
  test(`${what}: ${rules.join(', ') || 'nothing is demanded'}`, async () => {
    expect(await broken(operation, status, body)).toEqual(rules);
  });

test('what is to be signed, in answer to a signed retry, is judged as the record that it should be', async () => {
  const signed = { 'Acme-Wallet-Signature': 'stamp' };
  expect(await broken('createCredential', 201, TO_SIGN)).toEqual([]);
  expect(await broken('createCredential', 201, TO_SIGN, { sent: signed })).toEqual([
    'CREDENTIAL-ACCOUNT-ID',
    'CREDENTIAL-CREATED-AT',
    'CREDENTIAL-ID',
    'CREDENTIAL-UPDATED-AT',
    'CREDENTIAL-WEBAUTHN-ID-FOR-PASSKEY',
  ]);
});

test('no answer is no breach', async () => {
  const exchange: Exchange = {
    at: 0,
    milliseconds: 1,
    request: { method: 'GET', url: 'x', headers: {} },
    failure: 'no answer came in time',
  };
  const { breaches, seen } = judge(
    { contract: await loadContract('Service'), validator },
    undefined,
    exchange,
  );
  expect([...breaches, ...seen]).toEqual([]);
});

/** What a right body with these headers shows of "all answers are JSON". */
async function json(text: string, come: Come) {
  const judgement = await judged('transferOut', 201, text, come);
  const ofRule = judgement.breaches.filter(({ rule }) => rule === 'GENERAL-RESPONSES-JSON');
  return {
    judgement,
    isSeen: judgement.seen.has('GENERAL-RESPONSES-JSON'),
    messages: ofRule.map(({ message }) => message),
  };
}

const RIGHT = JSON.stringify(ACTION);
const JSON_CASES: readonly (readonly [
  what: string,
  type: string | undefined,
  seen: boolean,
  messages: readonly string[],
])[] = [
  ['JSON', 'application/json', true, []],
  ['JSON of a kind', 'application/problem+json; charset=utf-8', true, []],
  ['nothing', undefined, true, []],
  ['plain text', 'text/plain', false, []],
  ['HTML', 'text/html; charset=utf-8', true, ['the 201 says of itself that it is HTML, not JSON']],
];

for (const [what, type, isSeen, messages] of JSON_CASES)
  test(`a right body that says of itself that it is ${what}`, async () => {
    const found = await json(RIGHT, type === undefined ? {} : { headers: { 'content-type': type } });
    expect(found).toMatchObject({ isSeen, messages });
    expect(found.judgement.breaches.length).toBe(messages.length);
  });

test('a body that is not UTF-8 is no JSON, though it can be read', async () => {
  const { messages, judgement } = await json(RIGHT, { notUtf8: true });
  expect(messages).toEqual(['the body of the 201 is not UTF-8, so it is not JSON']);
  expect(judgement.body).toEqual(ACTION);
});

test('a body that can be read in two ways is held to nothing, and says why', async () => {
  const { judgement } = await json(`${RIGHT.slice(0, -1)},"status":"REJECTED","id":7}`, {});
  expect(judgement.ambiguous).toBe('has the name "status" twice');
  expect(judgement.breaches).toEqual([]);
  expect([...judgement.seen]).toEqual(['TRANSFER-SUCCESS-STATUS']);
});
