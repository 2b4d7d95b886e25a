import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { openRelay, receiverFile } from '../../suite/run/event-receiver.ts';
import { UsageError } from '../../target/usage-error.ts';
import { scratch } from '../support/run-assay.ts';
import { listening } from '../support/servers.ts';

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
