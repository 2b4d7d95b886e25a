import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startSandbox, type Sandbox } from '../../sandbox/start.ts';
import { runAssay } from '../support/run-assay.ts';

let sandbox: Sandbox;
test.beforeAll(async () => void (sandbox = await startSandbox()));
test.afterAll(() => sandbox.close());

const target = () => ({
  BASE_URL: sandbox.baseUrl(),
  CLIENT_ID: sandbox.clientId,
  CLIENT_SECRET: sandbox.clientSecret,
});

test('a run ends when its requests are used up, and accuses nobody', async () => {
  test.setTimeout(90_000);
  const { code, output, report } = await runAssay({ ...target(), MAX_REQUESTS: '12' }, [
    'specs/agents/approval.spec.ts',
  ]);
  expect(output).toContain('the run has sent the 12 requests that it may (MAX_REQUESTS');
  expect(report?.defects).toEqual([]);
  expect(code).toBe(2);
});

test('an amount above the bound is not sent, what it is for stays open, and what was made is listed', async () => {
  test.setTimeout(90_000);
  const { code, output, report, folder } = await runAssay({ ...target(), MAX_AMOUNT: '5000' }, [
    '-g',
    'TRANSFER-ACCEPTED',
  ]);
  const rule = report?.rules.find(({ id }) => id === 'TRANSFER-ACCEPTED');
  expect(rule?.verdict).toBe('not verified');
  expect(rule?.reason).toMatch(
    /its amount \d+ is above the largest that this run may send, 5000 \(MAX_AMOUNT/,
  );
  expect(code).toBe(2);
  expect(output).toMatch(/Left on the target: \d+ Customer/);
  const { records } = JSON.parse(readFileSync(join(folder, 'left-behind.json'), 'utf8')) as {
    records: Record<string, string[]>;
  };
  expect(Object.keys(records)).not.toContain('Agent');
  expect(existsSync(join(folder, 'conformance.json'))).toBe(true);
});
