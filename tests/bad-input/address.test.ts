import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { test } from '@playwright/test';
import { generate } from 'selfsigned';
import { bytesServer, answerOf } from '../support/servers.ts';
import { forwardProxy } from '../support/proxy.ts';
import { CREDENTIALS, refuses } from './refuses.ts';

test('BASE_URL is no address', () =>
  refuses(
    { ...CREDENTIALS, BASE_URL: 'sandbox' },
    'BASE_URL is not a URL: write it like https://host/path/2025-10-13.',
    'alone',
  ));

test('nothing listens at BASE_URL', async () => {
  const server = createServer();
  const port = await listen(server);
  await close(server);
  await refuses(
    { ...CREDENTIALS, BASE_URL: `http://127.0.0.1:${port}/2025-10-13/` },
    `BASE_URL http://127.0.0.1:${port}/2025-10-13 cannot be tested: nothing listens there (connection refused). Check the address, and that the service runs.`,
    'alone',
  );
});

test('the certificate at BASE_URL is not trusted', async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
  const server = createSecureServer({ key, cert }, (_, response) => response.end('{}'));
  const port = await listen(server);
  await refuses(
    { ...CREDENTIALS, BASE_URL: `https://localhost:${port}/2025-10-13` },
    /cannot be tested: its TLS certificate is self-signed; .* NODE_EXTRA_CA_CERTS=path\.pem .*issuer\.$/,
  );
  await close(server);
});

test('the proxy wants another password, and the service is not blamed', async () => {
  await using proxy = await forwardProxy({ login: 'me:right' });
  await refuses(
    {
      ...CREDENTIALS,
      ENVIRONMENT: 'sandbox',
      BASE_URL: 'https://service.test/2025-10-13',
      HTTPS_PROXY: `http://me:wrong@${proxy.host}`,
    },
    `The proxy ${proxy.host} (HTTPS_PROXY) answers 407: it wants a name and a password that it knows, so set HTTPS_PROXY=http://name:password@${proxy.host}.`,
    'alone',
  );
});

test('the proxy reaches nobody by plain http', async () => {
  await using proxy = await forwardProxy({ refusal: 502 });
  await refuses(
    {
      ...CREDENTIALS,
      ENVIRONMENT: 'sandbox',
      BASE_URL: 'http://service.test/2025-10-13',
      HTTP_PROXY: `http://${proxy.host}`,
    },
    /^The proxy 127\.0\.0\.1:\d+ \(HTTP_PROXY\) answers 502 for BASE_URL http:/,
  );
});

test('a proxy that is no URL', () =>
  refuses(
    {
      ...CREDENTIALS,
      ENVIRONMENT: 'sandbox',
      BASE_URL: 'http://service.test/2025-10-13',
      HTTP_PROXY: 'proxy.test:3128',
    },
    /^HTTP_PROXY is not the URL of a proxy: write it like http:/,
  ));

test('https is asked of a port that speaks plain HTTP', async () => {
  const server = createServer((_, response) => response.end('{}'));
  const port = await listen(server);
  await refuses(
    { ...CREDENTIALS, BASE_URL: `https://127.0.0.1:${port}/2025-10-13` },
    /cannot be tested: .*TLS/,
  );
  await close(server);
});

test('something that is no HTTP answers', async () => {
  await using server = await bytesServer((socket) => socket.end('220 mail.example.com ESMTP\r\n'));
  await refuses(
    { ...CREDENTIALS, BASE_URL: `${server.url}/2025-10-13` },
    /cannot be tested: it does not speak HTTP on that port\./,
  );
});

test('nothing ever comes back', async () => {
  await using server = await bytesServer(() => undefined);
  await refuses(
    {
      ...CREDENTIALS,
      BASE_URL: `${server.url}/2025-10-13`,
      PROFILE: 'tests/bad-input/profiles/impatient.yaml',
    },
    /cannot be tested: no answer came in time\. .* raise requestTimeoutMs in the profile\.$/,
  );
});

/** Servers that answer, and are not the service. */
const STRANGERS: readonly (readonly [what: string, bytes: string, sentence: RegExp])[] = [
  [
    'a 404 page for every path',
    answerOf('<h1>Not Found</h1>', 'HTTP/1.1 404 Not Found'),
    /has none of the service's operations: check its path/,
  ],
  [
    'a 200 page for every path',
    answerOf('<h1>Welcome</h1>', 'HTTP/1.1 200 OK'),
    /has none of the service's operations: check its path/,
  ],
  [
    'a redirect for every path',
    answerOf('', 'HTTP/1.1 301 Moved\r\nlocation: https://other.example/x?token=1'),
    /redirects to https:\/\/other\.example\/x, and redirects are not followed/,
  ],
  [
    'a gateway with nothing behind it',
    answerOf('Bad Gateway', 'HTTP/1.1 502 Bad Gateway'),
    /answers 502 to everything: the service behind it does not run or is broken, start it/,
  ],
];

for (const [what, bytes, sentence] of STRANGERS)
  test(`BASE_URL leads to ${what}`, async () => {
    await using server = await bytesServer((socket) => socket.end(bytes));
    await refuses({ ...CREDENTIALS, BASE_URL: `${server.url}/2025-10-13` }, sentence);
  });

function listen(server: Server): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, 'localhost', () => resolve((server.address() as AddressInfo).port)),
  );
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
