import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { scratch } from '../support/run-assay.ts';
import { runSpecs } from './run-specs.ts';
import { ACTION, refuse, send, smallService } from './small-service.ts';

const SPEC = `
test('a known violation', verifies('TRANSFER-ACCEPTED'), async ({ given, check }) => {
  const agent = await given.agent();
  const a = await agent.transferOut({ remittanceInformation: 'refuses' });
  await check('TRANSFER-ACCEPTED', () => expect(a).toBeAccepted());
});
test('a known shape, and then a control that fails', verifies('TRANSFER-RAIL-UNKNOWN'), async ({ given, need }) => {
  const agent = await given.agent();
  await agent.transferOut({ remittanceInformation: 'wrong time' });
  need(await agent.transferOut({ remittanceInformation: 'refuses' })).accepted();
});`;

function serve() {
  return smallService(({ response, body }) =>
    body.remittanceInformation === 'refuses'
      ? refuse(response, 400, 'INVALID_INPUT')
      : send(response, 201, { ...ACTION, updatedAt: 'yesterday' }),
  );
}

function known(text: string): string {
  const file = join(scratch('known'), 'known.yaml');
  writeFileSync(file, text);
  return file;
}

test('known failures are expected: no test is red, the rules are known, and what is open stays open', async () => {
  test.setTimeout(300_000);
  await using service = await serve();
  const KNOWN_FAILURES = known(
    '- { rule: TRANSFER-ACCEPTED, reason: ticket 12 }\n- { rule: ACTION-UPDATED-AT, reason: ticket 13 }',
  );
  const { code, output, report } = await runSpecs(SPEC, { ...service.env, KNOWN_FAILURES });
  const verdicts = Object.fromEntries(report?.rules.map((rule) => [rule.id, rule]) ?? []);
  expect(verdicts['TRANSFER-ACCEPTED']).toMatchObject({
    verdict: 'known',
    reason: expect.stringContaining('ticket 12'),
  });
  expect(verdicts['ACTION-UPDATED-AT']?.verdict).toBe('known');
  expect(verdicts['TRANSFER-RAIL-UNKNOWN']?.verdict).toBe('inconclusive');
  expect(output).not.toContain('failed');
  expect(report?.verdict).toBe('incomplete');
  expect(code).toBe(2);
});

test('a violation that nobody knows of stays red beside a known one', async () => {
  test.setTimeout(300_000);
  await using service = await serve();
  const { code, report } = await runSpecs(SPEC, {
    ...service.env,
    KNOWN_FAILURES: known('- { rule: TRANSFER-ACCEPTED, reason: ticket 12 }'),
  });
  expect(report?.rules.filter((rule) => rule.verdict === 'violated').map((rule) => rule.id)).toEqual([
    'ACTION-UPDATED-AT',
  ]);
  expect(code).toBe(1);
});
