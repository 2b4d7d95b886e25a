import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { latencyOf, workersFor } from '../../target/workers.ts';
import { profileOf } from '../doctor/profile-of.ts';

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
