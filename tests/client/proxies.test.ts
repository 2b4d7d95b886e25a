import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { generate } from 'selfsigned';
import { HttpClient, type Exchange } from '../../client/http/http-client.ts';
import { proxyFor } from '../../client/http/proxies.ts';
import { forwardProxy, listening } from '../support/servers.ts';
import { NIGHTLY, runAssay, scratchFile } from '../support/run-assay.ts';
import { spawnSandbox } from '../support/sandbox-process.ts';

const NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];
const before = Object.fromEntries(NAMES.map((name) => [name, process.env[name]]));

function restore(): void {
  for (const [name, value] of Object.entries(before))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
}

async function get(url: string, env: Readonly<Record<string, string>>, method = 'GET'): Promise<Exchange> {
  for (const name of NAMES) delete process.env[name];
  Object.assign(process.env, env);
  const http = new HttpClient({ timeoutMs: 3_000 });
  try {
    return await http.send({ method, url, headers: {}, ...(method === 'POST' ? { body: '{"a":1}' } : {}) });
  } finally {
    await http.close();
    restore();
  }
}

const portOf = (origin: string) => new URL(origin).port;

test('a name and a password are given to the proxy, and to nobody else', async () => {
  const seen: string[] = [];
  await using target = await listening((request, response) => {
    seen.push(JSON.stringify(request.headers));
    response.end('{}');
  });
  await using proxy = await forwardProxy({ login: 'me:p@ss' });
  const url = `http://service.test:${portOf(target.origin)}/x`;
  const exchange = await get(url, { HTTP_PROXY: `http://me:p%40ss@${proxy.host}` });
  expect(exchange.response?.status).toBe(200);
  expect(JSON.stringify([exchange, seen])).not.toMatch(/p@ss|p%40ss|proxy-authorization/i);
});

const BOTH = { HTTP_PROXY: 'http://plain.test:1', HTTPS_PROXY: 'http://secure.test:2' };
/** What undici's EnvHttpProxyAgent does with each. */
const CHOICES: readonly (readonly [
  address: string,
  env: Record<string, string>,
  host: string | undefined,
])[] = [
  ['http://a.test/x', BOTH, 'plain.test:1'],
  ['https://a.test/x', BOTH, 'secure.test:2'],
  ['https://a.test/x', { HTTP_PROXY: 'http://plain.test:1' }, 'plain.test:1'],
  ['http://a.test/x', { HTTPS_PROXY: 'http://secure.test:2' }, undefined],
  ['http://a.test/x', { ...BOTH, http_proxy: 'http://low.test:3' }, 'low.test:3'],
  ['http://a.test/x', { ...BOTH, http_proxy: '' }, undefined],
  ['http://a.test/x', { ...BOTH, NO_PROXY: '*' }, undefined],
  ['http://a.test/x', { ...BOTH, NO_PROXY: 'b.test a.test' }, undefined],
  ['http://x.a.test/x', { ...BOTH, NO_PROXY: 'b.test,.a.test' }, undefined],
  ['http://xa.test/x', { ...BOTH, NO_PROXY: '*.a.test,a.test' }, 'plain.test:1'],
  ['http://a.test:81/x', { ...BOTH, NO_PROXY: 'a.test:81' }, undefined],
  ['http://a.test/x', { ...BOTH, NO_PROXY: 'a.test:81' }, 'plain.test:1'],
  ['https://a.test/x', { ...BOTH, no_proxy: 'a.test:443', NO_PROXY: 'b.test' }, undefined],
  ['http://[::1]:80/x', BOTH, undefined],
  ['http://localhost/x', BOTH, undefined],
];

for (const [address, env, host] of CHOICES)
  test(`${address} with ${JSON.stringify(env)}`, () => expect(proxyFor(address, env)?.host).toBe(host));

const PASSWORD = 'Ieh7oong';

test(
  'a certificate of the company and a proxy with a password: preflight and workers pass both',
  NIGHTLY,
  async () => {
    test.setTimeout(180_000);
    await using sandbox = await spawnSandbox();
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'service.test' }], {
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'service.test' }] }],
    });
    const server = createServer({ key, cert }, (request, response) => {
      const { method, headers, url } = request;
      const out = send(`${sandbox.origin}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      out.on('error', () => response.destroy());
      request.pipe(out);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const pem = scratchFile('company.pem', cert);
    await using proxy = await forwardProxy({ login: `me:${PASSWORD}` });
    try {
      const { code, output, folder, report } = await runAssay(
        {
          BASE_URL: `https://service.test:${port}/default/2025-10-13`,
          CLIENT_ID: 'sandbox',
          CLIENT_SECRET: 'sandbox-secret',
          ENVIRONMENT: 'sandbox',
          HTTPS_PROXY: `http://me:${PASSWORD}@${proxy.host}`,
          NODE_EXTRA_CA_CERTS: pem,
        },
        ['specs/agents/acceptance.spec.ts'],
      );
      expect(output).toContain(`through the proxy ${proxy.host}`);
      expect(report?.rules.filter(({ verdict }) => verdict === 'verified').length).toBeGreaterThan(0);
      expect(report?.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
      expect(code).not.toBe(2);
      expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT service.test:${port}`]));
      const written = ['conformance.json', 'exchanges.ndjson', 'index.html'].map((name) =>
        readFileSync(join(folder, name), 'utf8'),
      );
      expect([output, ...written].join('\n')).not.toContain(PASSWORD);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  },
);
