import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { FullConfig, Suite, TestCase, TestResult } from '@playwright/test/reporter';
import { JOURNAL_ATTACHMENT, type Finding, type Journal } from '../../journal/types.ts';
import { settleColours, watchColours } from '../../reports/colours.ts';
import type { ConformanceReport } from '../../reports/model.ts';
import { PLAYWRIGHT, reportIn, runNode, scratch } from '../support/run-assay.ts';
import { spawnSandbox, type SandboxProcess } from '../support/sandbox-process.ts';
import { unzip } from '../support/unzip.ts';

// Every action and read breaks a rule; those that hold all the same, and those that could not tell, are among them.
const WORLD = 'fault.action-created-at-in-milliseconds+approval-threshold-ignored';
const SPECS = ['specs/agents/action-details.spec.ts', 'specs/agents/agents-and-policies.spec.ts'];

test.describe('a part of the suite on a broken service', () => {
  test.describe.configure({ mode: 'serial' });
  test.setTimeout(240_000);
  let sandbox: SandboxProcess;
  test.beforeAll(async () => void (sandbox = await spawnSandbox()));
  test.afterAll(() => sandbox[Symbol.asyncDispose]());

  const run = async (folder: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const at = `${sandbox.origin}/${WORLD}`;
    return runNode([PLAYWRIGHT, ...args], {
      BASE_URL: `${at}/2025-10-13`,
      CLIENT_ID: 'sandbox',
      CLIENT_SECRET: 'sandbox-secret',
      PROVIDER_STATES_URL: `${at}/provider-states`,
      REPORT_DIR: join(folder, 'report'),
      WORKERS: '2',
      PLAYWRIGHT_HTML_OPEN: 'never',
      ...env,
    });
  };
  const files = (folder: string) => ({
    PLAYWRIGHT_JSON_OUTPUT_FILE: join(folder, 'report.json'),
    PLAYWRIGHT_JUNIT_OUTPUT_FILE: join(folder, 'report.xml'),
    PLAYWRIGHT_HTML_OUTPUT_DIR: join(folder, 'html'),
  });

  test('one run: every reporter counts the same tests as broken, and names the rule', async () => {
    const folder = scratch('colours');
    const results = join(folder, 'results');
    const args = ['test', ...SPECS, '--output', results, '--add-reporter=json,junit,html,list'];
    const { code, output } = await run(folder, args, files(folder));
    expect(code, output).toBe(1);
    const broken = brokenIn(reportIn(join(folder, 'report')));
    expect(countsOf(folder)).toEqual(sameFor(broken.size));
    expect(allureIn(join(folder, 'report'))).toBe(broken.size);
    expect(Number(/^ {2}(\d+) failed$/m.exec(output)?.[1])).toBe(broken.size);
    const { failedTests } = JSON.parse(readFileSync(join(results, '.last-run.json'), 'utf8'));
    expect(failedTests).toHaveLength(broken.size);
    const junit = readFileSync(join(folder, 'report.xml'), 'utf8');
    expect(junit).toMatch(/ACTION-CREATED-AT: createdAt must be string, but is \d+/);
    expect(reportIn(join(folder, 'report'))?.run.tests.failed).toBe(broken.size);
  });

  test('two shards, merged: the same counts', async () => {
    const folder = scratch('colours');
    const blobs = join(folder, 'blobs');
    let failed = 0;
    for (const part of [1, 2]) {
      const args = ['test', ...SPECS, `--shard=${part}/2`, '--output', join(folder, 'results')];
      const { code, output } = await run(folder, [...args, '--reporter=blob,list'], {
        PLAYWRIGHT_BLOB_OUTPUT_FILE: join(blobs, `${part}.zip`),
      });
      expect(code, output).toBe(1);
      failed += Number(/^ {2}(\d+) failed$/m.exec(output)?.[1]);
    }
    const merge = ['merge-reports', '--config', 'playwright.config.ts'];
    const { code, output } = await run(folder, [...merge, blobs]);
    expect(code, output).toBe(1);
    const broken = brokenIn(reportIn(join(folder, 'report')));
    expect(failed).toBe(broken.size);
    expect(allureIn(join(folder, 'report'))).toBe(broken.size);
    await run(folder, ['merge-reports', '--reporter=json,junit,html', blobs], files(folder));
    expect(countsOf(folder)).toEqual(sameFor(broken.size));
  });

  test('what a reporter prints for programs stands alone on stdout', async () => {
    const folder = scratch('colours');
    const part = ['specs/agents/action-details.spec.ts:17', '--project', 'conformance'];
    const { code, output, stdout } = await run(folder, [
      ...['test', ...part, '--reporter=json', '--output', join(folder, 'results')],
    ]);
    expect(code, output).toBe(1);
    expect((JSON.parse(stdout) as { stats: { unexpected: number } }).stats.unexpected).toBe(1);
    expect(output).toMatch(/^Assay tests /m);
    expect(output).toMatch(/^Violated/m);
  });
});

