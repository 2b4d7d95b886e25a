import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { readProfileFile } from '../../target/profile-file.ts';
import { evaluate } from '../support/evaluate.ts';
import { scratch, scratchFile } from '../support/run-assay.ts';

const ADDRESS = 'https://sandbox.acme.example/2025-10-13';

/** Runs it with options in one line. */
async function init(options: string, out = join(scratch('init'), 'acme.yaml'), address = ADDRESS) {
  const args = ['--base-url', address, ...options.split(' ').filter(Boolean), '--out', out];
  const { code, output } = await evaluate({ script: 'doctor/init.ts', args });
  return { code, output, out };
}

test('the options of a script become a profile that is read, with its schema beside it', async () => {
  const { code, output, out } = await init(
    '--environment sandbox --brand Acme --without cards,stablecoins --pace 20',
  );
  expect(output).toMatch(/npm run doctor\n$/);
  expect(code).toBe(0);
  expect(readProfileFile(out)).toEqual({
    baseUrl: ADDRESS,
    environment: 'sandbox',
    brand: 'Acme',
    without: ['cards', 'stablecoins'],
    pace: 20,
  });
  const [, schema = ''] = /\$schema=(\S+)/.exec(readFileSync(out, 'utf8')) ?? [];
  expect(existsSync(resolve(dirname(out), schema))).toBe(true);
});

test('a file that is there is left alone', async () => {
  const out = scratchFile('acme.yaml', 'name: Mine\n');
  const { code, output } = await init('--yes', out);
  expect(output).toContain('is there already');
  expect(code).toBe(2);
  expect(readFileSync(out, 'utf8')).toBe('name: Mine\n');
});

const LIVE = 'https://api.live.acme.example/2025-10-13';

for (const [address, sentence] of [
  ['hello', /^BASE_URL is not a URL: write it like/],
  [LIVE, /looks like production .*--sandbox-host HOST\.$/],
  ['https://acme.example/2025-10-13', /^Nothing says that acme\.example is a sandbox.*--environment sandbox/],
] as const)
  test(`${address} is refused as a run would refuse it, and nothing is written`, async () => {
    const { code, output, out } = await init('', undefined, address);
    expect(output.trim()).toMatch(sentence);
    expect(code).toBe(2);
    expect(existsSync(out)).toBe(false);
  });
