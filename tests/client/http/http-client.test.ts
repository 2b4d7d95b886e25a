import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { HttpClient, describeTransportFailure } from '../../../client/http/http-client.ts';
import { answerOf, bytesServer } from '../../support/servers.ts';

const OPTIONS = { timeoutMs: 400 };
const get = (url: string) => ({ method: 'GET', url, headers: {} });

/** Sends one request to a server that answers with these bytes, and then leaves the connection or ends it. */
async function exchange(bytes: string | Buffer, { end = true } = {}) {
  await using server = await bytesServer((socket) => (end ? socket.end(bytes) : socket.write(bytes)));
  const client = new HttpClient(OPTIONS);
  const { response, failure, milliseconds } = await client.send(get(server.url));
  await client.close();
  return { response, failure, milliseconds, received: server.received };
}

test('an answer arrives as it was sent: status, headers in small letters, exact text', async () => {
  const { response, failure } = await exchange(
    answerOf('{"a": 1.0}', 'HTTP/1.1 201 Created\r\nX-Some-Thing: Yes'),
  );
  expect(failure).toBeUndefined();
  expect(response).toEqual({
    status: 201,
    headers: { 'x-some-thing': 'Yes', 'content-length': '10' },
    text: '{"a": 1.0}',
  });
});

test('redirects are not followed', async () => {
  const { response, received } = await exchange(answerOf('', 'HTTP/1.1 302 Found\r\nlocation: /elsewhere'));
  expect(response?.status).toBe(302);
  expect(received).toHaveLength(1);
});

test('compression is asked away, and what is compressed all the same is left as it is', async () => {
  const { response, received } = await exchange(
    answerOf('not really gzip', 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip'),
  );
  expect(received[0]?.toLowerCase()).toContain('accept-encoding: identity');
  expect(response?.text).toBe('not really gzip');
});

test('a body larger than any answer of the interface is not read to its end', async () => {
  await using server = await bytesServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const pump = () => {
      while (!socket.destroyed && socket.write(chunk));
      if (!socket.destroyed) socket.once('drain', pump);
    };
    pump();
  });
  const client = new HttpClient({ ...OPTIONS, timeoutMs: 10_000 });
  expect((await client.send(get(server.url))).failure).toBe('the answer is larger than 16 MiB');
  await client.close();
});