/** Labels of the tests that show a breach which counts. */
function brokenIn(report: ConformanceReport | undefined): ReadonlySet<string> {
  const broken = new Set(
    report?.defects.filter(({ known }) => known === undefined).flatMap(({ tests }) => tests),
  );
  expect(broken.size).toBeGreaterThan(5);
  return broken;
}

const sameFor = (count: number) => ({ json: count, junit: count, html: count });

function countsOf(folder: string) {
  const json = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  const junit = readFileSync(join(folder, 'report.xml'), 'utf8');
  const [, failures, errors] = /<testsuites [^>]*failures="(\d+)"[^>]*errors="(\d+)"/.exec(junit) ?? [];
  const page = readFileSync(join(folder, 'html/index.html'), 'utf8');
  const zip = Buffer.from(/data:application\/zip;base64,([A-Za-z0-9+/=]+)/.exec(page)?.[1] ?? '', 'base64');
  const html =
    unzip(zip)
      .find(({ name }) => name === 'report.json')
      ?.content.toString('utf8') ?? '';
  return {
    json: json.stats.unexpected as number,
    junit: Number(failures) + Number(errors),
    html: JSON.parse(html).stats.unexpected as number,
  };
}

/** Tests whose last try Allure shows as failed. */
function allureIn(report: string): number {
  const folder = join(report, 'allure-results');
  const last = new Map<string, { readonly start: number; readonly status: string }>();
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (!name.endsWith('-result.json')) continue;
    const result = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    if ((last.get(result.historyId)?.start ?? 0) <= result.start) last.set(result.historyId, result);
  }
  return [...last.values()].filter(({ status }) => status === 'failed').length;
}

const FINDING: Finding = { rule: 'THING-A', place: 'THING-A', message: 'expected 1, got 2', exchanges: [] };

/** A test whose tries left these journals. */
function testOf(
  tries: readonly { readonly status: TestResult['status']; readonly journal: Partial<Journal> }[],
  expected: TestCase['expectedStatus'],
): TestCase {
  const results = tries.map(({ status, journal }, retry) => {
    const empty = {
      version: 1,
      rules: [],
      seen: {},
      checks: [],
      findings: [],
      observations: [],
      exchanges: [],
    };
    const body = Buffer.from(JSON.stringify({ ...empty, ...journal }));
    const message = journal.findings?.map((each) => `${each.rule}: ${each.message}`).join('\n');
    return {
      ...{ status, retry, annotations: [] },
      errors: message ? [{ message }] : [],
      attachments: [{ name: JOURNAL_ATTACHMENT, contentType: 'application/json', body }],
    };
  });
  return {
    ...{ title: 'a test', tags: [], annotations: [], retries: 1, expectedStatus: expected, results },
    titlePath: () => ['', '', 'a.spec.ts', 'a test'],
    location: { file: 'a.spec.ts', line: 1, column: 1 },
    outcome(this: TestCase) {
      const asExpected = results.filter(({ status }) => status === this.expectedStatus).length;
      return asExpected === results.length ? 'expected' : asExpected > 0 ? 'flaky' : 'unexpected';
    },
  } as unknown as TestCase;
}

function settled(of: TestCase, metadata: object = {}): TestCase {
  const assay = { target: { embedded: true }, ...metadata };
  const config = { argv: ['test'], metadata: { assay } } as unknown as FullConfig;
  watchColours(config, { allTests: () => [of] } as unknown as Suite);
  settleColours();
  return of;
}

const failed = (finding: Partial<Finding> = {}) => ({
  status: 'failed' as const,
  journal: { findings: [{ ...FINDING, ...finding }] },
});

test('a test that failed as expected over a breach is unexpected', () => {
  expect(settled(testOf([failed()], 'failed')).outcome()).toBe('unexpected');
});

test('a known breach stays expected', () => {
  expect(settled(testOf([failed({ known: 'on its way' })], 'failed')).outcome()).toBe('expected');
});

test('a breach that the repeat does not show is red all the same, and told', () => {
  const of = settled(testOf([failed(), { status: 'passed', journal: {} }], 'passed'));
  expect(of.outcome()).toBe('unexpected');
  expect(of.results[1]?.error?.message).toBe('THING-A: expected 1, got 2');
});

test('a finding that stands on a guess is skipped, with the reason', () => {
  const of = settled(testOf([failed({ assumes: ['otpSeal'] })], 'failed'), { vouchedFor: [] });
  expect(of.expectedStatus).toBe('skipped');
  expect(of.results.map(({ status, errors }) => [status, errors])).toEqual([['skipped', []]]);
  expect(of.annotations).toEqual([
    { type: 'skip', description: 'inconclusive: What it found stands on a guess.' },
  ]);
});

test('Playwright sees a failure that it expects, and every reporter one that it does not', () => {
  const of = testOf([failed()], 'passed');
  watchColours(
    { argv: ['test'], metadata: {} } as unknown as FullConfig,
    { allTests: () => [of] } as unknown as Suite,
  );
  of.expectedStatus = 'failed';
  expect([of.expectedStatus, of.expectedStatus, of.expectedStatus]).toEqual(['failed', 'passed', 'passed']);
  expect(of.retries).toBe(0);
  settleColours();
  expect(of.expectedStatus).toBe('passed');
});
