import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { openRelay, receiverFile } from '../../suite/webhook-relay.ts';
import { UsageError } from '../../target/usage-error.ts';
import { scratch } from '../support/run-assay.ts';

const ID = '0123456789abcdef0123456789abcdef';

test('a delivery reaches the receiver that its path names, whole, and brings back its status', async () => {
  const folder = scratch('relay');
  const heard: { body: string; signature: string | undefined }[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      heard.push({ body, signature: request.headers['x-service-signature'] as string | undefined });
      response.writeHead(503).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  writeFileSync(receiverFile(folder, ID), String((receiver.address() as AddressInfo).port));
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
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  expect(await post(`/${ID}`)).toBe(410);
  await expect(openRelay({ host: '127.0.0.1', port, url: 'http://unused' }, folder)).rejects.toThrow(
    UsageError,
  );
  relay.closeAllConnections();
  relay.close();
});
