import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { generate } from 'selfsigned';
import { HttpClient, type Exchange } from '../../../client/http/http-client.ts';
import { proxyFor } from '../../../client/http/proxies.ts';
import { forwardProxy } from '../../support/proxy.ts';
import { listening } from '../../support/servers.ts';

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

test('plain http is asked in the absolute form, with its body and its own host', async () => {
  await using target = await listening((request, response, text) =>
    response.end(`${request.method} ${request.headers.host} ${text}`),
  );
  await using proxy = await forwardProxy();
  const url = `http://service.test:${portOf(target.origin)}/x?y=1`;
  const { response, request } = await get(url, { HTTP_PROXY: `http://${proxy.host}` }, 'POST');
  expect(response?.text).toBe(`POST service.test:${portOf(target.origin)} {"a":1}`);
  expect(proxy.asked).toEqual([`POST ${url}`]);
  expect(request.url).toBe(url);
});

test('https goes through a tunnel, and whose certificate is not trusted is told', async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'service.test' }]);
  const server = createServer({ key, cert }, (_, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await using proxy = await forwardProxy();
  const { failure } = await get(`https://service.test:${port}/x`, { HTTPS_PROXY: `http://${proxy.host}` });
  expect(proxy.asked).toEqual([`CONNECT service.test:${port}`]);
  expect(failure).toMatch(/^its TLS certificate is self-signed; .*NODE_EXTRA_CA_CERTS=path\.pem/);
  await new Promise((resolve) => server.close(resolve));
});

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

for (const scheme of ['http', 'https'])
  test(`${scheme}: a proxy that wants another password is named without it`, async () => {
    await using proxy = await forwardProxy({ login: 'me:right' });
    const { failure } = await get(`${scheme}://service.test:1/x`, {
      HTTP_PROXY: `http://me:wrong@${proxy.host}`,
    });
    expect(failure).toBe(
      `the proxy ${proxy.host} (HTTP_PROXY) answers 407: it wants a name and a password that it knows, so set HTTP_PROXY=http://name:password@${proxy.host}`,
    );
  });

test('a proxy that reaches nobody, and one that is not there', async () => {
  await using proxy = await forwardProxy({ refusal: 502 });
  const { failure } = await get('https://service.test/x', { HTTPS_PROXY: `http://${proxy.host}` });
  expect(failure).toMatch(/^the proxy 127\.0\.0\.1:\d+ \(HTTPS_PROXY\) answers 502 and leads nowhere: check/);
  for (const scheme of ['http', 'https']) {
    const nobody = await get(`${scheme}://service.test/x`, { http_proxy: 'http://127.0.0.1:9' });
    expect(nobody.failure).toMatch(
      /^the proxy 127\.0\.0\.1:9 \(http_proxy\) cannot be reached: nothing listens/,
    );
  }
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
