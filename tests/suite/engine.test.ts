import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runSpecs } from './run-specs.ts';
import { ACTION, send, smallService, refuse } from './small-service.ts';
import { scratch } from '../support/run-assay.ts';

test('mistakes of the suite itself accuse nobody, and the run does not pass', async () => {
  test.setTimeout(300_000);
  const spec = `
    test('blind', verifies('TRANSFER-ACCEPTED'), async ({ given, check }) => {
      await given.agent();
      await check('TRANSFER-ACCEPTED', () => expect(1).toBe(1));
    });
    test('unnamed', verifies('TRANSFER-RAIL-DEFAULT'), async ({ given, check }) => {
      const a = await (await given.agent()).transferOut();
      await check('TRANSFER-RAIL-UNKNOWN', () => expect(a).toBeAccepted());
    });
    test('typing', verifies('TRANSFER-RAIL-SUPPORTED'), async ({ given, check }) => {
      const a = await (await given.agent()).transferOut();
      await check('TRANSFER-RAIL-SUPPORTED', () => a.body.nothing.at.all);
    });`;
  await using service = await smallService(({ response }) => send(response, 201, ACTION));
  // A repeat would show the same.
  const { code, report } = await runSpecs(spec, service.env, ['--retries=0']);
  expect(code).toBe(2);
  expect(report?.rules.filter((rule) => rule.verdict === 'violated')).toEqual([]);
  const errors = report?.run.engineErrors.join('\n');
  expect(errors).toContain("check('TRANSFER-ACCEPTED') looked at no answer, so it proves nothing");
  expect(errors).toContain("check('TRANSFER-RAIL-UNKNOWN') is not named by verifies() of its test");
  expect(errors).toContain('Cannot read properties of undefined');
});

const KNOWN_SPEC = `
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

test('known failures are expected: no test is red, the rules are known, and what is open stays open', async () => {
  test.setTimeout(300_000);
  await using service = await smallService(({ response, body }) =>
    body.remittanceInformation === 'refuses'
      ? refuse(response, 400, 'INVALID_INPUT')
      : send(response, 201, { ...ACTION, updatedAt: 'yesterday' }),
  );
  const KNOWN_FAILURES = join(scratch('known'), 'known.yaml');
  writeFileSync(
    KNOWN_FAILURES,
    '- { rule: TRANSFER-ACCEPTED, reason: ticket 12 }\n- { rule: ACTION-UPDATED-AT, reason: ticket 13 }',
  );
  const { code, output, report } = await runSpecs(KNOWN_SPEC, { ...service.env, KNOWN_FAILURES });
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
