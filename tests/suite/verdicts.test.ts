import { expect, test } from '@playwright/test';
import { scratchFile, type Outcome } from '../support/run-assay.ts';
import { ACTION, refuse, runSpecs, send, smallService, type Heard } from './small-service.ts';

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

/** A test of the fixture spec, and the verdict that its rule has after the run. */
const FLOWS: readonly (readonly [
  title: string,
  rule: string,
  body: string,
  verdict: string,
  reason?: RegExp,
])[] = [
  ['kept', 'TRANSFER-RAIL-SUPPORTED', accepted('right'), 'verified'],
  [
    'violated',
    'TRANSFER-ACCEPTED',
    accepted('refuses'),
    'violated',
    /"transfer-out": expected an accepted request \(2xx\), got 400/,
  ],
  [
    'masked',
    'TRANSFER-APPROVAL-AUTOMATIC',
    `const a = await ask('no status'); await holds(() => expect(a).toHaveStatus('APPROVED'));`,
    'inconclusive',
    /already breaks ACTION-STATUS/,
  ],
  [
    'masked by what is no JSON',
    'TRANSFER-APPROVAL-PENDING',
    `const a = await ask('not json'); await holds(() => expect(a).toHaveStatus('PENDING_APPROVAL'));`,
    'inconclusive',
    /already breaks GENERAL-RESPONSES-JSON/,
  ],
  ['passive', 'TRANSFER-RAIL-DEFAULT', accepted('wrong time'), 'verified'],
  [
    'unprepared',
    'TRANSFER-RAIL-UNSUPPORTED',
    `await given.state('purpose-required');`,
    'not verified',
    /cannot prepare the state "purpose-required" \(404: no such state here\)/,
  ],
  [
    'failed control',
    'TRANSFER-RAIL-UNKNOWN',
    `need(await ask('refuses')).accepted(); await holds(() => expect(1).toBe(2));`,
    'inconclusive',
    /the control "transfer-out" was answered 400/,
  ],
  [
    'gateway',
    'TRANSFER-PURPOSE-ACCEPTED',
    accepted('gateway'),
    'inconclusive',
    /answered 503, which may be trouble of the moment/,
  ],
  [
    'unanswered',
    'TRANSFER-PURPOSE-UNKNOWN',
    `const a = await ask('dies'); await holds(() => expect(a).toBeRefused(400));`,
    'inconclusive',
    /the connection was closed before an answer came/,
  ],
  [
    'no id to go on with',
    'TRANSFER-PURPOSE-OPTIONAL',
    `const a = await ask('no id'); const b = await agent.readAction(a.body.id); await holds(() => expect(b).toBeAccepted());`,
    'inconclusive',
    /not sent: there is no actionId/,
  ],
  [
    'counterexample',
    'TRANSFER-AMOUNT-LARGE-EXACT',
    `await holds(() => explore(fc.integer({ min: 1, max: 100_000 }), async (amount) => { expect(await ask('small amounts only', { amount })).toBeAccepted(); }));`,
    'violated',
    /Smallest input: 5000$/m,
  ],
  ['known', 'TRANSFER-REMITTANCE-ACCEPTED', accepted('refuses'), 'known', /ticket 12/],
];

/** Mistakes of the suite itself, and how the report tells them: they accuse nobody. */
const MISTAKES: readonly (readonly [title: string, rule: string, body: string, told: string])[] = [
  [
    'blind',
    'TRANSFER-REMITTANCE-OPTIONAL',
    `await holds(() => expect(1).toBe(1));`,
    `check('TRANSFER-REMITTANCE-OPTIONAL') looked at no answer, so it proves nothing`,
  ],
  [
    'unnamed',
    'TRANSFER-REMITTANCE-MAX',
    `const a = await ask('right'); await check('TRANSFER-IDEMPOTENCY-OPTIONAL', () => expect(a).toBeAccepted());`,
    `check('TRANSFER-IDEMPOTENCY-OPTIONAL') is not named by verifies() of its test`,
  ],
  [
    'typing',
    'TRANSFER-AMOUNT-NEGATIVE',
    `const a = await ask('right'); await holds(() => a.body.nothing.at.all);`,
    'Cannot read properties of undefined',
  ],
];

/** What those break on their way. */
const SHAPES: readonly (readonly [rule: string, reason: RegExp])[] = [
  ['ACTION-STATUS', /status is missing/],
  ['ACTION-ID', /id is missing/],
  ['ACTION-UPDATED-AT', /updatedAt must be a date-time/],
  ['GENERAL-RESPONSES-JSON', /not JSON/],
];

function accepted(text: string): string {
  return `const a = await ask('${text}'); await holds(() => expect(a).toBeAccepted());`;
}

const SPEC = [...FLOWS, ...MISTAKES]
  .map(
    ([title, rule, body]) =>
      `test('${title}', verifies('${rule}'), async ({ given, need, check }) => {
       const agent = await given.agent();
       const ask = (text, changes = {}) => agent.transferOut({ remittanceInformation: text, ...changes });
       const holds = (run) => check('${rule}', run);
       ${body}
     });`,
  )
  .join('\n');

test.describe('verdicts of a run', () => {
  test.describe.configure({ mode: 'serial' });
  let outcome: Outcome;

  test.beforeAll(async () => {
    test.setTimeout(300_000);
    await using service = await smallService((heard) =>
      (BEHAVIOURS[heard.body.remittanceInformation ?? ''] ?? BEHAVIOURS['right'])?.(heard),
    );
    const KNOWN_FAILURES = scratchFile(
      'known.yaml',
      '- { rule: TRANSFER-REMITTANCE-ACCEPTED, reason: ticket 12 }',
    );
    outcome = await runSpecs(SPEC, { ...service.env, KNOWN_FAILURES });
  });

  for (const [title, rule, verdict, reason] of [
    ...FLOWS.map(([title, rule, , verdict, reason]) => [title, rule, verdict, reason] as const),
    ...SHAPES.map(([rule, reason]) => ['a shape that was met on the way', rule, 'violated', reason] as const),
  ])
    test(`${title}: ${rule} is ${verdict}`, () => {
      const found = outcome.report?.rules.find((row) => row.id === rule);
      expect(found?.verdict).toBe(verdict);
      if (reason) expect(found?.reason).toMatch(reason);
    });

  test('nobody else is accused, and the exit code says that rules are violated', () => {
    const violated = outcome.report?.rules.filter((row) => row.verdict === 'violated').map((row) => row.id);
    expect(violated?.sort()).toEqual(
      ['TRANSFER-ACCEPTED', 'TRANSFER-AMOUNT-LARGE-EXACT', ...SHAPES.map(([rule]) => rule)].sort(),
    );
    expect(outcome.code).toBe(1);
    const errors = outcome.report?.run.engineErrors ?? [];
    expect(errors).toHaveLength(MISTAKES.length);
    for (const [, rule, , told] of MISTAKES) {
      expect(errors.join('\n')).toContain(told);
      expect(outcome.report?.rules.find(({ id }) => id === rule)?.verdict).toBe('inconclusive');
    }
  });

  test('what shows a breach or meets trouble is run twice, and nothing else is', () => {
    const repeats = outcome.report?.run.repeats ?? [];
    const titles = repeats.map((repeat) => repeat.test.replace(/.*› /, '')).sort();
    const breaches = ['violated', 'passive', 'masked', 'masked by what is no JSON', 'counterexample'];
    const trouble = ['gateway', 'unanswered', 'no id to go on with'];
    expect(titles).toEqual([...breaches, ...trouble, ...MISTAKES.map(([title]) => title)].sort());
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
});