/** Each ends in one sentence and no exception, and none of them hangs. */
const BROKEN: readonly (readonly [what: string, bytes: string, end: boolean, failure: RegExp])[] = [
  ['no answer at all', '', false, /^no answer came in time$/],
  ['a connection that is closed at once', '', true, /^the connection was closed before an answer came$/],
  ['a head without end', 'HTTP/1.1 200 OK\r\nx: y\r\n', false, /in time$/],
  ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a"', true, /^the connection was closed/],
  ['a body that never ends', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a"', false, /in time$/],
  ['bytes that are no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', true, /^it does not speak HTTP on that port$/],
  ['long headers', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}\r\n\r\n`, true, /headers are too large$/],
];

for (const [what, bytes, end, sentence] of BROKEN)
  test(`${what} becomes a failure`, async () => {
    const { response, failure, milliseconds } = await exchange(bytes, { end });
    expect(response).toBeUndefined();
    expect(failure).toMatch(sentence);
    expect(milliseconds).toBeLessThan(3_000);
  });

test('a body that drips is cut off by the upper bound of the whole exchange', async () => {
  await using server = await bytesServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
    const drip = setInterval(() => socket.write('x'), 50);
    socket.on('close', () => clearInterval(drip));
  });
  const client = new HttpClient(OPTIONS);
  const { failure, milliseconds } = await client.send(get(server.url));
  expect(failure).toMatch(/in time$/);
  expect(milliseconds).toBeLessThan(3_000);
  await client.close();
});

/** Answers the first request of a connection, and closes the connection when a second one comes on it. */
async function closesWhileIdle(method: string, second: (connection: number) => boolean) {
  const sent = new Map<object, number>();
  await using server = await bytesServer((socket) => {
    const requests = (sent.get(socket) ?? 0) + 1;
    sent.set(socket, requests);
    if (requests > 1 || (sent.size > 1 && second(sent.size))) socket.destroy();
    else socket.write(answerOf('{}'));
  });
  const client = new HttpClient({ timeoutMs: 2_000 });
  const send = () => client.send({ method, url: server.url, headers: {} });
  const first = await send();
  expect(first.response?.status).toBe(200);
  // The client takes a connection for idle a moment after its answer.
  await pause(20);
  const outcome = await send();
  await client.close();
  return { outcome, connections: server.received.length };
}

const LOST = 'the connection was closed before an answer came';

/** A second connection is there only where the request was sent once more. */
const IDLE: readonly (readonly [what: string, method: string, losesAll: boolean, connections: number])[] = [
  ['a read that was lost on a connection which idled is sent once more', 'GET', false, 2],
  ['it is sent once more, and not again and again', 'GET', true, 2],
  ['a POST is never sent twice: nobody knows what became of it', 'POST', false, 1],
  ['a DELETE neither', 'DELETE', false, 1],
];

for (const [what, method, losesAll, connections] of IDLE)
  test(what, async () => {
    const found = await closesWhileIdle(method, () => losesAll);
    expect(found.connections).toBe(connections);
    expect(found.outcome.failure).toBe(connections > 1 && !losesAll ? undefined : LOST);
  });

test('a read that was lost after the server had time for it is not sent again', async () => {
  await using server = await bytesServer((socket) => void setTimeout(() => socket.destroy(), 150));
  const client = new HttpClient({ timeoutMs: 2_000 });
  expect((await client.send(get(server.url))).failure).toBe(LOST);
  expect(server.received).toHaveLength(1);
  await client.close();
});

test('requests without an answer do not keep later ones from being sent', async () => {
  let turn = 0;
  await using server = await bytesServer((socket) =>
    (turn += 1) > 6 ? socket.end(answerOf('{}')) : socket.destroy(),
  );
  const client = new HttpClient(OPTIONS);
  for (let i = 0; i < 6; i += 1)
    expect((await client.send({ ...get(server.url), method: 'POST' })).failure).toBe(LOST);
  expect((await client.send(get(server.url))).response?.status).toBe(200);
  await client.close();
});

test('bytes that are not UTF-8 are told, and what is UTF-8 is not', async () => {
  const bytes = (body: Buffer) =>
    Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`), body]);
  expect((await exchange(bytes(Buffer.from('"caf\u00e9"', 'latin1')))).response).toMatchObject({
    notUtf8: true,
    text: '"caf\ufffd"',
  });
  expect((await exchange(bytes(Buffer.from('"caf\u00e9 \u{1f600}"')))).response).not.toHaveProperty(
    'notUtf8',
  );
});

const withCode = (code: string, cause?: unknown) =>
  Object.assign(new Error('secret text', { cause }), { code });

const CASES: readonly (readonly [string, unknown, string])[] = [
  ['a cause of it', new Error('x', { cause: withCode('ENOTFOUND') }), 'the host name cannot be resolved'],
  ['two hosts', new AggregateError([withCode('ECONNREFUSED')]), 'nothing listens there (connection refused)'],
  ['another fault of TLS', withCode('ERR_SSL_OTHER'), 'TLS failed (ERR_SSL_OTHER)'],
  ['an unknown code', withCode('EWHATEVER'), 'the request failed (EWHATEVER)'],
  ['no code at all', new TypeError('secret text'), 'the request failed (TypeError)'],
  ['something that is no error', 'secret text', 'the request failed (unknown error)'],
];

for (const [what, error, sentence] of CASES)
  test(`${what}: ${sentence}`, () => expect(describeTransportFailure(error)).toBe(sentence));
