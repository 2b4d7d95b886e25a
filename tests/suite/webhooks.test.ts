import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from '@playwright/test';
import type { SentRequest } from '../../client/http/http-client.ts';
import { Answer } from '../../suite/answer.ts';
import type { Platform } from '../../suite/api/platform.ts';
import type { Recorder } from '../../suite/recorder.ts';
import { typesOf, Webhook } from '../../suite/webhooks.ts';

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
  const webhook = await Webhook.listen(recorder, {} as Platform);
  return Object.assign(webhook, { [Symbol.asyncDispose]: () => webhook.close() });
}

const event = (type: string, id = '1') =>
  JSON.stringify({ id: `Webhook:${id}`, type, data: { status: 'PENDING' } });

const deliver = async ({ url }: Webhook, body: string, headers: Record<string, string> = {}) =>
  (await fetch(url, { method: 'POST', body, headers })).status;

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

test('a receiver answers as it is told, so that a target can be seen to deliver again', async () => {
  await using webhook = await open();
  expect(await deliver(webhook, event('TEST'))).toBe(200);
  webhook.answerWith(503);
  expect(await deliver(webhook, event('TEST'))).toBe(503);
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

test('a receiver that is closed takes nothing more', async () => {
  const webhook = await Webhook.listen(recorder, {} as Platform);
  await webhook.close();
  await expect(deliver(webhook, event('TEST'))).rejects.toThrow();
});
