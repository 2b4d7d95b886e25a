import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { acceptList } from '../../reports/accept-list.ts';
import { buildReport } from '../../reports/build-report.ts';
import type { ConformanceReport } from '../../reports/model.ts';
import { readAccepted } from '../../target/rule-list.ts';
import { evaluate } from '../support/evaluate.ts';
import { runNode } from '../support/run-assay.ts';
import { journal, record, rule, sampleInput } from './sample.ts';

/** Ids of the real catalogue, since a list is read back with it. */
const [KEPT, LACKS, LACKS_TOO, ALONE, TROUBLED] = [
  'TRANSFER-ACCEPTED',
  'TRANSFER-APPROVAL-PENDING',
  'TRANSFER-REMITTANCE-ACCEPTED',
  'TRANSFER-PURPOSE-ACCEPTED',
  'GENERAL-RESPONSES-JSON',
] as const;

interface Situation {
  readonly ids?: readonly string[];
  readonly accepted?: ReadonlyMap<string, string>;
  readonly partial?: boolean;
  readonly errors?: readonly string[];
  readonly broken?: boolean;
}

function report({ ids, accepted, broken = false, ...more }: Situation = {}): ConformanceReport {
  const lacking = (id: string, mend: string) =>
    record({ standing: 'unprepared', reason: `no state for ${id}`, mend, rules: [id] });
  const finding = { rule: KEPT, place: KEPT, message: 'wrong', exchanges: [] };
  return buildReport({
    ...sampleInput({ defects: 0 }),
    rules: (ids ?? [KEPT, ALONE, LACKS, LACKS_TOO, TROUBLED]).map((id) => rule(id)),
    tests: [
      record({ journal: journal({ seen: { [KEPT]: 1 }, findings: broken ? [finding] : [] }) }),
      lacking(LACKS, 'serve the state `a`'),
      lacking(LACKS_TOO, 'serve the state `a`'),
      lacking(ALONE, 'serve the state `b`'),
      record({ standing: 'inconclusive', reason: 'no answer', trouble: 'no answer', rules: [TROUBLED] }),
    ].filter((each) => each.rules.every((id) => ids?.includes(id) ?? true)),
    ...(accepted ? { accepted } : {}),
    ...more,
  });
}

test('open rules are listed with their reasons, those together that one thing would mend', () => {
  const list = acceptList(report(), new Map());
  expect(list.text).toBe(
    [
      '# MUST rules that Example Payments sandbox at https://sandbox.example.test/service/2025-10-13 cannot show, as of 2026-11-21. They may stay open without making a run incomplete.',
      '',
      '# To mend it: serve the state `a`',
      `- rule: ${LACKS}`,
      `  reason: "The target could not be prepared for it: no state for ${LACKS}"`,
      `- rule: ${LACKS_TOO}`,
      `  reason: "The target could not be prepared for it: no state for ${LACKS_TOO}"`,
      '',
      '# To mend it: serve the state `b`',
      `- rule: ${ALONE}`,
      `  reason: "The target could not be prepared for it: no state for ${ALONE}"`,
      '',
    ].join('\n'),
  );
  expect(list).toMatchObject({
    added: [ALONE, LACKS, LACKS_TOO],
    kept: [],
    dropped: [],
    momentary: [TROUBLED],
  });
});

test('reasons that somebody wrote stay while their rules are open; verified rules leave the list', () => {
  const before = new Map([
    [LACKS, 'Our sandbox has no approvals: ticket 7.'],
    [KEPT, 'Broken in spring.'],
    [TROUBLED, 'Behind a gateway that we do not run.'],
  ]);
  const list = acceptList(report({ accepted: before }), before);
  expect(list).toMatchObject({
    added: [ALONE, LACKS_TOO],
    kept: [LACKS, TROUBLED],
    dropped: [KEPT],
    momentary: [],
  });
  expect(parse(list.text)).toContainEqual({ rule: LACKS, reason: 'Our sandbox has no approvals: ticket 7.' });
});

