import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { HttpClient, type SentRequest } from '../../client/http/http-client.ts';
import { Answer } from '../../suite/answers/answer.ts';
import type { Platform } from '../../suite/api/platform.ts';
import type { Recorder } from '../../suite/answers/recorder.ts';
import { typesOf, Webhook } from '../../suite/webhooks.ts';
import { openRelay, receiverFile } from '../../suite/run/event-receiver.ts';
import { UsageError } from '../../target/usage-error.ts';
import { tryEventLog } from '../../doctor/examine.ts';
import { EventLog, pathFor } from '../../suite/event-log.ts';
import type { Profile } from '../../target/profile.ts';
import { profileOf } from '../doctor/profile-of.ts';
import { scratch } from '../support/run-assay.ts';
import { listening, type Listening } from '../support/servers.ts';
import { send } from './small-service.ts';

/** Records as the suite does, and no more. */
const recorder = {
  dialect: { eventSeconds: 2 },
  arrived: (label: string, request: SentRequest, status: number) =>
    new Answer(
      'x.1',
      label,
      { at: 0, milliseconds: 0, request, response: { status, headers: {}, text: request.body ?? '' } },
      JSON.parse(request.body ?? 'null'),
      [],
      { arrived: true },
    ),
} as unknown as Recorder;

async function open() {
  const webhook = new Webhook(recorder, {} as Platform, (reason) => {
    throw new Error(reason);
  });
  const { url } = await webhook.listen();
  return Object.assign(webhook, { url, [Symbol.asyncDispose]: () => webhook.close() });
}

const event = (type: string, id = '1') =>
  JSON.stringify({ id: `Webhook:${id}`, type, data: { status: 'PENDING' } });

const deliver = async (
  { url }: { readonly url: string },
  body: string,
  headers: Record<string, string> = {},
) => (await fetch(url, { method: 'POST', body, headers })).status;

test('an event that comes later is waited for, and others are left aside', async () => {
  await using webhook = await open();
  const awaited = webhook.until('AGENT_ACTION.CREATED');
  await deliver(webhook, event('INCOMING_PAYMENT.COMPLETED'));
  await deliver(webhook, event('AGENT_ACTION.CREATED'));
  expect((await awaited).map(({ text }) => text)).toEqual([event('AGENT_ACTION.CREATED')]);
  expect(webhook.deliveries).toHaveLength(2);
  expect(webhook.of(/^INCOMING_/)).toHaveLength(1);
});

test('an event that is delivered again counts once; another about the same record counts', async () => {
  await using webhook = await open();
  for (const id of ['1', '1', '2']) await deliver(webhook, event('TEST', id));
  expect(webhook.of('TEST')).toHaveLength(2);
  expect(await webhook.watch('TEST', 1)).toHaveLength(2);
});

test('the name of an event is read from its envelope or its headers, not from what it is about', async () => {
  await using webhook = await open();
  await deliver(webhook, JSON.stringify({ id: '1', data: { status: 'PENDING' } }), {
    'x-event': 'QUOTE.EXPIRED',
  });
  expect(webhook.deliveries.map((each) => typesOf(each))).toEqual([['QUOTE.EXPIRED']]);
});

test('a signature is right, wrong, or cannot be told', async () => {
  await using webhook = await open();
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = event('TEST');
  const good = sign('sha256', Buffer.from(body), privateKey).toString('base64');
  for (const signature of [good, JSON.stringify({ v: '1', s: good }), 'AAAA'])
    await deliver(webhook, body, { 'x-service-signature': signature });
  await deliver(webhook, body);
  const verdicts = () => webhook.deliveries.map((each) => webhook.signed(each));
  expect(verdicts()).toEqual([undefined, undefined, undefined, undefined]);
  webhook.values = { publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
  expect(verdicts()).toEqual([true, true, false, undefined]);
});

const ID = '0123456789abcdef0123456789abcdef';

test('a delivery reaches the receiver that its path names, whole, and brings back its status', async () => {
  const folder = scratch('relay');
  const heard: { body: string; signature: string | undefined }[] = [];
  const receiver = await listening((request, response, body) => {
    heard.push({ body, signature: request.headers['x-service-signature'] as string | undefined });
    response.writeHead(503).end();
  });
  writeFileSync(receiverFile(folder, ID), new URL(receiver.origin).port);
  const relay = await openRelay({ host: '127.0.0.1', port: 0, url: 'http://unused' }, folder);
  const { port } = relay.address() as AddressInfo;
  const post = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'x-service-signature': 'abc' },
      body: '{"ä":1}',
    }).then((answer) => answer.status);
  // A tunnel may have put a path of its own in front.
  expect(await post(`/assay/${ID}`)).toBe(503);
  expect(heard).toEqual([{ body: '{"ä":1}', signature: 'abc' }]);
  expect(await post(`/${ID.replace('0', 'f')}`)).toBe(404);
  expect(await post('/')).toBe(404);
  expect(await post(`/..%2f${ID}`)).toBe(404);
  await receiver[Symbol.asyncDispose]();
  expect(await post(`/${ID}`)).toBe(410);
  await expect(openRelay({ host: '127.0.0.1', port, url: 'http://unused' }, folder)).rejects.toThrow(
    UsageError,
  );
  relay.closeAllConnections();
  relay.close();
});

test.describe(() => {
  let http: HttpClient;
  let server: Listening;
  let entries: unknown[];
  let asked: string[];
  let answer: (list: unknown[]) => unknown;

  test.beforeEach(async () => {
    http = new HttpClient({ timeoutMs: 2_000 });
    entries = [];
    asked = [];
    answer = (list) => ({ result: { sent: list } });
    server = await listening(({ method, url }, response) => {
      asked.push(`${method} ${url}`);
      if (method === 'POST') entries.push({ payload: { type: 'TEST', id: entries.length } });
      send(response, 200, method === 'POST' ? {} : answer(entries));
    });
  });
  test.afterEach(async () => {
    await http.close();
    await server[Symbol.asyncDispose]();
  });

  function profileWith(eventLog: Partial<NonNullable<Profile['eventLog']>> = {}): Profile {
    const profile = profileOf(`${server.origin}/2025-10-13`, 'public-calls');
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
    entries.push(
      { customer: 'Customer:2', payload: { n: 2 } },
      { customer: 'Customer:1', payload: { n: 1 } },
    );
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

  test('without a customer the part of the query that would name one is left out', () => {
    expect(pathFor('/log?of={customerId}', undefined)).toBe('/log');
    expect(pathFor('/log?a=1&of={customerId}&b=2', undefined)).toBe('/log?a=1&b=2');
  });

  test('the doctor sees a test event arrive in the log, or says what is in the way', async () => {
    const test = 'POST /events/test?customer={customerId}';
    expect(await tryEventLog(profileWith({ test }), http)).toBe('arrives');
    expect(asked).toContain('POST /2025-10-13/events/test');
    expect(await tryEventLog(profileWith(), http)).toMatch(
      /^the log at \S+ can be read; with eventLog\.test/,
    );
    expect(await tryEventLog(profileWith({ list: 'sent' }), http)).toMatch(/holds no list at sent: say in/);
    expect(await tryEventLog(profileWith({ test, event: 'body' }), http)).toMatch(
      /^no test event came .* is eventLog\.event where/,
    );
  });
});
