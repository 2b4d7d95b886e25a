import { type KnownFailure, readAccepted } from '../../target/known-list.ts';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { buildReport, type RunInput } from '../../reports/verdicts/build-report.ts';
import { listBreaches, listOpen } from '../../reports/known/list.ts';
import type { ConformanceReport } from '../../reports/verdicts/model.ts';
import { evaluate } from '../support/evaluate.ts';
import { scratch } from '../support/run-assay.ts';
import { check, finding, journal, record, rule, sampleInput } from './sample.ts';

const RULES = [rule('THING-A'), rule('THING-B'), rule('THING-C', { needs: ['cards'] })];

/** THING-A is broken, THING-B is kept, THING-C does not apply. */
function reportWith(entries: readonly KnownFailure[], more: Partial<RunInput> & { known?: string } = {}) {
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
        journal: journal({ findings: [finding(known === undefined ? {} : { known })] }),
      }),
      record({ label: 'two', journal: journal({ checks: [check('passed', { rule: 'THING-B' })] }) }),
    ],
    ...rest,
  });
}

const entry = (id: string, more: Partial<KnownFailure> = {}): KnownFailure => ({
  ...{ rule: id, reason: 'so', ...more },
});

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

const PAST = '2026-11-20';
for (const [what, given, standing, partial] of [
  [
    'what comes and goes is not mended by one good night',
    entry('THING-B', { intermittent: true }),
    'not seen this time',
    false,
  ],
  ['a part says nothing of the rest', entry('THING-C'), 'not judged', true],
  ['a part tells what it sees', entry('THING-A'), 'covers', true],
  [
    'a part does not mend what another test shows',
    entry('THING-B', { tests: ['another'] }),
    'not judged',
    true,
  ],
  ['a part does not mend another place', entry('THING-A', { place: 'A/b' }), 'not judged', true],
  ['a part leaves alone what has expired', entry('THING-B', { until: PAST }), 'not judged', true],
  ['a part sees what has expired', entry('THING-A', { until: PAST }), 'expired', true],
] as const)
  test(what, () => {
    const { knownFailures } = reportWith([given], { known: 'so', partial });
    expect(knownFailures?.[0]?.standing).toBe(standing);
  });

const NEW = { reason: 'ticket 1', until: '2026-12-21' };

test('it keeps what holds, drops what is mended, and renews nothing that has expired', () => {
  const report = reportWith([
    entry('THING-B', { owner: 'x' }),
    entry('THING-A', { until: '2026-11-20', owner: 'payments' }),
  ]);
  const open = { rule: 'THING-C', reason: 'not here', open: true };
  const list = listBreaches(report, [open, entry('THING-B')], NEW);
  expect(list).toMatchObject({ added: [], kept: [], dropped: ['THING-B'], expired: ['THING-A'] });
  expect(list.text).toContain('until: 2026-11-20');
  expect(list.text).not.toContain('2026-12-21');
  // Rows of the other kind stay.
  expect(parse(list.text)).toContainEqual(open);
});

/** Ids of the real catalogue, since a list is read back with it. */
const [KEPT, LACKS, LACKS_TOO, ALONE, TROUBLED] = [
  'TRANSFER-ACCEPTED',
  'TRANSFER-APPROVAL-PENDING',
  'TRANSFER-REMITTANCE-ACCEPTED',
  'TRANSFER-PURPOSE-ACCEPTED',
  'GENERAL-RESPONSES-JSON',
] as const;
const EVIL = '`b`\n- { rule: B }\u2028x';

interface Situation extends Partial<RunInput> {
  readonly ids?: readonly string[];
  readonly broken?: boolean;
}

/** Two rules lack one state, one lacks another, one met trouble. */
function openReport({ ids, broken = false, ...more }: Situation = {}): ConformanceReport {
  const lacking = (id: string, mend: string) =>
    record({ standing: 'unprepared', reason: `no state: ${mend}`, mend, rules: [id] });
  return buildReport({
    ...sampleInput({ defects: 0 }),
    rules: (ids ?? [KEPT, ALONE, LACKS, LACKS_TOO, TROUBLED]).map((id) => rule(id)),
    tests: [
      record({
        journal: journal({ seen: { [KEPT]: 1 }, findings: broken ? [finding({ rule: KEPT })] : [] }),
      }),
      lacking(LACKS, 'serve `a`'),
      lacking(LACKS_TOO, 'serve `a`'),
      lacking(ALONE, EVIL),
      record({ standing: 'inconclusive', reason: 'no answer', trouble: 'no answer', rules: [TROUBLED] }),
    ].filter((each) => each.rules.every((id) => ids?.includes(id) ?? true)),
    ...more,
  });
}

