import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { readProfileFile } from '../../target/profile-file.ts';
import { evaluate } from '../support/evaluate.ts';
import { runNode, scratch } from '../support/run-assay.ts';

const init = (args: readonly string[]) => evaluate({ script: 'doctor/init.ts', args });
const ADDRESS = ['--base-url', 'https://sandbox.acme.example/2025-10-13'];

test('the options of a script become a profile that is read, with its schema beside it', async () => {
  const out = join(scratch('init'), 'acme.yaml');
  const options = [
    '--environment',
    'sandbox',
    '--brand',
    'Acme',
    '--without',
    'cards, stablecoins',
    '--pace',
    '20',
  ];
  const { code, output } = await init([...ADDRESS, ...options, '--out', out]);
  expect(output).toMatch(/npm run doctor\n$/);
  expect(code).toBe(0);
  expect(readProfileFile(out)).toEqual({
    baseUrl: 'https://sandbox.acme.example/2025-10-13',
    environment: 'sandbox',
    brand: 'Acme',
    without: ['cards', 'stablecoins'],
    pace: 20,
  });
  const [, schema = ''] = /\$schema=(\S+)/.exec(readFileSync(out, 'utf8')) ?? [];
  expect(existsSync(resolve(dirname(out), schema))).toBe(true);
});

test('a file that is there is left alone', async () => {
  const out = join(scratch('init'), 'acme.yaml');
  writeFileSync(out, 'name: Mine\n');
  const { code, output } = await init([...ADDRESS, '--yes', '--out', out]);
  expect(output).toContain('is there already');
  expect(code).toBe(2);
  expect(readFileSync(out, 'utf8')).toBe('name: Mine\n');
});

test('a wrong answer is told with its line and a guess', async () => {
  const { code, output } = await init([
    ...ADDRESS,
    '--environment',
    'sandbox',
    '--without',
    'card',
    '--out',
    join(scratch('init'), 'a.yaml'),
  ]);
  expect(output).toMatch(/, line 6, is wrong at without\.0: there is no card; did you mean cards\?\n$/);
  expect(code).toBe(2);
});

for (const [address, sentence] of [
  ['hello', /^BASE_URL is not a URL: write it like/],
  ['https://api.live.acme.example/2025-10-13', /looks like production .*--sandbox-host HOST\.$/],
  ['https://acme.example/2025-10-13', /^Nothing says that acme\.example is a sandbox.*--environment sandbox/],
] as const)
  test(`${address} is refused as a run would refuse it, and nothing is written`, async () => {
    const out = join(scratch('init'), 'a.yaml');
    const { code, output } = await init(['--base-url', address, '--out', out]);
    expect(output.trim()).toMatch(sentence);
    expect(code).toBe(2);
    expect(existsSync(out)).toBe(false);
  });

test('a sandbox with the name of production is written with its word', async () => {
  const out = join(scratch('init'), 'a.yaml');
  const word = ['--environment', 'sandbox', '--sandbox-host', 'api.live.acme.example'];
  const { code } = await init([
    '--base-url',
    'https://api.live.acme.example/2025-10-13',
    ...word,
    '--out',
    out,
  ]);
  expect(code).toBe(0);
  expect(readProfileFile(out)).toMatchObject({ sandboxHost: 'api.live.acme.example' });
});

test('without an address nothing is written', async () => {
  const out = join(scratch('init'), 'a.yaml');
  // In a process of its own, as a user starts it.
  const { code, output } = await runNode(['--import', 'tsx', 'doctor/init.ts', '--yes', '--out', out]);
  expect(output).toContain("The service's address is missing: --base-url");
  expect(code).toBe(2);
  expect(existsSync(out)).toBe(false);
});
