import { expect, test } from '@playwright/test';
import type { Outcome } from '../support/run-assay.ts';
import { runSpecs } from './run-specs.ts';
import { ACTION, refuse, send, smallService, type Heard } from './small-service.ts';

/** Each behaviour of the service, by the remittance text that asks for it. */
const BEHAVIOURS: Readonly<Record<string, (heard: Heard) => void>> = {
  right: ({ response }) => send(response, 201, ACTION),
  refuses: ({ response }) => refuse(response, 400, 'INVALID_INPUT'),
  'no status': ({ response }) => send(response, 201, { ...ACTION, status: undefined }),
  'no id': ({ response }) => send(response, 201, { ...ACTION, id: undefined }),
  'wrong time': ({ response }) => send(response, 201, { ...ACTION, updatedAt: 'yesterday' }),
  'not json': ({ response }) => void response.writeHead(201).end('<html>'),
  gateway: ({ response }) => void response.writeHead(503).end('busy'),
  dies: ({ response }) => void response.destroy(),
  'small amounts only': ({ response, body }) =>
    (body.amount ?? 0) < 5_000 ? send(response, 201, ACTION) : refuse(response, 400, 'INVALID_INPUT'),
};

/** One test of the fixture spec: its rule, the behaviour that it meets, and its body. */
const flow = (title: string, rule: string, body: string) =>
  `test(${JSON.stringify(title)}, verifies('${rule}'), async ({ given, need, check, observe, recorder }) => {
     const agent = await given.agent();
     const ask = (text, changes = {}) => agent.transferOut({ remittanceInformation: text, ...changes });
     ${body}
   });`;

const SPEC = [
  flow(
    'kept',
    'TRANSFER-RAIL-SUPPORTED',
    `const a = await ask('right'); await check('TRANSFER-RAIL-SUPPORTED', () => expect(a).toBeAccepted());`,
  ),
  flow(
    'violated',
    'TRANSFER-ACCEPTED',
    `const a = await ask('refuses'); await check('TRANSFER-ACCEPTED', () => expect(a).toBeAccepted());`,
  ),
  flow(
    'masked',
    'TRANSFER-APPROVAL-AUTOMATIC',
    `const a = await ask('no status'); await check('TRANSFER-APPROVAL-AUTOMATIC', () => expect(a).toHaveStatus('APPROVED'));`,
  ),
  flow(
    'masked by what is no JSON',
    'TRANSFER-APPROVAL-PENDING',
    `const a = await ask('not json'); await check('TRANSFER-APPROVAL-PENDING', () => expect(a).toHaveStatus('PENDING_APPROVAL'));`,
  ),
  flow(
    'passive',
    'TRANSFER-RAIL-DEFAULT',
    `const a = await ask('wrong time'); await check('TRANSFER-RAIL-DEFAULT', () => expect(a).toBeAccepted());`,
  ),
  flow('unprepared', 'TRANSFER-RAIL-UNSUPPORTED', `await given.state('purpose-required');`),
  flow(
    'failed control',
    'TRANSFER-RAIL-UNKNOWN',
    `need(await ask('refuses')).accepted(); await check('TRANSFER-RAIL-UNKNOWN', () => expect(1).toBe(2));`,
  ),
  flow(
    'gateway',
    'TRANSFER-PURPOSE-ACCEPTED',
    `const a = await ask('gateway'); await check('TRANSFER-PURPOSE-ACCEPTED', () => expect(a).toBeAccepted());`,
  ),
  flow(
    'unanswered',
    'TRANSFER-PURPOSE-UNKNOWN',
    `const a = await ask('dies'); await check('TRANSFER-PURPOSE-UNKNOWN', () => expect(a).toBeRefused(400));`,
  ),
  flow(
    'no id to go on with',
    'TRANSFER-PURPOSE-OPTIONAL',
    `const a = await ask('no id'); const b = await agent.readAction(a.body.id); await check('TRANSFER-PURPOSE-OPTIONAL', () => expect(b).toBeAccepted());`,
  ),
  flow(
    'counterexample',
    'TRANSFER-AMOUNT-LARGE-EXACT',
    `await check('TRANSFER-AMOUNT-LARGE-EXACT', () => explore(fc.integer({ min: 1, max: 100_000 }), async (amount) => { expect(await ask('small amounts only', { amount })).toBeAccepted(); }));`,
  ),
].join('\n');

