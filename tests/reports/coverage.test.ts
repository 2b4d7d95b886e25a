import { mkdtempSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { coverageIn } from '../../reports/coverage.ts';
import { leavesTestsOut, rulesAskedFor } from '../../reports/command-line.ts';
import {
  detectionByRule,
  detectionPower,
  detectionSentence,
  proofDigest,
  type DetectionRecord,
} from '../../reports/detection.ts';
import { scratch } from '../support/run-assay.ts';

test('a rule is covered by a test that names it, by a shape, or by nothing', () => {
  const dir = mkdtempSync(join(tmpdir(), 'coverage-'));
  writeFileSync(join(dir, 'a.spec.ts'), "test('x', verifies('THING-A'), () => {});");
  writeFileSync(join(dir, 'notes.md'), 'THING-C');
  writeFileSync(join(dir, 'openapi.yaml'), 'x-rule: THING-B\nx-status-rule: THING-D\n');
  const coverageOf = coverageIn({ specs: [dir, join(dir, 'missing')], openapi: join(dir, 'openapi.yaml') });
  expect(['THING-A', 'THING-B', 'THING-C', 'THING-D'].map(coverageOf)).toEqual([
    'check',
    'shape',
    'nothing',
    'shape',
  ]);
});

const node = ['node', 'playwright'];
for (const filter of [
  ['-g', 'X'],
  ['--grep=X'],
  ['-gX'],
  ['--last-failed'],
  ['--shard=1/2'],
  ['--project', 'p'],
  ['a.spec.ts:12'],
  ['specs/agents'],
  ['tests'],
]) {
  test(`"${filter.join(' ')}" leaves tests out`, () => {
    expect(leavesTestsOut([...node, 'test', ...filter])).toBe(true);
  });
}
for (const whole of [
  [],
  ['--workers', '2'],
  ['--reporter=list'],
  ['-c', 'tests/playwright.config.ts'],
  ['--headed'],
]) {
  test(`"${whole.join(' ')}" leaves nothing out`, () => {
    expect(leavesTestsOut([...node, 'test', ...whole])).toBe(false);
  });
}

for (const [filter, asked] of [
  [['-g', 'A-RULE'], ['A-RULE']],
  [['-gA-RULE', 'specs/agents'], ['A-RULE']],
  [['--grep=@A-RULE|B-RULE'], ['A-RULE', 'B-RULE']],
  [['-g', 'A-RULE|approval'], []],
  [['-g', 'RULE'], []],
  [['specs/agents'], []],
] as const)
  test(`"${filter.join(' ')}" asks for ${asked.join(' and ') || 'no rule by name'}`, () => {
    const isRule = (id: string) => ['A-RULE', 'B-RULE'].includes(id);
    expect(rulesAskedFor([...node, 'test', ...filter], isRule)).toEqual(asked);
  });

const record: DetectionRecord = {
  date: '2026-03-01T02:00:00.000Z',
  commit: 'abc',
  digest: 'now',
  tests: 10,
  faults: [
    { fault: 'a', breaks: 'A-RULE', fate: 'caught', run: 3, reaching: 4 },
    { fault: 'b', breaks: 'A-RULE', fate: 'missed', run: 3, reaching: 4, wrongly: ['B-RULE'] },
  ],
};

test('power is told by rule while nothing has changed', () => {
  expect([...detectionByRule(record, 'now')]).toEqual([['A-RULE', { planted: 2, caught: 1 }]]);
  const power = detectionPower(record, 'now')!;
  expect(power).toMatchObject({ isCurrent: true, planted: 2, caught: 1, accusedOthers: 1 });
  expect(detectionSentence(power)).toBe(
    '1 of 2 planted faults caught by their own rule, 1 with another rule accused beside it; measured on 2026-03-01 at abc',
  );
});

test('after a change only the age of the measurement is told', () => {
  expect([...detectionByRule(record, 'later')]).toEqual([]);
  const power = detectionPower(record, 'later')!;
  expect(power.isCurrent).toBe(false);
  const sentence = detectionSentence(power, Date.parse('2026-03-04T03:00:00Z'));
  expect(sentence).toContain('not known: measured on 2026-03-01 at abc, 3 days ago');
  expect(sentence).not.toContain('1 of 2');
});

test('nothing is told where nothing was measured', () => {
  expect(detectionPower(undefined, 'now')).toBeUndefined();
  expect([...detectionByRule(undefined, 'now')]).toEqual([]);
});

test('the digest is of contents: another text, another name', () => {
  const root = scratch('digest');
  for (const folder of ['specs', 'suite', 'client', 'generators', 'schemas', 'target', 'sandbox'])
    mkdirSync(join(root, folder));
  const write = (path: string, text: string) => writeFileSync(join(root, path), text);
  write('specs/a.spec.ts', 'one\n');
  const first = proofDigest(root);
  write('specs/notes.md', 'no code');
  expect(proofDigest(root)).toBe(first);
  write('specs/a.spec.ts', 'one\r\n');
  expect(proofDigest(root)).toBe(first);
  write('specs/a.spec.ts', '\n  one\n');
  expect(proofDigest(root)).toBe(first);
  write('specs/a.spec.ts', 'two\n');
  expect(proofDigest(root)).not.toBe(first);
});
