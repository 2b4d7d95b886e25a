import { fork, spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { HttpClient } from '../../../client/http/http-client.ts';
import { Manners } from '../../../client/http/manners.ts';
import { root, scratch } from '../../support/run-assay.ts';

/** A service that notes when requests come, how many are under way at once, and who sends them. */
async function service(takesMs: number) {
  const seen = { at: [] as number[], most: 0, agents: new Set<string | undefined>() };
  let now = 0;
  const server = createServer((request, response) => {
    seen.at.push(performance.now());
    seen.agents.add(request.headers['user-agent']);
    seen.most = Math.max(seen.most, (now += 1));
    setTimeout(() => {
      now -= 1;
      response.end('{}');
    }, takesMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { seen, url, [Symbol.asyncDispose]: async () => void server.close() };
}

/** Another process of this machine that sends so many requests at once. */
function elsewhere(url: string, count: number, options: object, folder: string): Promise<number | null> {
  const script = join(folder, 'sender.mts');
  const at = (path: string) => JSON.stringify(join(root, path));
  writeFileSync(
    script,
    `import { HttpClient } from ${at('client/http/http-client.ts')};
import { Manners } from ${at('client/http/manners.ts')};
const manners = new Manners(${JSON.stringify(url)}, ${JSON.stringify(options)}, ${JSON.stringify(folder)});
const http = new HttpClient({ timeoutMs: 5000, manners });
await Promise.all(Array.from({ length: ${count} }, () => http.send({ method: 'GET', url: ${JSON.stringify(url)}, headers: {} })));
await http.close();
`,
  );
  const child = fork(script, { execArgv: ['--import', 'tsx'], cwd: root });
  return new Promise((resolve) => child.on('close', resolve));
}

async function sendTogether(url: string, options: object, folder: string): Promise<void> {
  const http = new HttpClient({ timeoutMs: 5_000, manners: new Manners(url, options, folder) });
  const sends = Array.from({ length: 6 }, () => http.send({ method: 'GET', url, headers: {} }));
  expect(await elsewhere(url, 6, options, folder)).toBe(0);
  for (const { response } of await Promise.all(sends)) expect(response?.status).toBe(200);
  await http.close();
}

test('a pace holds over two processes', async () => {
  await using target = await service(0);
  await sendTogether(target.url, { pace: 10 }, scratch('manners'));
  const { at } = target.seen;
  expect(at).toHaveLength(12);
  // Twelve turns of 100 ms have eleven spaces between them; timers may be a little early.
  expect(at.at(-1)! - at[0]!).toBeGreaterThan(1_050);
  // A busy machine delays some, and hastens none.
  for (const [index, time] of at.entries()) expect(time - at[0]!).toBeGreaterThan(index * 100 - 300);
});

test('no more are under way at once than may be, over two processes', async () => {
  await using target = await service(60);
  await sendTogether(target.url, { concurrency: 2 }, scratch('manners'));
  expect(target.seen.at).toHaveLength(12);
  expect(target.seen.most).toBeLessThanOrEqual(2);
});

test('the place of a process that died is taken', async () => {
  const folder = scratch('manners');
  const dead = spawn(process.execPath, ['--eval', '']);
  await new Promise((resolve) => dead.on('close', resolve));
  const manners = new Manners('http://a.example/', { concurrency: 1 }, folder);
  const leave = await manners.enter('http://a.example/x');
  leave();
  const mine = new Manners('http://a.example/', { concurrency: 1 }, folder);
  const [origin] = readdirSync(folder);
  writeFileSync(join(folder, origin!, 'place-0'), String(dead.pid));
  await mine.enter('http://a.example/x');
});

test('other origins are not held back, and every request names its run', async () => {
  await using target = await service(0);
  const manners = new Manners('http://127.0.0.1:1/', { pace: 0.001 }, scratch('manners'));
  const http = new HttpClient({ timeoutMs: 5_000, manners });
  const { response } = await http.send({ method: 'GET', url: target.url, headers: {} });
  await http.close();
  expect(response?.status).toBe(200);
  const [agent] = target.seen.agents;
  expect(agent).toMatch(/^assay \(run [0-9a-f]{8}\)$/);
});
