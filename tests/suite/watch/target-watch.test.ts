import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { HttpClient, type Exchange, type ReceivedAnswer } from '../../../client/http/http-client.ts';
import { RunFolder } from '../../../suite/run/run-folder.ts';
import { TargetWatch } from '../../../suite/watch/target-watch.ts';
import type { Profile } from '../../../target/profile.ts';
import { scratch } from '../../support/run-assay.ts';
import { StatesWatch } from '../../../suite/watch/states-watch.ts';
import { answerOf, bytesServer, listening } from '../../support/servers.ts';
import { fakeTime } from './fake-time.ts';

type Reply = (looks: number) => readonly [status: number, body: string];
const WELL: Reply = () => [200, '{}'];

/** A watch over a target that answers looks so, with the health read of preflight. */
async function watching(reply: Reply, folder = new RunFolder(scratch('run'))) {
  let looks = 0;
  const server = await listening((_request, response) => {
    const [status, body] = reply((looks += 1));
    response.writeHead(status).end(body);
  });
  const profile = {
    baseUrl: server.origin,
    clientId: 'a',
    clientSecret: 'b',
    requestTimeoutMs: 2_000,
    caps: {},
  };
  const read = { method: 'GET', path: '/customers/end-user-terms', status: 200 };
  const time = fakeTime(Date.now());
  const watch = new TargetWatch(profile as Profile, read, folder, time);
  return {
    watch,
    folder,
    time,
    looks: () => looks,
    async [Symbol.asyncDispose]() {
      await watch.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const asked = { method: 'GET', url: 'x', headers: {} };
const answered = (status: number, text = '{}'): Exchange => {
  const response: ReceivedAnswer = { status, headers: {}, text };
  return { at: Date.now(), milliseconds: 1, request: asked, response };
};
const lost = (at = Date.now()): Exchange => ({
  at,
  milliseconds: 1,
  request: asked,
  failure: 'no answer came in time',
});

test('what is no trouble costs no look, and neither does a rate limit', async () => {
  await using it = await watching(WELL);
  for (const status of [200, 201, 400, 404, 429]) await it.watch.note('op', 'asking', answered(status));
  expect(it.looks()).toBe(0);
});

test('after a 500 the target is looked at: one that is well is no worse for it', async () => {
  await using it = await watching(WELL);
  expect(await it.watch.note('op', 'asking', answered(500))).toBeUndefined();
  expect(it.looks()).toBe(1);
  expect(await it.watch.ready()).toBeUndefined();
  expect(it.watch.wasAwaySince(0)).toBe(false);
});

test('an operation that never answers is left alone while the target is well', async () => {
  await using it = await watching(WELL);
  for (let i = 0; i < 3; i += 1) await it.watch.note('hangs', 'asking', lost(Date.now() + i));
  expect(it.watch.leftAlone('hangs')).toContain('got no answer');
  expect(it.watch.leftAlone('other')).toBeUndefined();
});

test('an outage is waited out and told, and no operation is left alone for it', async () => {
  await using it = await watching((looks) => (looks % 3 > 0 ? [503, 'soon'] : [200, '{}']));
  const before = Date.now() - 1;
  for (let i = 0; i < 4; i += 1) expect(await it.watch.note('op', 'asking', lost())).toBeUndefined();
  expect(it.watch.wasAwaySince(before)).toBe(true);
  expect(it.watch.wasAwaySince(it.time.at + 1)).toBe(false);
  expect(it.watch.leftAlone('op')).toBeUndefined();
});

const GONE: readonly (readonly [what: string, reply: Reply, why: RegExp])[] = [
  ['another status', () => [401, '{}'], /^it answers 401 to a request that it answered 200 before$/],
  ['a page', () => [200, '<html>'], /^it answers something that is no JSON to a request/],
  ['a 500', () => [500, '{}'], /^it answers 500/],
];

for (const [what, reply, why] of GONE)
  test(`a target that only gives ${what} has gone, which all workers learn with what was answered last`, async () => {
    await using it = await watching(reply);
    await it.watch.note('op', 'the last good one', answered(201));
    await it.watch.note('op', 'a refusal', answered(404));
    const gone = await it.watch.note('op', 'asking', lost());
    expect(gone?.why).toMatch(why);
    expect(gone?.lastAnswered).toMatchObject({ label: 'the last good one', status: 201 });
    await using other = await watching(WELL, it.folder);
    expect(await other.watch.ready()).toEqual(gone);
    expect(other.looks()).toBe(0);
  });

test('a 429 to a look is the word of somebody who is there', async () => {
  await using it = await watching(() => [429, '']);
  expect(await it.watch.isWell()).toBe(true);
});

/** Sends to somebody who answers, or closes the connection, as told for each request. */
async function states(answers: (request: number) => boolean) {
  let requests = 0;
  const server = await bytesServer((socket) =>
    answers((requests += 1)) ? socket.end(answerOf('{}')) : socket.destroy(),
  );
  const http = new HttpClient({ timeoutMs: 1_000 });
  const path = scratch('run');
  const worker = () => new StatesWatch(http, server.url, new RunFolder(path), fakeTime(Date.now()));
  return {
    worker,
    ask: (who: StatesWatch) => who.send({ method: 'POST', url: server.url, headers: {}, body: '{}' }),
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      await http.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

test('a request that was lost in a restart is sent again once somebody is back', async () => {
  await using it = await states((request) => request > 4);
  expect((await it.ask(it.worker())).response?.status).toBe(200);
});

test('after somebody has gone nothing is sent, and a new worker need not wait anew', async () => {
  await using it = await states(() => false);
  const first = await it.ask(it.worker());
  expect(first).toMatchObject({ heldBack: true });
  expect(first.failure).toMatch(/^not sent: nobody has answered there since \S+ \(the connection was closed/);
  const requests = it.requests();
  expect(await it.ask(it.worker())).toMatchObject({ heldBack: true });
  expect(it.requests()).toBe(requests);
});

const gone = (why: string) => ({ at: '2026-01-02T03:04:05.000Z', why });

test('the first to tell that the target has gone is believed by all', () => {
  const path = scratch('run');
  const [one, other] = [new RunFolder(path), new RunFolder(path)];
  expect(other.gone()).toBeUndefined();
  expect(one.tellGone(gone('first'))).toEqual(gone('first'));
  expect(other.tellGone(gone('second'))).toEqual(gone('first'));
  expect(new RunFolder(path).gone()).toEqual(gone('first'));
});

test('outages of one worker are known to the others', () => {
  const path = scratch('run');
  new RunFolder(path).tellOutage(1_000, 2_000);
  new RunFolder(path).tellOutage(5_000, 6_000);
  const other = new RunFolder(path);
  const had = [
    [0, 999],
    [0, 1_000],
    [1_500, 1_600],
    [2_001, 4_999],
    [5_500, 9_000],
  ].map(([from, to]) => other.hadOutage(from as number, to as number));
  expect(had).toEqual([false, true, true, false, true]);
});

test('a line that another worker is writing is left out', () => {
  const path = scratch('run');
  new RunFolder(path).tellOutage(1_000, 2_000);
  writeFileSync(join(path, 'outages.ndjson'), '{"from":1000,"to":2000}\n{"from":30');
  writeFileSync(join(path, 'gone.json'), '{"at":');
  const other = new RunFolder(path);
  expect(other.hadOutage(0, 10_000)).toBe(true);
  expect(other.gone()).toBeUndefined();
});

test('a silence is shared, and forgotten', () => {
  const path = scratch('run');
  const [one, other] = [new RunFolder(path), new RunFolder(path)];
  one.tellSilence('GET /x/../../y?z', { count: 3, until: 9 });
  expect(other.silence('GET /x/../../y?z')).toEqual({ count: 3, until: 9 });
  expect(other.silence('GET /other')).toBeUndefined();
  other.tellSilence('GET /x/../../y?z', undefined);
  expect(one.silence('GET /x/../../y?z')).toBeUndefined();
});
