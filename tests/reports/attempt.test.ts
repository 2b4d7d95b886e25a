import { expect, test } from '@playwright/test';
import type { TestResult } from '@playwright/test/reporter';
import { attemptOf } from '../../reports/attempt.ts';
import type { Journal } from '../../journal/types.ts';
import { journal } from './sample.ts';

const finding = { rule: 'THING-A', place: 'THING-A', message: 'expected 1, seen 2', exchanges: [] };

function attempt(status: TestResult['status'], messages: readonly string[], more?: Partial<Journal>) {
  const attachments =
    more === undefined
      ? []
      : [
          {
            name: 'assay-journal',
            contentType: 'application/json',
            body: Buffer.from(JSON.stringify(journal(more))),
          },
        ];
  const result = { status, errors: messages.map((message) => ({ message })), attachments, annotations: [] };
  return attemptOf({ annotations: [] }, result as unknown as TestResult);
}

const crashes: readonly (readonly [string, ReturnType<typeof attempt>, string])[] = [
  ['an error', attempt('failed', ['TypeError: oops'], {}), 'oops'],
  ['an error beside a finding', attempt('failed', ['TypeError: oops'], { findings: [finding] }), 'oops'],
  [
    'an error beside an unprepared state',
    attempt('failed', ['TypeError: oops'], { unprepared: 'no state' }),
    'oops',
  ],
  [
    'an error beside a failed control',
    attempt('failed', ['TypeError: oops'], { inconclusive: '503' }),
    'oops',
  ],
  [
    'an error beside trouble',
    attempt('failed', ['TypeError: oops'], { trouble: 'the answer was 503' }),
    'oops',
  ],
  ['an error without a journal', attempt('failed', ['TypeError: oops']), 'oops'],
  ['a failure without a word', attempt('failed', [], {}), 'the test failed without a message'],
  ['a time-out', attempt('timedOut', ['Test timeout of 60000ms exceeded.'], {}), 'the test ran out of time'],
  [
    'a check that failed over a mistake of the suite',
    attempt('skipped', [], {
      inconclusive: 'later',
      checks: [{ rule: 'THING-A', outcome: 'inconclusive', reason: 'engine error: oops', exchanges: [] }],
    }),
    'engine error: oops',
  ],
];

for (const [situation, { standing, reason }, expected] of crashes) {
  test(`${situation} is a crash`, () =>
    expect({ standing, reason }).toEqual({ standing: 'crashed', reason: expected }));
}

const others: readonly (readonly [string, ReturnType<typeof attempt>, string])[] = [
  [
    'an error that a finding explains',
    attempt('failed', ['Error: THING-A: expected 1, seen 2'], { findings: [finding] }),
    'stopped',
  ],
  ['an answer that never came', attempt('failed', ['Unanswered: no answer (a reset)'], {}), 'inconclusive'],
  [
    'the same with its class in front',
    attempt('failed', ['Error: Unanswered: no answer'], {}),
    'inconclusive',
  ],
  [
    'a time-out in trouble',
    attempt('timedOut', ['Test timeout'], { trouble: 'the answer was 503' }),
    'inconclusive',
  ],
  [
    'an error that tells the trouble',
    attempt('failed', ['Error: the answer was 503'], { trouble: 'the answer was 503' }),
    'inconclusive',
  ],
  ['a state that the target lacks', attempt('skipped', [], { unprepared: 'no state' }), 'unprepared'],
  [
    'a target that has gone away',
    attempt('skipped', [], { gone: { at: '', why: 'silence' }, inconclusive: 'silence' }),
    'did not run',
  ],
  ['an interruption', attempt('interrupted', [], { inconclusive: '503' }), 'did not run'],
  [
    'a test that asks to be repeated',
    attempt('failed', ['Error: repeated after trouble: 503'], {}),
    'inconclusive',
  ],
  [
    'a time-out while the target went away',
    attempt('timedOut', ['Test timeout'], { gone: { at: '', why: 'silence' } }),
    'did not run',
  ],
  ['a pass', attempt('passed', [], {}), 'completed'],
];

for (const [situation, { standing }, expected] of others) {
  test(`${situation}: ${expected}`, () => expect(standing).toBe(expected));
}
