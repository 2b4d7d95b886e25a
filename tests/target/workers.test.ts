import { expect, test } from '@playwright/test';
import { latencyOf, workersFor } from '../../target/workers.ts';
import { listening } from '../support/servers.ts';
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
  const server = await listening((_request, response) => setTimeout(() => response.end('{}'), 60));
  const profile = profileOf(`${server.origin}/2025-10-13`, 'public-calls');
  const latency = await latencyOf(profile);
  expect(latency).toBeGreaterThan(55);
  expect(latency).toBeLessThan(400);
  await server[Symbol.asyncDispose]();
  expect(await latencyOf(profile)).toBeUndefined();
});