test('what a target says stays within its comment and its text', () => {
  const input = sampleInput({ defects: 0 });
  const evil = '`a`\n- { rule: B }\u2028x';
  const tests = [record({ standing: 'unprepared', reason: `"\n- ${evil}`, mend: evil, rules: [ALONE] })];
  const { text } = acceptList(buildReport({ ...input, rules: [rule(ALONE)], tests }), new Map());
  expect(parse(text)).toEqual([
    { rule: ALONE, reason: `The target could not be prepared for it: "\n- ${evil}` },
  ]);
});

/** Runs the script as `npm run accept` does, in a folder of its own. */
const accept = (dir: string, ...args: readonly string[]) =>
  evaluate({ script: 'reports/accept.ts', args, folder: dir, env: { REPORT_DIR: dir } });

function folderWith(content: ConformanceReport | string | undefined): string {
  const dir = mkdtempSync(join(tmpdir(), 'accept-'));
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  if (content !== undefined) writeFileSync(join(dir, 'conformance.json'), text);
  return dir;
}

test.describe('the script', () => {
  test.describe.configure({ timeout: 60_000 });

  test('writes a list that Assay reads, and says what it did', async () => {
    const dir = folderWith(report());
    const { code, output } = await accept(dir);
    expect(code, output).toBe(0);
    expect(output).toContain('accepted.yaml: 3 rules added, 0 kept, 0 dropped.');
    expect(output).toContain(`added: ${ALONE}, ${LACKS}, ${LACKS_TOO}\n`);
    expect(output).toMatch(new RegExp(`Not accepted: 1 rule met trouble of the moment.*${TROUBLED}`));
    const accepted = readAccepted(join(dir, 'accepted.yaml'));
    expect([...accepted.keys()].sort()).toEqual([ALONE, LACKS, LACKS_TOO].sort());
    const next = report({ accepted, ids: [KEPT, ALONE, LACKS, LACKS_TOO] });
    expect(next.verdict).toBe('conforming');
    writeFileSync(join(dir, 'conformance.json'), JSON.stringify(next));
    expect((await accept(dir, '--out', 'accepted.yaml')).output).toContain(
      '0 rules added, 3 kept, 0 dropped.',
    );
  });

  const refusals: readonly (readonly [string, ConformanceReport | string | undefined, RegExp])[] = [
    ['no report', undefined, /^There is no report at .*: run the suite first/],
    ['a file that is no report', '{}', /is not a conformance\.json of this version: run the suite again\.$/],
    [
      'a run that was not judged',
      report({ errors: ['oops'] }),
      /was not judged, so there is nothing to accept: run again\.$/,
    ],
    [
      'a run with violations',
      report({ broken: true }),
      /shows violations: mend them or list them in KNOWN_FAILURES/,
    ],
    ['a run of a part', report({ partial: true }), /is about a part of the suite: run all of it/],
    [
      'nothing but trouble',
      report({ ids: [KEPT, TROUBLED] }),
      /^Nothing is accepted: 1 rule met trouble of the moment .*, run again/,
    ],
  ];
  for (const [situation, content, sentence] of refusals) {
    test(`refuses ${situation} in one sentence`, async () => {
      const dir = folderWith(content);
      const { code, output } = await accept(dir);
      expect(output.trim()).toMatch(sentence);
      expect(output.trim().split('\n')).toHaveLength(1);
      expect(code).toBe(2);
      expect(existsSync(join(dir, 'accepted.yaml'))).toBe(false);
    });
  }

  test('refuses an option that it does not have', async () => {
    // In a process of its own, as a user starts it.
    const node = ['--disable-warning=ExperimentalWarning', '--import', 'tsx'];
    const { code, output } = await runNode([...node, 'reports/accept.ts', '--bogus']);
    expect(output).toBe("Unknown option '--bogus'; --help lists the options.\n");
    expect(code).toBe(2);
  });

  test('a list whose rules are all verified now becomes empty', async () => {
    const dir = folderWith(report({ ids: [KEPT] }));
    const file = join(dir, 'mine.yaml');
    writeFileSync(file, `- { rule: ${KEPT}, reason: so }`);
    const { code, output } = await accept(dir, '--out', file);
    expect(code, output).toBe(0);
    expect(output).toContain(`dropped: ${KEPT}`);
    expect(parse(readFileSync(file, 'utf8'))).toEqual([]);
  });
});
