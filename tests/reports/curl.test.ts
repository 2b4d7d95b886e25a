import { execFileSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { baseOf, curlOf } from '../../reports/html/curl.ts';
import { exchange } from './sample.ts';

const BASE = 'https://sandbox.example.test/service/2025-10-13';
const request = (more: Partial<ReturnType<typeof exchange>['request']>) =>
  exchange('1', { request: { method: 'POST', url: `${BASE}/things`, headers: {}, ...more } });

/** What a shell makes of the command: the arguments that curl would get. */
function argumentsOf(command: string, env: Record<string, string> = {}): string[] {
  const script = command.replace(/^export .*$/gm, '').replace(/^curl/m, 'printf "%s\\0"');
  return execFileSync('sh', ['-c', script], { env: { PATH: process.env['PATH'] ?? '', ...env } })
    .toString()
    .split('\0')
    .slice(0, -1);
}

test('the base URL and the token are variables', () => {
  const command = curlOf(exchange('1'), BASE);
  expect(command).toMatch(/^export BASE_URL=…\nexport ACCESS_TOKEN=…\ncurl /);
  const seen = argumentsOf(command, { BASE_URL: 'http://localhost:1', ACCESS_TOKEN: 'abc' });
  expect(seen).toContain('http://localhost:1/agents/me/transfer-out');
  expect(seen).toContain('authorization: Bearer abc');
  expect(seen).toContain(exchange('1').request.body);
});

test('platform credentials become -u', () => {
  const command = curlOf(request({ headers: { Authorization: 'Basic ••••••' } }), BASE);
  expect(argumentsOf(command, { BASE_URL: '', CLIENT_ID: 'i', CLIENT_SECRET: 's p' })).toContain('i:s p');
});

test('masked places of a body take a variable named after their key', () => {
  const command = curlOf(request({ body: '{"deviceCode":"••••••","note":"it\'s"}' }), BASE);
  expect(argumentsOf(command, { BASE_URL: '', DEVICE_CODE: 'd' })).toContain(
    '{"deviceCode":"d","note":"it\'s"}',
  );
});

test('nothing in a request is run by the shell', () => {
  const body = '@/etc/passwd \'; $(touch x) `id` "$HOME" \\ \n end';
  const command = curlOf(
    request({ method: "A'B", url: "https://e.test/'$(id)", headers: { 'x-a': "'$(id)" }, body }),
    '',
  );
  const seen = argumentsOf(command);
  expect(seen).toEqual(
    expect.arrayContaining(["A'B", "https://e.test/'$(id)", "x-a: '$(id)", '--data-raw', body]),
  );
});

test('the base URL of an embedded target is found by the date that ends it', () => {
  const url = 'http://127.0.0.1:4711/default/2025-10-13';
  expect(baseOf(`${url}/agents/me?x=1`, 'the embedded sandbox')).toBe(url);
  expect(baseOf(url, 'the embedded sandbox')).toBe(url);
  expect(baseOf('http://127.0.0.1:4711/other', 'the embedded sandbox')).toBe('');
  expect(baseOf(`${BASE}x/things`, BASE)).toBe('');
});
