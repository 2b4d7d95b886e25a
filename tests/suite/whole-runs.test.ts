import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startSandbox } from '../../sandbox/start.ts';
import { runAssay, scratch } from '../support/run-assay.ts';

test('the embedded sandbox takes the brand that a run is given', async () => {
  test.setTimeout(120_000);
  // A header, fields and an event's signature carry the brand.
  const specs = ['quotes/rate-details', 'credentials/stamp-headers', 'events/delivery'];
  const { code, output, report } = await runAssay(
    { BRAND: 'Acme' },
    specs.map((name) => `specs/${name}.spec.ts`),
  );
  expect(code, output).toBe(0);
  expect(report?.target.brand).toBe('Acme');
  expect(report?.rules.filter(({ verdict }) => verdict === 'verified').length).toBeGreaterThan(5);
});

test("with another reporter on the command line, verdict and exit code are still Assay's", async () => {
  test.setTimeout(120_000);
  const { code, output, report } = await runAssay(
    // Playwright alone would end with 1 too, so the verdict itself is read.
    { ASSAY_WORLD: 'fault.everything-needs-approval' },
    ['specs/agents/acceptance.spec.ts', '--reporter=line'],
  );
  expect(output.split('\n').find((line) => line.startsWith('Assay '))).toBe(
    'Assay tests the embedded sandbox, prepared by its provider-states URL, seed 20251013, 1 worker.',
  );
  expect(output).toMatch(/^Violated/m);
  expect(report?.verdict).toBe('violated');
  expect(code).toBe(1);
});

test('a list of tests is no run, whatever lists it', async () => {
  test.setTimeout(120_000);
  const { code, output } = await runAssay({}, [
    'specs/agents/acceptance.spec.ts',
    '--list',
    '--reporter=line',
  ]);
  expect(output).not.toMatch(/^(Assay tests|Violated|Conforming|Not judged|Incomplete)/im);
  expect(code).toBe(0);
});

const OPERATION = /"operation":"challengeCredential"/g;

test('with sparing, a test that any session serves costs no challenge, and shows its rule all the same', async () => {
  test.setTimeout(120_000);
  const sandbox = await startSandbox();
  const run = async (profile: string) => {
    const file = join(scratch('sparing'), 'profile.yaml');
    writeFileSync(file, profile);
    const { report, folder } = await runAssay(
      {
        BASE_URL: sandbox.baseUrl(),
        CLIENT_ID: 'sandbox',
        CLIENT_SECRET: 'sandbox-secret',
        PROVIDER_STATES_URL: sandbox.statesUrl(),
        PROFILE: file,
      },
      ['specs/credentials/wallet.spec.ts', '-g', 'WALLET-EXPORT-COMPLETES'],
    );
    const verified = report!.rules.filter(({ verdict }) => verdict === 'verified').map(({ id }) => id);
    const challenges = readFileSync(join(folder, 'exchanges.ndjson'), 'utf8').match(OPERATION)?.length ?? 0;
    return { verified, challenges };
  };
  const usual = await run('sparing: false');
  const sparing = await run('sparing: true');
  await sandbox.close();
  expect(usual.challenges).toBeGreaterThan(0);
  expect(sparing.challenges).toBe(0);
  for (const { verified } of [usual, sparing]) expect(verified).toContain('WALLET-EXPORT-COMPLETES');
});
