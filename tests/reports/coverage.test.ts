import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { coverageIn } from '../../reports/coverage.ts';
import { leavesTestsOut } from '../../reports/command-line.ts';

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
