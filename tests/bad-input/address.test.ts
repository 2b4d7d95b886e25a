import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from '@playwright/test';
import { generate } from 'selfsigned';
import { forwardProxy, type ProxyManners } from '../support/proxy.ts';
import { answerOf, bytesServer } from '../support/servers.ts';
import { CREDENTIALS, refuses } from './refuses.ts';

test('BASE_URL is no address', () =>
  refuses(
    { ...CREDENTIALS, BASE_URL: 'sandbox' },
    'BASE_URL is not a URL: write it like https://host/path/2025-10-13.',
    'alone',
  ));

test('nothing listens at BASE_URL', async () => {
  const server = await bytesServer(() => undefined);
  await server[Symbol.asyncDispose]();
  await refuses(
    { ...CREDENTIALS, BASE_URL: `${server.url}/2025-10-13/` },
    `BASE_URL ${server.url}/2025-10-13 cannot be tested: nothing listens there (connection refused). Check the address, and that the service runs.`,
    'alone',
  );
});

test('the certificate at BASE_URL is not trusted', async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
  const server = createServer({ key, cert }, (_, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  await refuses(
    { ...CREDENTIALS, BASE_URL: `https://localhost:${port}/2025-10-13` },
    /cannot be tested: its TLS certificate is self-signed; .* NODE_EXTRA_CA_CERTS=path\.pem .*issuer\.$/,
  );
  await new Promise((resolve) => server.close(resolve));
});

/** What answers there, and is not the service; tests/target/preflight.test.ts has them all. */
const STRANGERS: Readonly<Record<string, readonly [bytes: string, RegExp, scheme?: 'https']>> = {
  'a port that speaks plain HTTP, by https': [answerOf('{}'), /cannot be tested: .*TLS/, 'https'],
  'something that is no HTTP': [
    '220 mail.example.com ESMTP\r\n',
    /cannot be tested: it does not speak HTTP on that port\./,
  ],
  'a 404 page for every path': [
    answerOf('<h1>Not Found</h1>', 'HTTP/1.1 404 Not Found'),
    /has none of the service's operations: check its path/,
  ],
  'a service that refuses the credentials': [
    answerOf(
      '{"status":401,"code":"UNAUTHORIZED","message":"no"}',
      'HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json',
    ),
    /^BASE_URL http:.* refuses CLIENT_ID and CLIENT_SECRET \(401\): check that they belong to this address and may use it\.$/,
  ],
};

for (const [what, [bytes, sentence, scheme = 'http']] of Object.entries(STRANGERS))
  test(`BASE_URL leads to ${what}`, async () => {
    await using server = await bytesServer((socket) => socket.end(bytes));
    const BASE_URL = `${server.url.replace('http', scheme)}/2025-10-13`;
    await refuses({ ...CREDENTIALS, BASE_URL }, sentence);
  });

/** What a proxy is like, the variable that names it with its login, and what a run says. */
const PROXIES: Readonly<
  Record<string, readonly [ProxyManners, 'HTTP_PROXY' | 'HTTPS_PROXY', string, RegExp]>
> = {
  'wants another password, and the service is not blamed': [
    { login: 'me:right' },
    'HTTPS_PROXY',
    'http://me:wrong@',
    /^The proxy 127\.0\.0\.1:\d+ \(HTTPS_PROXY\) answers 407: it wants a name and a password that it knows, so set HTTPS_PROXY=http:\/\/name:password@127\.0\.0\.1:\d+\.$/,
  ],
  'reaches nobody by plain http': [
    { refusal: 502 },
    'HTTP_PROXY',
    'http://',
    /^The proxy 127\.0\.0\.1:\d+ \(HTTP_PROXY\) answers 502 for BASE_URL http:/,
  ],
  'is named by no URL': [{}, 'HTTP_PROXY', '', /^HTTP_PROXY is not the URL of a proxy: write it like http:/],
};

for (const [what, [manners, variable, before, sentence]] of Object.entries(PROXIES))
  test(`the proxy ${what}`, async () => {
    await using proxy = await forwardProxy(manners);
    const scheme = variable === 'HTTPS_PROXY' ? 'https' : 'http';
    await refuses(
      {
        ...{ ...CREDENTIALS, ENVIRONMENT: 'sandbox', BASE_URL: `${scheme}://service.test/2025-10-13` },
        [variable]: `${before}${proxy.host}`,
      },
      sentence,
    );
  });
