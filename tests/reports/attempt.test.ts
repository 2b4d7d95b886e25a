import { expect, test } from '@playwright/test';
import { attemptOf } from '../../reports/journals/attempt.ts';
import type { Standing } from '../../reports/journals/evidence.ts';
import { resultOf, type Try } from './ended-tests.ts';
import { check, finding } from './sample.ts';

const OOPS = { status: 'failed', errors: ['TypeError: oops'] } as const;
const mistake = check('inconclusive', { reason: 'engine error: oops' });
const gone = { at: '', why: 'silence' };

const table: readonly (readonly [string, Try, Standing, reason?: string])[] = [
  // Nothing that the target did hides a mistake of the suite.
  ['an error', { ...OOPS, journal: {} }, 'crashed', 'oops'],
  ['an error beside a finding', { ...OOPS, journal: { findings: [finding()] } }, 'crashed', 'oops'],
  ['an error beside an unprepared state', { ...OOPS, journal: { unprepared: 'no' } }, 'crashed', 'oops'],
  ['an error beside a failed control', { ...OOPS, journal: { inconclusive: '503' } }, 'crashed', 'oops'],
  ['an error beside trouble', { ...OOPS, journal: { trouble: 'the answer was 503' } }, 'crashed', 'oops'],
  ['an error without a journal', OOPS, 'crashed', 'oops'],
  [
    'a failure without a word',
    { status: 'failed', journal: {} },
    'crashed',
    'the test failed without a message',
  ],
  [
    'a time-out',
    { status: 'timedOut', errors: ['Test timeout of 60000ms exceeded.'], journal: {} },
    'crashed',
    'the test ran out of time',
  ],
  [
    'a check that failed over a mistake of the suite',
    { status: 'skipped', journal: { inconclusive: 'later', checks: [mistake] } },
    'crashed',
    'engine error: oops',
  ],
  [
    'an error that a finding explains',
    { status: 'failed', errors: ['Error: THING-A: expected 1, got 2'], journal: { findings: [finding()] } },
    'stopped',
  ],
  [
    'an answer that never came',
    { status: 'failed', errors: ['Unanswered: no answer (a reset)'], journal: {} },
    'inconclusive',
  ],
  [
    'the same with its class in front',
    { status: 'failed', errors: ['Error: Unanswered: no answer'], journal: {} },
    'inconclusive',
  ],
  ['a time-out in trouble', { status: 'timedOut', journal: { trouble: '503' } }, 'inconclusive'],
  [
    'an error that tells the trouble',
    { status: 'failed', errors: ['Error: the answer was 503'], journal: { trouble: 'the answer was 503' } },
    'inconclusive',
  ],
  [
    'a test that asks to be repeated',
    { status: 'failed', errors: ['Error: repeated after trouble: 503'], journal: {} },
    'inconclusive',
  ],
  ['a control that was refused', { status: 'skipped', journal: { refused: '400' } }, 'refused'],
  ['a state that the target lacks', { status: 'skipped', journal: { unprepared: 'no state' } }, 'unprepared'],
  [
    'a target that has gone away',
    { status: 'skipped', journal: { gone, inconclusive: 'silence' } },
    'did not run',
  ],
  ['a time-out while the target went away', { status: 'timedOut', journal: { gone } }, 'did not run'],
  ['an interruption', { status: 'interrupted', journal: { inconclusive: '503' } }, 'did not run'],
  ['a pass', { journal: {} }, 'completed'],
];

for (const [situation, ended, standing, reason] of table)
  test(`${situation}: ${standing}`, () =>
    expect(attemptOf({ annotations: [] }, resultOf(ended))).toMatchObject({
      standing,
      ...(reason === undefined ? {} : { reason }),
    }));
