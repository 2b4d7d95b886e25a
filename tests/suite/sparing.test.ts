import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startSandbox } from '../../sandbox/start.ts';
import { runAssay, scratch } from '../support/run-assay.ts';

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
