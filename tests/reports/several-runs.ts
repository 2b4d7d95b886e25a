import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FullConfig, FullResult, Reporter, Suite } from '@playwright/test/reporter';
import type { AssayMetadata } from '../../reports/build-report.ts';
import type { ConformanceReport } from '../../reports/model.ts';
import ConformanceReporter from '../../reports/reporter.ts';
import type { Rule } from '../../schemas/rules.ts';

/** Tests of one file, which their own reporter takes for a whole run. */
export interface Group {
  /** Of its file, without `.spec.ts`. */
  readonly name: string;
  readonly rules: readonly Rule[];
  /** Rules that its tests name. */
  readonly named: readonly string[];
  readonly assay: AssayMetadata;
  readonly env: Readonly<Record<string, string>> & { readonly REPORT_DIR: string };
}

export interface Judged {
  readonly code: number;
  readonly stdout: string;
  readonly reports: string;
  readonly report: ConformanceReport;
}

/** Shows what Playwright ran, file by file, to one reporter each, one after the other. */
export default class SeveralRuns implements Reporter {
  readonly #groups: readonly Group[];
  readonly #results: string;
  #config: FullConfig | undefined;
  #suite: Suite | undefined;

  constructor({ groups, results }: { readonly groups: readonly Group[]; readonly results: string }) {
    this.#groups = groups;
    this.#results = results;
  }

  onBegin(config: FullConfig, suite: Suite): void {
    this.#config = config;
    this.#suite = suite;
  }

  async onEnd(result: FullResult): Promise<void> {
    const all: Record<string, Judged> = {};
    for (const group of this.#groups) all[group.name] = await this.#judge(group, result);
    writeFileSync(this.#results, JSON.stringify(all));
  }

  async #judge({ name, rules, named, assay, env }: Group, result: FullResult): Promise<Judged> {
    const tests =
      this.#suite?.allTests().filter(({ location }) => location.file.endsWith(`/${name}.spec.ts`)) ?? [];
    let stdout = '';
    let code = 0;
    const reporter = new ConformanceReporter({
      rules,
      questions: [],
      coverageOf: (rule) => (named.includes(rule) ? 'check' : 'nothing'),
      write: (text) => (stdout += text),
      exit: (asked) => (code = asked),
    });
    Object.assign(process.env, env);
    reporter.onBegin({ ...(this.#config as FullConfig), metadata: { assay } }, {
      allTests: () => tests,
    } as unknown as Suite);
    for (const test of tests) for (const each of test.results) reporter.onTestEnd(test, each);
    const { status } = await reporter.onEnd(result);
    for (const variable of Object.keys(env)) delete process.env[variable];
    // What Playwright does with a status that is not passed.
    if (status !== 'passed' && code === 0) code = 1;
    const file = join(env.REPORT_DIR, 'conformance.json');
    const report = JSON.parse(readFileSync(file, 'utf8')) as ConformanceReport;
    return { code, stdout, reports: env.REPORT_DIR, report };
  }
}
