import { readFileSync, writeFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { generate } from 'selfsigned';
import { forwardProxy } from '../support/proxy.ts';
import { runAssay, scratch } from '../support/run-assay.ts';
import { spawnSandbox } from '../support/sandbox-process.ts';

const PASSWORD = 'Ieh7oong';

test('a certificate of the company and a proxy with a password: preflight and workers pass both', async () => {
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
  const pem = join(scratch('certificate'), 'company.pem');
  writeFileSync(pem, cert);
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
});
