import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { HttpClient } from '../../../client/http/http-client.ts';
import { ProviderStates } from '../../../target/providers/provider-states.ts';
import { CannotPrepare, PreparationFailed } from '../../../target/providers/state-provider.ts';
import { answerOf, bytesServer } from '../../support/servers.ts';
import { areas } from '../../../sandbox/areas/index.ts';
import { STATE_NAMES } from '../../../target/states/catalogue.ts';
import { FixturesFile } from '../../../target/providers/fixtures-file.ts';
import { scratch } from '../../support/run-assay.ts';

/** Asks a server that answers with these bytes for a state. */
async function ask(bytes: string) {
  await using server = await bytesServer((socket) => socket.end(bytes));
  const http = new HttpClient({ timeoutMs: 500 });
  const outcome: unknown = await new ProviderStates(http, server.url, 'the-token')
    .setUp('agent', { balance: 1 })
    .catch((error: unknown) => error);
  await http.close();
  return { outcome, received: server.received[0] ?? '' };
}

test('the request is as docs/provider-states.md says, and the values come back', async () => {
  const { outcome, received } = await ask(answerOf('{"agentId":"Agent:1","more":{"a":1}}'));
  expect(outcome).toEqual({ agentId: 'Agent:1', more: { a: 1 } });
  expect(received).toMatch(/^POST \/ HTTP/);
  expect(received.toLowerCase()).toContain('authorization: bearer the-token');
  expect(received.split('\r\n\r\n')[1]).toBe('{"state":"agent","params":{"balance":1},"action":"setup"}');
});

const CASES: readonly (readonly [
  what: string,
  bytes: string,
  kind: typeof CannotPrepare | typeof PreparationFailed,
  message: RegExp,
])[] = [
  [
    'an unknown state',
    answerOf('{"message":"what?"}', 'HTTP/1.1 404 Not Found'),
    CannotPrepare,
    /cannot prepare the state "agent" \(404: what\?\)/,
  ],
  ['params that cannot be', answerOf('', 'HTTP/1.1 422 No'), CannotPrepare, /\(422\)/],
  ['a wrong token', answerOf('', 'HTTP/1.1 403 No'), PreparationFailed, /check PROVIDER_STATES_TOKEN/],
  [
    'too many requests',
    answerOf('', 'HTTP/1.1 429 Slow'),
    PreparationFailed,
    /answers 429: too many requests$/,
  ],
  [
    'an error of the server',
    answerOf('{"message":"oh"}', 'HTTP/1.1 500 Oh'),
    PreparationFailed,
    /answers 500: oh/,
  ],
  ['a redirect', answerOf('', 'HTTP/1.1 302 Found'), PreparationFailed, /answers 302/],
  ['a list of values', answerOf('[1]'), PreparationFailed, /must answer with a JSON object of values/],
  ['what is no JSON', answerOf('done'), PreparationFailed, /must answer with a JSON object of values/],
  ['nothing', '', PreparationFailed, /gave no answer: the connection was closed/],
];

for (const [what, bytes, kind, message] of CASES)
  test(`${what}: ${kind.name}`, async () => {
    const { outcome } = await ask(bytes);
    expect(outcome).toBeInstanceOf(kind);
    expect((outcome as Error).message).toMatch(message);
  });

test('an empty answer has no values', async () => expect((await ask(answerOf(''))).outcome).toEqual({}));

function file(text: string): FixturesFile {
  const path = join(scratch('fixtures'), 'fixtures.yaml');
  writeFileSync(path, text);
  return new FixturesFile(path);
}

const STATES = `states:
  agent:
    - values: { agentId: plain }
    - params: { approvalThreshold: 10, currency: USD }
      values: { agentId: limited }`;

test('a state fits when its params are exactly those that are asked for, in any order', async () => {
  expect(await file(STATES).setUp('agent', {})).toEqual({ agentId: 'plain' });
  expect(await file(STATES).setUp('agent', { currency: 'USD', approvalThreshold: 10 })).toEqual({
    agentId: 'limited',
  });
});

test('of several rows that fit each test takes the next one', async () => {
  const three = ['a', 'b', 'c'].map((id) => `    - values: { accountId: ${id} }`).join('\n');
  const taken = [];
  for (let count = 0; count < 6; count += 1)
    taken.push((await file(`states:\n  wallet-account:\n${three}`).setUp('wallet-account', {}))['accountId']);
  expect(new Set(taken.slice(0, 3))).toEqual(new Set(['a', 'b', 'c']));
  expect(taken.slice(3)).toEqual(taken.slice(0, 3));
});

test('anything else cannot be prepared, and the reason names it', async () => {
  await expect(file(STATES).setUp('agent', { approvalThreshold: 11 })).rejects.toThrow(
    'has no state "agent" with params {"approvalThreshold":11}',
  );
  await expect(file(STATES).setUp('clock', {})).rejects.toThrow('has no state "clock" with params {}');
});

test('params that nearly match are suggested', async () => {
  await expect(file(STATES).setUp('agent', { currency: 'USD', approvalThreshold: 100 })).rejects.toThrow(
    /; did you mean \{"approvalThreshold":10,"currency":"USD"\} to be it\?$/,
  );
});

test('a mistyped state is refused at once', () => {
  expect(() => file('states: { agnet: [{ values: {} }] }')).toThrow(
    /has an unknown state agnet; did you mean agent\?$/,
  );
});

test('what nobody would read or ask for is refused with its line', () => {
  const row = (text: string) => () => file(`states:\n  agent:\n    - ${text}`);
  expect(row('{ values: {}, spendabel: true }')).toThrow(
    /, line 3, has an unknown key spendabel; did you mean spendable\?$/,
  );
  expect(row('{ values: {}, params: { approvalTreshold: 5 } }')).toThrow(
    /, line 3, has an unknown param approvalTreshold of agent; did you mean approvalThreshold\?$/,
  );
});

test('the known states are those that the sandbox serves', () => {
  const served = areas.flatMap((area) => area.states).map(({ name }) => name);
  expect([...STATE_NAMES].sort()).toEqual(served.sort());
});

test('nothing of a row is spent or changed beyond what it allows', async () => {
  const fixtures = file(`states:
  agent:
    - values: { agentId: kept }
    - { params: { balance: 1 }, values: { agentId: rich }, spendable: true }`);
  expect(fixtures.forbids('transferOut')).toBeUndefined();
  await fixtures.setUp('agent', { balance: 1 });
  expect(fixtures.forbids('transferOut')).toBeUndefined();
  expect(fixtures.forbids('deleteAgent')).toBe(
    'the check calls deleteAgent, which changes its records, and the fixtures file\'s row of "agent" does not say changeable: true',
  );
  await fixtures.setUp('agent', {});
  expect(fixtures.forbids('transferOut')).toMatch(/does not say spendable: true$/);
  expect(fixtures.forbids('getMyAction')).toBeUndefined();
});
