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

const answered = (status: number, body = '') => answerOf(body, `HTTP/1.1 ${status} X`);
type Kind = typeof CannotPrepare | typeof PreparationFailed;
const NO_OBJECT = /must answer with a JSON object of values/;

const CASES: readonly (readonly [bytes: string, kind: Kind, message: RegExp])[] = [
  [answered(404, '{"message":"what?"}'), CannotPrepare, /cannot prepare the state "agent" \(404: what\?\)/],
  [answered(422), CannotPrepare, /\(422\)/],
  [answered(403), PreparationFailed, /check PROVIDER_STATES_TOKEN/],
  [answered(429), PreparationFailed, /answers 429: too many requests$/],
  [answered(500, '{"message":"oh"}'), PreparationFailed, /answers 500: oh/],
  [answered(302), PreparationFailed, /answers 302/],
  [answerOf('[1]'), PreparationFailed, NO_OBJECT],
  [answerOf('done'), PreparationFailed, NO_OBJECT],
  ['', PreparationFailed, /gave no answer: the connection was closed/],
];

for (const [bytes, kind, message] of CASES)
  test(`${kind.name} on ${JSON.stringify(bytes)}`, async () => {
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

test('anything else cannot be prepared, and what nearly matches is suggested', async () => {
  for (const [state, params, message] of [
    ['agent', { approvalThreshold: 11 }, /has no state "agent" with params \{"approvalThreshold":11\}/],
    ['clock', {}, /has no state "clock" with params \{\}/],
    [
      'agent',
      { currency: 'USD', approvalThreshold: 100 },
      /; did you mean \{"approvalThreshold":10,"currency":"USD"\} to be it\?$/,
    ],
  ] as const)
    await expect(file(STATES).setUp(state, params)).rejects.toThrow(message);
});

for (const [row, sentence] of [
  ['agnet: [{ values: {} }]', /has an unknown state agnet; did you mean agent\?$/],
  [
    'agent: [{ values: {}, spendabel: true }]',
    /, line 2, has an unknown key spendabel; did you mean spendable\?$/,
  ],
  [
    'agent: [{ values: {}, params: { approvalTreshold: 5 } }]',
    /, line 2, has an unknown param approvalTreshold of agent; did you mean approvalThreshold\?$/,
  ],
] as const)
  test(`what nobody would read or ask for is refused: ${row}`, () =>
    expect(() => file(`states:\n  ${row}`)).toThrow(sentence));

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
