import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { HttpClient } from '../../client/http/http-client.ts';
import { tryEventLog } from '../../doctor/examine.ts';
import { EventLog, pathFor } from '../../suite/event-log.ts';
import type { Profile } from '../../target/profile.ts';
import { profileOf } from '../doctor/profile-of.ts';

let http: HttpClient;
let server: Server;
let entries: unknown[];
let asked: string[];
let answer: (list: unknown[]) => unknown;

test.beforeEach(async () => {
  http = new HttpClient({ timeoutMs: 2_000 });
  entries = [];
  asked = [];
  answer = (list) => ({ result: { sent: list } });
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.method === 'POST') entries.push({ payload: { type: 'TEST', id: entries.length } });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(request.method === 'POST' ? {} : answer(entries)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
test.afterEach(async () => {
  await http.close();
  server.closeAllConnections();
  server.close();
});

function profileWith(eventLog: Partial<NonNullable<Profile['eventLog']>> = {}): Profile {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/2025-10-13`;
  const profile = profileOf(url, 'public-calls');
  return {
    ...profile,
    dialect: { ...profile.dialect, eventSeconds: 1 },
    eventLog: { path: '/log?of={customerId}&limit=50', list: 'result.sent', event: 'payload', ...eventLog },
  };
}

async function opened(profile: Profile, customerId?: string): Promise<EventLog> {
  const log = await EventLog.open(profile, http, customerId);
  if (typeof log === 'string') throw new Error(log);
  return log;
}

test('what stood in the log before is no news, and each event is told once', async () => {
  entries.push({ payload: { type: 'OLD' } });
  const log = await opened(profileWith(), 'Customer:1');
  expect(asked).toEqual(['GET /2025-10-13/log?of=Customer%3A1&limit=50']);
  entries.unshift({ payload: { type: 'NEW' }, attempts: 0 });
  expect(await log.look()).toMatchObject([{ text: '{"type":"NEW"}' }]);
  // An attempt to deliver it changes the entry, not the event.
  entries[0] = { payload: { type: 'NEW' }, attempts: 1 };
  expect(await log.look()).toEqual([]);
});

test('where the log cannot be asked for one customer, the entries that name it count', async () => {
  const log = await opened(profileWith({ path: '/log' }), 'Customer:1');
  entries.push({ customer: 'Customer:2', payload: { n: 2 } }, { customer: 'Customer:1', payload: { n: 1 } });
  expect(await log.look()).toMatchObject([{ text: '{"n":1}' }]);
});

test('a list without a place of its own is the answer, or its data', async () => {
  for (const form of [(list: unknown[]) => list, (list: unknown[]) => ({ data: list })]) {
    entries = [];
    answer = form;
    const { list: _list, event: _event, ...eventLog } = profileWith().eventLog!;
    const log = await opened({ ...profileWith(), eventLog });
    entries.push({ type: 'NEW' });
    expect(await log.look()).toMatchObject([{ text: '{"type":"NEW"}' }]);
  }
});

test('following tells events as they come, and ends when it is told to', async () => {
  const log = await opened(profileWith());
  const told: string[] = [];
  const end = log.follow(({ text }) => told.push(text));
  entries.push({ payload: { n: 1 } });
  await expect.poll(() => told).toEqual(['{"n":1}']);
  await end();
  // Who follows no more takes no event away.
  entries.push({ payload: { n: 2 } });
  expect(await log.look()).toMatchObject([{ text: '{"n":2}' }]);
});

test('without a customer the part of the query that would name one is left out', () => {
  expect(pathFor('/log?of={customerId}', undefined)).toBe('/log');
  expect(pathFor('/log?a=1&of={customerId}&b=2', undefined)).toBe('/log?a=1&b=2');
});

test('the doctor sees a test event arrive in the log, or says what is in the way', async () => {
  const test = 'POST /events/test?customer={customerId}';
  expect(await tryEventLog(profileWith({ test }), http)).toBe('arrives');
  expect(asked).toContain('POST /2025-10-13/events/test');
  expect(await tryEventLog(profileWith(), http)).toMatch(/^the log at \S+ can be read; with eventLog\.test/);
  expect(await tryEventLog(profileWith({ list: 'sent' }), http)).toMatch(/holds no list at sent: say in/);
  expect(await tryEventLog(profileWith({ test, event: 'body' }), http)).toMatch(
    /^no test event came .* is eventLog\.event where/,
  );
});
