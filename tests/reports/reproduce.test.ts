import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { planOf } from '../../reports/reproduce/plan.ts';
import { scriptOf } from '../../reports/reproduce/reproducers.ts';
import type { Defect } from '../../reports/verdicts/model.ts';
import { NIGHTLY, runNode, runAssay } from '../support/run-assay.ts';
import { runScript, spawnSandbox } from '../support/sandbox-process.ts';
import { exchange, sampleReport } from './sample.ts';

/** Money that moves twice; `npm run reproduce` tries every fault. */
const ASSAY_WORLD = 'fault.replay-moves-money-again';
const RULE = 'TRANSFER-IDEMPOTENCY-MONEY-ONCE';

test(
  'what the report gives to repeat a breach sees it again, and not on the right service',
  NIGHTLY,
  async () => {
    test.setTimeout(180_000);
    await using sandbox = await spawnSandbox();
    const spec = 'specs/agents/idempotency.spec.ts';
    const { report, folder, output } = await runAssay({ ASSAY_WORLD }, [spec, '-g', RULE]);
    const defect = report?.defects.find((each) => each.rule === RULE);
    expect(defect?.reproducer?.script, output).toBe(`reproduce/${RULE}.mjs`);
    const file = join(folder, defect?.reproducer?.script ?? '');
    expect(readFileSync(file, 'utf8')).not.toMatch(/sandbox-secret|Bearer [A-Za-z0-9]/);
    for (const [world, code, words] of [
      [ASSAY_WORLD, 1, 'The breach is there again.'],
      ['default', 0, 'The breach was not seen this time.'],
    ] as const) {
      const ran = await runScript(file, sandbox, world);
      expect(ran.code, ran.output).toBe(code);
      expect(ran.output).toContain(words);
    }
    // The command of the page, as it stands there: the check alone shows the breach again.
    const [seed = '', ...words] = defect?.command?.split(' ') ?? [];
    expect(words.slice(0, 3)).toEqual(['npx', 'playwright', 'test']);
    const again = await runAssay({ ASSAY_WORLD, SEED: seed.replace('SEED=', '') }, words.slice(3));
    expect(again.code, again.output).toBe(1);
    expect(again.report?.defects.map(({ id }) => id)).toContain(defect?.id);
  },
);

const { target } = sampleReport({ defects: 0 }).report;
const looked = [{ exchange: 't.2', pointers: ['#status'] }];
const defectOf = (story: Partial<NonNullable<Defect['story']>>): Defect => ({
  ...(sampleReport({ defects: 1 }).report.defects[0] as Defect),
  story: { test: 'one', prepared: [], exchanges: ['t.1', 't.2'], looked, ...story },
});
const index = (...all: ReturnType<typeof exchange>[]) => new Map(all.map((each) => [each.id, each]));
const request = exchange('t.1').request;
const signed = { ...request, headers: { 'service-wallet-signature': '••••••' } };

/** The plan of a defect, which must have one. */
function planFor(...given: Parameters<typeof planOf>) {
  const plan = planOf(...given);
  if ('why' in plan) throw new Error(plan.why);
  return plan;
}
/** Asked with the platform's credentials. */
const byPlatform = (id: string, more: Partial<typeof request>) =>
  exchange(id, {
    request: { ...request, ...more, headers: { ...more.headers, authorization: 'Basic ••••••' } },
    origins: { 'header:authorization': 'platform' },
  });

for (const [what, parts, more, why] of [
  ['signed with a key of its own', { request: signed }, {}, /signed with a key/],
  ['sent by the target', { arrived: true as const }, {}, /what the service sends by itself/],
  [
    'prepared by hand',
    {},
    { prepared: [{ id: 't.s1', state: 'agent', params: {}, values: {}, by: 'fixtures', at: '' }] },
    /prepared by hand/,
  ],
] as const)
  test(`there is no script for what is ${what}, and the reason is said`, () => {
    const all = index(exchange('t.1'), exchange('t.2', parts));
    expect(planOf(defectOf(more), all, target)).toEqual({ why: expect.stringMatching(why) as unknown });
  });

test('a script that lacks a setting says which, and ends with 2', async () => {
  const defect = defectOf({ looked: [{ exchange: 't.1', pointers: [] }] });
  const embedded = { ...target, baseUrl: 'the embedded sandbox', embedded: true };
  const plan = planFor(defect, index(byPlatform('t.1', { headers: {} })), embedded);
  const { code, output } = await runNode(['--input-type=module', '-e', scriptOf(plan)]);
  expect(output).toContain('Set BASE_URL');
  expect(output).toContain('CLIENT_ID, CLIENT_SECRET');
  expect(code).toBe(2);
});