test.describe('verdicts of a run', () => {
  test.describe.configure({ mode: 'serial' });
  let outcome: Outcome;

  test.beforeAll(async () => {
    test.setTimeout(300_000);
    await using service = await smallService((heard) =>
      (BEHAVIOURS[heard.body.remittanceInformation ?? ''] ?? BEHAVIOURS['right'])?.(heard),
    );
    outcome = await runSpecs(SPEC, service.env);
  });

  const verdictOf = (rule: string) => outcome.report?.rules.find((row) => row.id === rule);

  const VERDICTS: readonly (readonly [what: string, rule: string, verdict: string, reason?: RegExp])[] = [
    ['a rule that was kept', 'TRANSFER-RAIL-SUPPORTED', 'verified'],
    [
      'a failed check',
      'TRANSFER-ACCEPTED',
      'violated',
      /"transfer-out": expected an accepted request \(2xx\), got 400/,
    ],
    [
      'a check on a broken shape',
      'TRANSFER-APPROVAL-AUTOMATIC',
      'inconclusive',
      /already breaks ACTION-STATUS/,
    ],
    ['the broken shape itself', 'ACTION-STATUS', 'violated', /status is missing/],
    [
      'a check on what is no JSON',
      'TRANSFER-APPROVAL-PENDING',
      'inconclusive',
      /already breaks GENERAL-RESPONSES-JSON/,
    ],
    ['what is no JSON', 'GENERAL-RESPONSES-JSON', 'violated', /not JSON/],
    ['a shape that was met on the way', 'ACTION-UPDATED-AT', 'violated', /updatedAt must match/],
    ['the check beside it', 'TRANSFER-RAIL-DEFAULT', 'verified'],
    [
      'a state that nobody prepares',
      'TRANSFER-RAIL-UNSUPPORTED',
      'not verified',
      /cannot prepare the state "purpose-required" \(404: no such state here\)/,
    ],
    [
      'a failed control',
      'TRANSFER-RAIL-UNKNOWN',
      'inconclusive',
      /the control "transfer-out" was answered 400/,
    ],
    [
      "a gateway's answer",
      'TRANSFER-PURPOSE-ACCEPTED',
      'inconclusive',
      /answered 503, which may be trouble of the moment/,
    ],
    [
      'no answer',
      'TRANSFER-PURPOSE-UNKNOWN',
      'inconclusive',
      /the connection was closed before an answer came/,
    ],
    [
      'an id that did not come',
      'TRANSFER-PURPOSE-OPTIONAL',
      'inconclusive',
      /not sent: there is no actionId/,
    ],
    ['a property that does not hold', 'TRANSFER-AMOUNT-LARGE-EXACT', 'violated', /Smallest input: 5000$/m],
  ];

  for (const [what, rule, verdict, reason] of VERDICTS)
    test(`${what}: ${rule} is ${verdict}`, () => {
      expect(verdictOf(rule)?.verdict).toBe(verdict);
      if (reason) expect(verdictOf(rule)?.reason).toMatch(reason);
    });

  test('nobody else is accused, and the exit code says that rules are violated', () => {
    const violated = outcome.report?.rules.filter((row) => row.verdict === 'violated').map((row) => row.id);
    const expected = VERDICTS.filter(([, , verdict]) => verdict === 'violated').map(([, rule]) => rule);
    // The answer without an id breaks its own rule too.
    expect(violated?.sort()).toEqual([...expected, 'ACTION-ID'].sort());
    expect(outcome.code).toBe(1);
    expect(outcome.report?.run.engineErrors).toEqual([]);
  });

  test('what shows a breach or meets trouble is run twice, and nothing else is', () => {
    const repeats = outcome.report?.run.repeats ?? [];
    const titles = repeats.map((repeat) => repeat.test.replace(/.*› /, '')).sort();
    expect(titles).toEqual([
      'counterexample',
      'gateway',
      'masked',
      'masked by what is no JSON',
      'no id to go on with',
      'passive',
      'unanswered',
      'violated',
    ]);
    expect(repeats.map((repeat) => repeat.outcome)).not.toContain('trouble went away');
    expect(outcome.report?.defects.map((defect) => defect.steadiness)).not.toContain('intermittent');
  });

  test('Playwright shows the same: red for a violation, skipped with the reason otherwise', () => {
    expect(outcome.output).toMatch(/✘ .*› violated/);
    expect(outcome.output).toMatch(/✓ .*› kept/);
    for (const title of [
      'masked',
      'unprepared',
      'failed control',
      'gateway',
      'unanswered',
      'no id to go on with',
    ])
      expect(outcome.output, title).toMatch(new RegExp(`(?:- |✘ ).*› ${title}`));
    expect(outcome.output).toContain(
      'TRANSFER-ACCEPTED: "transfer-out": expected an accepted request (2xx), got 400',
    );
  });

  test('the evidence of a property is the exchange of its smallest input', () => {
    const defect = outcome.report?.defects.find((row) => row.rule === 'TRANSFER-AMOUNT-LARGE-EXACT');
    expect(JSON.stringify(defect)).toContain('5000');
  });
});
