import { readFileSync, writeFileSync } from 'node:fs';
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

test('a target that stops answering in the middle does not hang the run, and accuses nobody', async () => {
  test.setTimeout(300_000);
  const spec = `
    for (let i = 0; i < 30; i += 1)
      test('number ' + i, verifies('TRANSFER-ACCEPTED'), async ({ given, check }) => {
        const agent = await given.agent();
        const a = await agent.transferOut();
        await check('TRANSFER-ACCEPTED', () => expect(a).toBeAccepted());
      });`;
  let answered = 0;
  await using service = await smallService(
    ({ response }) => void ((answered += 1) <= 3 && send(response, 201, ACTION)),
  );
  const started = performance.now();
  const { code, report } = await runSpecs(spec, {
    ...service.env,
    PROFILE: 'tests/bad-input/profiles/impatient.yaml',
  });
  expect(performance.now() - started).toBeLessThan(60_000);
  expect(report?.rules.filter((rule) => rule.verdict === 'violated')).toEqual([]);
  const accepted = report?.rules.find((rule) => rule.id === 'TRANSFER-ACCEPTED');
  expect(accepted?.verdict).toBe('inconclusive');
  expect(report?.run.tests.failed).toBe(0);
  expect(report?.run.engineErrors).toEqual([]);
  expect(code).toBe(2);
});

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

test('a violation that nobody knows of stays red beside a known one', async () => {
  test.setTimeout(300_000);
  await using service = await serve();
  const { code, report } = await runSpecs(KNOWN_SPEC, {
    ...service.env,
    KNOWN_FAILURES: known('- { rule: TRANSFER-ACCEPTED, reason: ticket 12 }'),
  });
  expect(report?.rules.filter((rule) => rule.verdict === 'violated').map((rule) => rule.id)).toEqual([
    'ACTION-UPDATED-AT',
  ]);
  expect(code).toBe(1);
});
