/** Single answers that no service should give, each in a test of its own of one run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { loadRules } from '../../schemas/rules.ts';
import { runSpecs } from '../suite/run-specs.ts';
import { smallService } from '../suite/small-service.ts';
import type { Outcome } from '../support/run-assay.ts';
import { COMMANDS, STACK } from './holds.ts';
import { ANSWER_ROWS, type AnswerRow } from './rows/answers.ts';

/** Each row has a rule of its own, on which its check stands. */
const RULES = loadRules()
  .filter(
    ({ id, level, excluded }) => id.startsWith('TRANSFER-') && level === 'MUST' && excluded === undefined,
  )
  .map(({ id }) => id);

/** Asks for an answer, and checks it. */
const step = ({ name, asserts = 'expect(a).toBeAccepted()' }: AnswerRow, rule: string) =>
  `{
     const a = await agent.transferOut({ remittanceInformation: ${JSON.stringify(name)} });
     await check('${rule}', () => ${asserts});
   }`;

const flow = (title: string, rows: readonly (readonly [AnswerRow, string])[]) =>
  `test(${JSON.stringify(title)}, verifies(${rows.map(([, rule]) => `'${rule}'`).join(', ')}), async ({ given, check }) => {
     const agent = await given.agent();
     ${rows.map(([row, rule]) => step(row, rule)).join('\n')}
   });`;

const PAIRS = ANSWER_ROWS.map((row, index) => [row, RULES[index] as string] as const);
const SPEC = [
  flow(
    'no trouble',
    PAIRS.filter(([{ isTrouble }]) => !isTrouble),
  ),
  ...PAIRS.filter(([{ isTrouble }]) => isTrouble).map((pair) => flow(pair[0].name, [pair])),
].join('\n');

test.describe('single answers', () => {
  test.describe.configure({ mode: 'serial' });
  let outcome: Outcome;

  test.beforeAll(async () => {
    test.setTimeout(600_000);
    await using service = await smallService(({ response, body }) =>
      ANSWER_ROWS.find(({ name }) => name === body.remittanceInformation)?.answer(response),
    );
    outcome = await runSpecs(SPEC, service.env);
  });

  for (const [index, { name, verdict }] of ANSWER_ROWS.entries())
    test(`${name}: ${verdict}`, () => {
      const row = outcome.report?.rules.find(({ id }) => id === RULES[index]);
      expect(row?.verdict, row?.reason).toBe(verdict);
    });

  test('nobody else is accused, nothing crashes, and nothing steers the terminal or the page', () => {
    const { report, output, folder } = outcome;
    const accused = ANSWER_ROWS.flatMap(({ verdict, breaks = [] }, index) => [
      ...breaks,
      ...(verdict === 'violated' ? [RULES[index] as string] : []),
    ]);
    const violated = report?.rules.filter((rule) => rule.verdict === 'violated').map(({ id }) => id);
    expect(violated?.sort()).toEqual([...new Set(accused)].sort());
    expect(report?.run.engineErrors).toEqual([]);
    expect(outcome.code).toBe(1);
    expect(output).not.toMatch(COMMANDS);
    expect(output).not.toMatch(STACK);
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    expect(page).not.toMatch(/<script>alert|<img src=x/);
  });
});
