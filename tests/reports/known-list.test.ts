import { expect, test } from '@playwright/test';
import { buildReport } from '../../reports/build-report.ts';
import { knownList } from '../../reports/known-list.ts';
import type { TestRecord } from '../../reports/evidence.ts';
import { KnownFailures, type KnownFailure } from '../../target/known-failures.ts';
import { journal, record, rule, sampleInput } from './sample.ts';

const RULES = [rule('THING-A'), rule('THING-B'), rule('THING-C', { needs: ['cards'] })];
const finding = (id: string, more: object = {}) => ({
  rule: id,
  place: id,
  message: 'expected 1, got 2',
  exchanges: [],
  ...more,
});
const passes = (id: string) => ({ rule: id, outcome: 'passed' as const, exchanges: [] });

/** THING-A is broken, THING-B is kept, THING-C does not apply. */
function reportWith(
  entries: readonly KnownFailure[],
  more: { known?: string; partial?: boolean; tests?: readonly TestRecord[] } = {},
) {
  const { known, ...rest } = more;
  return buildReport({
    ...sampleInput({ defects: 0 }),
    rules: RULES,
    startedAt: '2026-11-21T02:00:00.000Z',
    knownFailures: entries,
    tests: [
      record({
        label: 'one',
        standing: 'stopped',
        journal: journal({
          rules: ['THING-A'],
          findings: [finding('THING-A', known === undefined ? {} : { known })],
        }),
      }),
      record({ label: 'two', journal: journal({ rules: ['THING-B'], checks: [passes('THING-B')] }) }),
    ],
    ...rest,
  });
}

const entry = (id: string, more: Partial<KnownFailure> = {}): KnownFailure => ({
  rule: id,
  reason: 'so',
  ...more,
});
const standing = (given: KnownFailure, more = {}) =>
  reportWith([given], { known: 'so', ...more }).knownFailures?.[0]?.standing;

test('an entry that covers what is seen keeps the run green, and its owner stands with the defect', () => {
  const report = reportWith([entry('THING-A', { owner: 'payments', link: 'T-1', until: '2026-12-01' })], {
    known: 'so',
  });
  expect(report.knownFailures).toMatchObject([{ standing: 'covers', covers: 1 }]);
  expect(report.defects[0]).toMatchObject({ owner: 'payments', link: 'T-1', until: '2026-12-01' });
  expect(report.verdict).toBe('conforming');
});

for (const [what, given, words] of [
  ['expired', entry('THING-A', { until: '2026-11-20' }), 'THING-A was accepted until 2026-11-20'],
  ['mended', entry('THING-B'), 'THING-B is mended: take it off the list'],
  ['matches nothing', entry('THING-A', { place: 'A/b' }), 'THING-A at A/b matches nothing'],
  ['matches nothing', entry('THING-C'), 'THING-C matches nothing'],
] as const)
  test(`an entry that is ${what} (${words}) makes the run red, by name`, () => {
    const report = reportWith([entry('THING-A'), given], { known: 'so' });
    expect(report.knownFailures?.[1]?.standing).toBe(what);
    expect(report.verdict).toBe('incomplete');
    expect(report.because).toContain(words);
  });

test('what comes and goes is not mended by one good night, and a part says nothing of the rest', () => {
  expect(standing(entry('THING-B', { intermittent: true }))).toBe('not seen this time');
  const other = reportWith([entry('THING-C')], { known: 'so', partial: true });
  expect(other.knownFailures?.[0]?.standing).toBe('not judged');
});

test('a part leaves alone what it does not see, whatever its rule came to, and what has expired', () => {
  const part = (given: KnownFailure) => standing(given, { partial: true });
  expect(part(entry('THING-A'))).toBe('covers');
  expect(part(entry('THING-B', { tests: ['another'] }))).toBe('not judged');
  expect(part(entry('THING-A', { place: 'A/b' }))).toBe('not judged');
  expect(part(entry('THING-B', { until: '2026-11-20' }))).toBe('not judged');
  expect(part(entry('THING-A', { until: '2026-11-20' }))).toBe('expired');
});

test('a breach that is seen in the words of another entry keeps this one', () => {
  const words = ['expected 1, got 2', 'expected 1, got 3'].map((seen) =>
    entry('THING-A', { place: 'THING-A', seen }),
  );
  const report = reportWith(words, { known: 'so' });
  expect(report.knownFailures?.map((each) => each.standing)).toEqual(['covers', 'not seen this time']);
  expect(report.verdict).toBe('conforming');
});

/** As made inputs show it, with one seed. */
const made = (label: string, seed: number) =>
  record({
    label,
    standing: 'stopped',
    journal: journal({
      rules: ['THING-A'],
      findings: [
        finding('THING-A', {
          message: `${seed} is too much\nTo repeat it: SEED=${seed} REPLAY=9:1:2 npx playwright test`,
          counterexample: { seed, path: '9:1:2', input: String(seed), runs: 3 },
        }),
      ],
    }),
  });

test('what made inputs show is listed by its place, without seed, path, words and tests', () => {
  const { text } = knownList(reportWith([], { tests: [made('one', 7)] }), NEW);
  expect(text).toContain('place: THING-A');
  expect(text).toContain('intermittent: true');
  expect(text).not.toMatch(/seen:|SEED|REPLAY|tests:/);
});

test('what made inputs show is covered by any entry of its place; what tests show without them, only by its words', () => {
  const written = entry('THING-A', { place: 'THING-A', seen: 'expected 1, got 2', tests: ['one'] });
  const breach = made('two', 8).journal!.findings[0]!;
  expect(new KnownFailures([written]).reasonOf(breach, 'two')).toBe('so');
  const { counterexample: _made, ...plain } = breach;
  expect(new KnownFailures([written]).reasonOf(plain, 'two')).toBeUndefined();
});

const NEW = { reason: 'ticket 1', until: '2026-12-21' };

test('npm run known writes an entry for each place and each thing seen', () => {
  const list = knownList(reportWith([]), NEW);
  expect(list.added).toEqual(['THING-A']);
  expect(list.text).toContain('seen: expected 1, got 2');
  // Another part, or another seed, may show it in another test.
  expect(list.text).not.toContain('tests:');
  expect(list.text).toContain('until: 2026-12-21');
});

test('it keeps what holds, drops what is mended, and renews nothing that has expired', () => {
  const report = reportWith([
    entry('THING-B', { owner: 'x' }),
    entry('THING-A', { until: '2026-11-20', owner: 'payments' }),
  ]);
  const list = knownList(report, NEW);
  expect(list).toMatchObject({ added: [], kept: [], dropped: ['THING-B'], expired: ['THING-A'] });
  expect(list.text).toContain('until: 2026-11-20');
  expect(list.text).not.toContain('2026-12-21');
});
