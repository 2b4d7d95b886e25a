import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { whyNotNode } from '../../target/refuse-old-node.ts';
import { latencyOf, workersFor } from '../../target/workers.ts';
import { profileOf } from '../doctor/profile-of.ts';

const ENGINES = '^20.19.0 || >=22.12.0';

for (const version of ['20.19.0', '20.20.2', '22.12.0', '22.13.0', '24.0.0', '26.1.0'])
  test(`Node ${version} is supported`, () => expect(whyNotNode(version, ENGINES)).toBeUndefined());

for (const version of ['18.20.8', '20.18.9', '21.7.3', '22.11.99', '22.0.0'])
  test(`Node ${version} is not`, () =>
    expect(whyNotNode(version, ENGINES)).toBe(
      `Node ${version} is not supported: install Node ^20.19.0 or >=22.12.0.`,
    ));

test('the range is that of package.json', () => {
  expect(whyNotNode(process.versions.node)).toBeUndefined();
  expect(whyNotNode('18.0.0')).toMatch(/^Node 18\.0\.0 is not supported/);
});

test('more workers the longer answers take, within bounds; WORKERS wins', () => {
  const counts = [undefined, 1, 20, 150, 10_000].map((latency) => workersFor({}, latency));
  expect(counts[0]).toBe(2);
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
  expect(counts[3]).toBeGreaterThan(4);
  expect(counts[4]).toBe(16);
  expect(workersFor({ WORKERS: '3' }, 150)).toBe(3);
});

test('the latency is that of one request, without the making of the connection', async () => {
  const server = createServer((_, response) => setTimeout(() => response.end('{}'), 60));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/2025-10-13`;
  const latency = await latencyOf(profileOf(url, 'public-calls'));
  expect(latency).toBeGreaterThan(55);
  expect(latency).toBeLessThan(400);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(await latencyOf(profileOf(url, 'public-calls'))).toBeUndefined();
});
