import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@playwright/test';
import { root } from '../support/run-assay.ts';

test('says where it listens and with which credentials, and stops at once', async () => {
  const args = ['--import', 'tsx', 'sandbox/main.ts', '--port', '0', '--world', 'variant.3'];
  const child = spawn(process.execPath, args, { cwd: root });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    if (/listening on .*\n/.test(out)) child.kill('SIGTERM');
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(out).toMatch(/^assay sandbox listening on http:\/\/127\.0\.0\.1:\d+\/variant\.3\/2025-10-13$/m);
  expect(out).toMatch(
    /client id sandbox, client secret sandbox-secret, provider states http:.*\/variant\.3\/provider-states/,
  );
});
