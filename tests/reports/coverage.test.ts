import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { coverageIn } from '../../reports/verdicts/coverage.ts';
import {
  detectionByRule,
  detectionPower,
  proofDigest,
  surenessSentence,
  type DetectionRecord,
} from '../../reports/detection.ts';
import { scratch } from '../support/run-assay.ts';

test('a rule is covered by a test that names it, by a shape, or by nothing', () => {
  const dir = scratch('coverage');
  writeFileSync(join(dir, 'a.spec.ts'), "test('x', verifies('THING-A'), () => {});");
  writeFileSync(join(dir, 'notes.md'), 'THING-C');
  writeFileSync(join(dir, 'openapi.yaml'), 'x-rule: THING-B\nx-status-rule: THING-D\n');
  const coverageOf = coverageIn({ specs: [dir, join(dir, 'missing')], openapi: join(dir, 'openapi.yaml') });
  const all = ['THING-A', 'THING-B', 'THING-C', 'THING-D'].map(coverageOf);
  expect(all).toEqual(['check', 'shape', 'nothing', 'shape']);
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

test('power is told by rule while nothing has changed, and its age afterwards', () => {
  expect([...detectionByRule(record, 'now')]).toEqual([['A-RULE', { planted: 2, caught: 1 }]]);
  expect([...detectionByRule(record, 'later')]).toEqual([]);
  const measured =
    'of 2 mistakes planted in the reference service, the suite named 1 (measured on 2026-03-01';
  expect(surenessSentence(detectionPower(record, 'now')!)).toBe(`${measured}).`);
  expect(surenessSentence(detectionPower(record, 'later')!)).toBe(
    `${measured}, before the latest change of the suite).`,
  );
  expect(detectionPower(undefined, 'now')).toBeUndefined();
});

test('the digest is of contents: another text, another name', () => {
  const root = scratch('digest');
  for (const folder of ['specs', 'suite', 'doubt', 'client', 'generators', 'schemas', 'target', 'sandbox'])
    mkdirSync(join(root, folder));
  const digestWith = (path: string, text: string) => {
    writeFileSync(join(root, path), text);
    return proofDigest(root);
  };
  const first = digestWith('specs/a.spec.ts', 'one\n');
  expect(digestWith('specs/notes.md', 'no code')).toBe(first);
  for (const layout of ['one\r\n', '\n  one\n']) expect(digestWith('specs/a.spec.ts', layout)).toBe(first);
  expect(digestWith('specs/a.spec.ts', 'two\n')).not.toBe(first);
});
