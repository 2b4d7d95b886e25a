import { expect, test } from '@playwright/test';
import { HttpClient } from '../../../client/http/http-client.ts';
import { ProviderStates } from '../../../target/providers/provider-states.ts';
import { CannotPrepare, PreparationFailed } from '../../../target/providers/state-provider.ts';
import { answerOf, bytesServer } from '../../support/servers.ts';

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
