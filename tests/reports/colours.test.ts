import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { FullConfig, Suite, TestCase } from '@playwright/test/reporter';
import type { Finding } from '../../journal/types.ts';
import { settleColours, watchColours } from '../../reports/colours.ts';
import { NIGHTLY, PLAYWRIGHT, reportIn, runNode, scratch } from '../support/run-assay.ts';
import { spawnSandbox, type SandboxProcess } from '../support/sandbox-process.ts';
import { unzip } from '../support/unzip.ts';
import { testCase, type Try, finding } from './sample.ts';

// Every action and read breaks a rule; those that hold all the same, and those that could not tell, are among them.
const WORLD = 'fault.action-created-at-in-milliseconds+approval-threshold-ignored';
const SPECS = ['specs/agents/actions.spec.ts', 'specs/agents/agents-and-policies.spec.ts'];

test.describe('a part of the suite on a broken service', () => {
  test.describe.configure({ mode: 'serial' });
  test.setTimeout(240_000);
  let sandbox: SandboxProcess;
  test.beforeAll(async () => void (sandbox = await spawnSandbox()));
  test.afterAll(() => sandbox[Symbol.asyncDispose]());

  const run = (folder: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
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

  const listed = (output: string) => Number(/^ {2}(\d+) failed$/m.exec(output)?.[1]);
  const sameFor = (count: number) => ({ json: count, junit: count, html: count });

  test('one run: every reporter counts the same tests as broken, and names the rule', async () => {
    const folder = scratch('colours');
    const results = join(folder, 'results');
    const args = ['test', ...SPECS, '--output', results, '--add-reporter=json,junit,html,list'];
    const { code, output } = await run(folder, args, files(folder));
    expect(code, output).toBe(1);
    const broken = brokenIn(folder);
    expect(countsOf(folder)).toEqual(sameFor(broken));
    expect(allureIn(folder)).toBe(broken);
    expect(listed(output)).toBe(broken);
    const { failedTests } = JSON.parse(readFileSync(join(results, '.last-run.json'), 'utf8'));
    expect(failedTests).toHaveLength(broken);
    const junit = readFileSync(join(folder, 'report.xml'), 'utf8');
    expect(junit).toMatch(/ACTION-CREATED-AT: createdAt must be text \(date-time\), but is \d+/);
    expect(reportIn(join(folder, 'report'))?.run.tests.failed).toBe(broken);
  });

  test('what a reporter prints for programs stands alone on stdout', NIGHTLY, async () => {
    const folder = scratch('colours');
    const part = ['specs/agents/actions.spec.ts', '-g', 'a read by its id', '--project', 'conformance'];
    const args = ['test', ...part, '--reporter=json', '--output', join(folder, 'results')];
    const { code, output, stdout } = await run(folder, args);
    expect(code, output).toBe(1);
    expect((JSON.parse(stdout) as { stats: { unexpected: number } }).stats.unexpected).toBe(1);
    expect(output).toMatch(/^Assay tests /m);
    expect(output).toMatch(/^Violated/m);
  });
});

/** How many tests show a breach which counts. */
function brokenIn(folder: string): number {
  const defects = reportIn(join(folder, 'report'))?.defects.filter(({ known }) => known === undefined) ?? [];
  const broken = new Set(defects.flatMap(({ tests }) => tests));
  expect(broken.size).toBeGreaterThan(5);
  return broken.size;
}

/** What the other reporters count as failed. */
function countsOf(folder: string) {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const [, failures, errors] =
    /<testsuites [^>]*failures="(\d+)"[^>]*errors="(\d+)"/.exec(read('report.xml')) ?? [];
  const base64 = /data:application\/zip;base64,([A-Za-z0-9+/=]+)/.exec(read('html/index.html'))?.[1] ?? '';
  const html = unzip(Buffer.from(base64, 'base64')).find(({ name }) => name === 'report.json')?.content;
  return {
    json: JSON.parse(read('report.json')).stats.unexpected as number,
    junit: Number(failures) + Number(errors),
    html: JSON.parse(String(html)).stats.unexpected as number,
  };
}

/** Tests whose last try Allure shows as failed. */
function allureIn(folder: string): number {
  const results = join(folder, 'report/allure-results');
  const last = new Map<string, { readonly start: number; readonly status: string }>();
  for (const name of readdirSync(results).filter((each) => each.endsWith('-result.json'))) {
    const result = JSON.parse(readFileSync(join(results, name), 'utf8'));
    if ((last.get(result.historyId)?.start ?? 0) <= result.start) last.set(result.historyId, result);
  }
  return [...last.values()].filter(({ status }) => status === 'failed').length;
}

function watch(of: TestCase, metadata: object = {}): void {
  const assay = { target: { embedded: true }, ...metadata };
  const config = { argv: ['test'], metadata: { assay } } as unknown as FullConfig;
  watchColours(config, { allTests: () => [of] } as unknown as Suite);
}

function settled(tries: readonly Try[], expected: TestCase['expectedStatus'], metadata?: object): TestCase {
  const of = testCase('a test', tries, { expected });
  watch(of, metadata);
  settleColours();
  return of;
}

const failed = (more: Partial<Finding> = {}): Try => ({
  status: 'failed',
  journal: { findings: [finding(more)] },
});

test('a test that failed as expected over a breach is unexpected; a known breach stays expected', () => {
  expect(settled([failed()], 'failed').outcome()).toBe('unexpected');
  expect(settled([failed({ known: 'on its way' })], 'failed').outcome()).toBe('expected');
});

test('a breach that the repeat does not show is red all the same, and told', () => {
  const of = settled([failed(), { journal: {} }], 'passed');
  expect(of.outcome()).toBe('unexpected');
  expect(of.results[1]?.error?.message).toBe('THING-A: expected 1, got 2');
});

test('a finding that stands on a guess is skipped, with the reason', () => {
  const of = settled([failed({ assumes: ['otpSeal'] })], 'failed', { vouchedFor: [] });
  expect(of.expectedStatus).toBe('skipped');
  expect(of.results.map(({ status, errors }) => [status, errors])).toEqual([['skipped', []]]);
  expect(of.annotations).toEqual([
    { type: 'skip', description: 'inconclusive: What it found stands on a guess.' },
  ]);
});
