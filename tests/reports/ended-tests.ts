/** Tests as Playwright shows them to its reporters, so that these can be fed without a run. */
import type { TestCase, TestResult } from '@playwright/test/reporter';
import { JOURNAL_ATTACHMENT, type Journal } from '../../journal/types.ts';
import { journal } from './sample.ts';

/** How a test ended, once. */
export interface Try {
  /** `passed` where nothing is said. */
  readonly status?: TestResult['status'];
  /** Messages of its errors. */
  readonly errors?: readonly string[];
  /** What it left behind; a text stands as it is. */
  readonly journal?: Partial<Journal> | string;
}

/** @param retry how many tries there were before */
export function resultOf({ status = 'passed', errors = [], journal: left }: Try, retry = 0): TestResult {
  const text = typeof left === 'string' ? left : JSON.stringify(journal(left));
  const attachment = { name: JOURNAL_ATTACHMENT, contentType: 'application/json', body: Buffer.from(text) };
  return {
    ...{ status, retry, duration: 1_234, annotations: [] },
    errors: errors.map((message) => ({ message })),
    attachments: left === undefined ? [] : [attachment],
  } as unknown as TestResult;
}

export function testCase(
  title: string,
  tries: readonly Try[],
  more: { readonly rules?: readonly string[]; readonly expected?: TestCase['expectedStatus'] } = {},
): TestCase {
  const { rules = ['THING-A'], expected = 'passed' } = more;
  const results = tries.map(resultOf);
  return {
    ...{ title, annotations: [], retries: 1, expectedStatus: expected, results },
    tags: rules.map((rule) => `@${rule}`),
    titlePath: () => ['', '', 'agents/approval.spec.ts', title],
    location: { file: '/x/specs/agents/approval.spec.ts', line: 12, column: 1 },
    outcome(this: TestCase) {
      const asExpected = results.filter(({ status }) => status === this.expectedStatus).length;
      return asExpected === results.length ? 'expected' : asExpected > 0 ? 'flaky' : 'unexpected';
    },
  } as unknown as TestCase;
}
