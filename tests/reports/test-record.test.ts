import { expect, test } from '@playwright/test';
import type { TestCase, TestResult } from '@playwright/test/reporter';
import { recordsOf } from '../../reports/test-record.ts';
import { JOURNAL_ATTACHMENT } from '../../journal/types.ts';

const JOURNAL = {
  name: JOURNAL_ATTACHMENT,
  contentType: 'application/json',
  body: Buffer.from('{"version":1}'),
};

/** A test as Playwright shows it while it runs: it is called skipped until it has ended. */
function running(): TestCase & { results: TestResult[] } {
  const result = { retry: 0, status: 'skipped', attachments: [], annotations: [], errors: [] };
  return {
    titlePath: () => ['', '', 'auth/a.spec.ts', 'asks'],
    tags: [],
    annotations: [],
    location: { file: 'specs/auth/a.spec.ts', line: 1, column: 1 },
    results: [result],
  } as unknown as TestCase & { results: TestResult[] };
}

test('what was read of a test that runs is read again when it has ended', () => {
  const one = running();
  expect(recordsOf([one])[0]?.outcome).toBe('did not run');
  // Its journal arrives a moment before its status.
  one.results[0]?.attachments.push(JOURNAL);
  recordsOf([one]);
  Object.assign(one.results[0] as object, { status: 'passed' });
  expect(recordsOf([one])[0]?.outcome).toBe('passed');
});
