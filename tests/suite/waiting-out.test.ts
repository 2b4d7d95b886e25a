import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runSpecs } from './run-specs.ts';
import { ACTION, send, smallService } from './small-service.ts';

const SPEC = `
  test('a transfer', verifies('TRANSFER-ACCEPTED'), async ({ given, check }) => {
    const agent = await given.agent();
    const a = await agent.transferOut();
    await check('TRANSFER-ACCEPTED', () => expect(a).toBeAccepted());
  });`;

test('a 429 is waited out as it asks, and accuses nobody; both answers are evidence', async () => {
  test.setTimeout(180_000);
  const at: number[] = [];
  await using service = await smallService(({ response }) => {
    at.push(performance.now());
    if (at.length > 1) return send(response, 201, ACTION);
    response.setHeader('retry-after', '1');
    send(response, 429, { status: 429, code: 'RATE_LIMITED', message: 'later' });
  });
  const { report, folder } = await runSpecs(SPEC, service.env);
  expect(report?.rules.find(({ id }) => id === 'TRANSFER-ACCEPTED')?.verdict).toBe('verified');
  expect(at).toHaveLength(2);
  expect((at[1] as number) - (at[0] as number)).toBeGreaterThan(990);
  expect(readFileSync(join(folder, 'exchanges.ndjson'), 'utf8')).toContain('(sent again after 1 s)');
});
