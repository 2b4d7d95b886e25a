import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import type { Exchange, ReceivedAnswer } from '../../../client/http/http-client.ts';
import { RunFolder } from '../../../suite/watch/run-folder.ts';
import { TargetWatch } from '../../../suite/watch/target-watch.ts';
import type { Profile } from '../../../target/profile.ts';
import { scratch } from '../../support/run-assay.ts';
import { fakeTime } from './fake-time.ts';

type Reply = (looks: number) => readonly [status: number, body: string];
const WELL: Reply = () => [200, '{}'];

/** A watch over a target that answers looks so, with the health read of preflight. */
async function watching(reply: Reply, folder = new RunFolder(scratch('run'))) {
  let looks = 0;
  const server = createServer((_request, response) => {
    const [status, body] = reply((looks += 1));
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const profile = {
    baseUrl: `http://127.0.0.1:${port}`,
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
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
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