const openRow = (id: string, mend: string) => ({
  rule: id,
  reason: `The target could not be prepared for it: no state: ${mend}`,
  open: true,
});

test('open rules are listed with their reasons, by what would mend them; what a target says stays in its place', () => {
  const list = listOpen(openReport(), []);
  expect(list).toMatchObject({ added: [ALONE, LACKS, LACKS_TOO], momentary: [TROUBLED] });
  expect(parse(list.text)).toEqual([
    openRow(LACKS, 'serve `a`'),
    openRow(LACKS_TOO, 'serve `a`'),
    openRow(ALONE, EVIL),
  ]);
  expect(list.text).toContain('\n# To mend it: serve `a`\n');
});

test('reasons that somebody wrote stay while their rules are open; verified rules leave the list, breaches do not', () => {
  const before = [LACKS, KEPT, TROUBLED].map((id) => ({ rule: id, reason: 'ticket 7', open: true }));
  const breach = { rule: KEPT, reason: 'so', place: KEPT };
  const list = listOpen(openReport(), [...before, breach]);
  expect(list).toMatchObject({ kept: [LACKS, TROUBLED], dropped: [KEPT], momentary: [] });
  expect(parse(list.text)).toContainEqual({ rule: LACKS, reason: 'ticket 7', open: true });
  expect(parse(list.text)[0]).toEqual(breach);
});

test.describe('the command', () => {
  /** Runs it in a folder of its own, which has a report. */
  const known = (dir: string, ...args: readonly string[]) =>
    evaluate({ script: 'reports/known/main.ts', args, folder: dir, env: { REPORT_DIR: dir } });
  const folderWith = (content: ConformanceReport | string | undefined) => {
    const dir = scratch('known');
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    if (content !== undefined) writeFileSync(join(dir, 'conformance.json'), text);
    return dir;
  };

  test('writes a list that makes the next run conforming, and keeps it', async () => {
    const dir = folderWith(openReport());
    const { code, output } = await known(dir, '--open');
    expect(code, output).toBe(0);
    expect(output).toContain(
      'accepted.yaml: 3 added, 0 kept, 0 dropped. Read its reasons, and point ACCEPTED',
    );
    expect(output).toMatch(new RegExp(`Not accepted: 1 rule met trouble of the moment.*${TROUBLED}`));
    const accepted = readAccepted({ accepted: join(dir, 'accepted.yaml') });
    const next = openReport({ accepted, ids: [KEPT, ALONE, LACKS, LACKS_TOO] });
    expect(next.verdict).toBe('conforming');
    writeFileSync(join(dir, 'conformance.json'), JSON.stringify(next));
    expect((await known(dir, '--open')).output).toContain('0 added, 3 kept, 0 dropped.');
  });

  const refusals: readonly (readonly [
    string,
    ConformanceReport | string | undefined,
    RegExp,
    option?: string,
  ])[] = [
    ['no report', undefined, /^There is no report at .*: run the suite first/],
    ['a file that is no report', '{}', /is not a conformance\.json of this version: run the suite again\.$/],
    ['a run not judged', openReport({ errors: ['oops'] }), /not judged, so there is nothing to accept/],
    ['a run with violations', openReport({ broken: true }), /shows violations: mend them or list them in/],
    ['mere trouble', openReport({ ids: [KEPT, TROUBLED] }), /^Nothing is accepted: 1 rule met trouble/],
    ['an option of its own', undefined, /^Unknown option '--bogus'; --help lists the options\.$/, '--bogus'],
  ];
  for (const [situation, content, sentence, option = '--open'] of refusals)
    test(`refuses ${situation} in one sentence`, async () => {
      const dir = folderWith(content);
      const { code, output } = await known(dir, option);
      expect(output.trim()).toMatch(sentence);
      expect(output.trim().split('\n')).toHaveLength(1);
      expect(code).toBe(2);
      expect(existsSync(join(dir, 'accepted.yaml'))).toBe(false);
    });
});
