import { setTimeout as pause } from 'node:timers/promises';
import { fork, spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { HttpClient } from '../../client/http/http-client.ts';
import { answerOf, bytesServer } from '../support/servers.ts';
import { Manners } from '../../client/http/manners.ts';
import { root, scratch } from '../support/run-assay.ts';

const OPTIONS = { timeoutMs: 5_000 };
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

test('a 204 that announces a body is an answer all the same, and tells of it', async () => {
  const { response, failure } = await exchange('HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n{}');
  expect(failure).toBeUndefined();
  expect(response).toEqual({ status: 204, headers: { 'content-length': '2' }, text: '' });
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

/** Answers the first request of a connection, and closes the connection when a second one comes on it. */
async function closesWhileIdle(method: string, second: (connection: number) => boolean) {
  const sent = new Map<object, number>();
  await using server = await bytesServer((socket) => {
    const requests = (sent.get(socket) ?? 0) + 1;
    sent.set(socket, requests);
    if (requests > 1 || (sent.size > 1 && second(sent.size))) socket.destroy();
    else socket.write(answerOf('{}'));
  });
  // On a busy machine the news of a loss takes longer than its 50 ms.
  const client = new HttpClient({ timeoutMs: 2_000, lostWhileIdleMs: 2_000 });
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

/** A service that notes when requests come, how many are under way at once, and who sends them. */
async function service(takesMs: number) {
  const seen = { at: [] as number[], most: 0, agents: new Set<string | undefined>() };
  let now = 0;
  const server = createServer((request, response) => {
    seen.at.push(performance.now());
    seen.agents.add(request.headers['user-agent']);
    seen.most = Math.max(seen.most, (now += 1));
    setTimeout(() => {
      now -= 1;
      response.end('{}');
    }, takesMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { seen, url, [Symbol.asyncDispose]: async () => void server.close() };
}

/** Another process of this machine that sends so many requests at once. */
function elsewhere(url: string, count: number, options: object, folder: string): Promise<number | null> {
  const script = join(folder, 'sender.mts');
  const at = (path: string) => JSON.stringify(join(root, path));
  writeFileSync(
    script,
    `import { HttpClient } from ${at('client/http/http-client.ts')};
import { Manners } from ${at('client/http/manners.ts')};
const manners = new Manners(${JSON.stringify(url)}, ${JSON.stringify(options)}, ${JSON.stringify(folder)});
const http = new HttpClient({ timeoutMs: 5000, manners });
await Promise.all(Array.from({ length: ${count} }, () => http.send({ method: 'GET', url: ${JSON.stringify(url)}, headers: {} })));
await http.close();
`,
  );
  const child = fork(script, { execArgv: ['--import', 'tsx'], cwd: root });
  return new Promise((resolve) => child.on('close', resolve));
}

async function sendTogether(url: string, options: object, folder: string): Promise<void> {
  const http = new HttpClient({ timeoutMs: 5_000, manners: new Manners(url, options, folder) });
  const sends = Array.from({ length: 6 }, () => http.send({ method: 'GET', url, headers: {} }));
  expect(await elsewhere(url, 6, options, folder)).toBe(0);
  for (const { response } of await Promise.all(sends)) expect(response?.status).toBe(200);
  await http.close();
}

test('a pace holds over two processes', async () => {
  await using target = await service(0);
  await sendTogether(target.url, { pace: 10 }, scratch('manners'));
  const { at } = target.seen;
  expect(at).toHaveLength(12);
  // Twelve turns of 100 ms have eleven spaces between them; timers may be a little early.
  expect(at.at(-1)! - at[0]!).toBeGreaterThan(1_050);
  // A busy machine delays some, and hastens none.
  for (const [index, time] of at.entries()) expect(time - at[0]!).toBeGreaterThan(index * 100 - 300);
});

test('no more are under way at once than may be, over two processes', async () => {
  await using target = await service(60);
  await sendTogether(target.url, { concurrency: 2 }, scratch('manners'));
  expect(target.seen.at).toHaveLength(12);
  expect(target.seen.most).toBeLessThanOrEqual(2);
});

test('the place of a process that died is taken', async () => {
  const folder = scratch('manners');
  const dead = spawn(process.execPath, ['--eval', '']);
  await new Promise((resolve) => dead.on('close', resolve));
  const manners = new Manners('http://a.example/', { concurrency: 1 }, folder);
  const leave = await manners.enter('http://a.example/x');
  leave();
  const mine = new Manners('http://a.example/', { concurrency: 1 }, folder);
  const [origin] = readdirSync(folder);
  writeFileSync(join(folder, origin!, 'place-0'), String(dead.pid));
  await mine.enter('http://a.example/x');
});

test('other origins are not held back, and every request names its run', async () => {
  await using target = await service(0);
  const manners = new Manners('http://127.0.0.1:1/', { pace: 0.001 }, scratch('manners'));
  const http = new HttpClient({ timeoutMs: 5_000, manners });
  const { response } = await http.send({ method: 'GET', url: target.url, headers: {} });
  await http.close();
  expect(response?.status).toBe(200);
  const [agent] = target.seen.agents;
  expect(agent).toMatch(/^assay \(run [0-9a-f]{8}\)$/);
});
