import { join, relative } from 'node:path';
import type { FullConfig, FullResult, Reporter, Suite, TestError } from '@playwright/test/reporter';
import { loadObservationQuestions } from '../schemas/observations.ts';
import { loadRules } from '../schemas/rules.ts';
import { readAccepted } from '../target/accepted.ts';
import { UsageError } from '../target/usage-error.ts';
import { firstLine } from './attempt.ts';
import { baselineFile, chosenBaseline, keepBaseline, readBaseline } from './baseline.ts';
import { buildReport, type AssayMetadata, type RunInput } from './build.ts';
import { coverageIn } from './coverage.ts';
import { knownDetection } from './detection.ts';
import type { ConformanceReport } from './model.ts';
import { raiseExitCode } from './exit-code.ts';
import { printable } from './printable.ts';
import { reportDir } from './report-dir.ts';
import { leavesTestsOut, onlyLists } from './run-filter.ts';
import { EXIT_CODES } from './run-verdict.ts';
import { terminalSummary } from './terminal.ts';
import { recordsOf } from './test-record.ts';
import { ownVersion } from './version.ts';
import { reportFiles } from './write/report-files.ts';
import { clearReports, FILES, writeFiles } from './write/write-files.ts';

/** Options of the reporter; all of them have defaults, and tests use them to bring their own catalogue. */
export interface ConformanceReporterOptions {
  /** Folder to write into, instead of `REPORT_DIR` or `reports/out`. */
  readonly outputDir?: string;
  readonly rules?: RunInput['rules'];
  readonly questions?: RunInput['questions'];
  /** Rules that some test or shape covers, when the sources should not be searched. */
  readonly coverageOf?: RunInput['coverageOf'];
  readonly write?: (text: string) => void;
}

const NO_TARGET: AssayMetadata = {
  target: { name: 'unknown', baseUrl: '', brand: '', embedded: false, capabilities: [], preparation: 'none' },
  usageError: 'The configuration says nothing about the target: metadata.assay is missing.',
};

/**
 * The Playwright reporter that turns what the tests recorded into the reports of a run. List it last: it prints
 * its summary after the other reporters, and it decides the status of the run.
 */
export default class ConformanceReporter implements Reporter {
  readonly #options: ConformanceReporterOptions;
  readonly #errors: string[] = [];
  #config: FullConfig | undefined;
  #suite: Suite | undefined;
  #baseline: ConformanceReport | undefined;
  #accepted: ReadonlyMap<string, string> = new Map();
  #usageError: string | undefined;
  #listing = false;

  constructor(options: ConformanceReporterOptions = {}) {
    this.#options = options;
  }

  printsToStdio(): boolean {
    return true;
  }

  onBegin(config: FullConfig, suite: Suite): void {
    this.#config = config;
    this.#suite = suite;
    this.#listing = onlyLists(config.argv);
    if (this.#listing || this.#matchesNothing()) return;
    const dir = this.#dir();
    try {
      // Before the folder is cleared: BASELINE may well point into it.
      this.#baseline = chosenBaseline(process.env) ?? readBaseline(baselineFile(dir, this.#assay().target));
      this.#accepted = readAccepted(this.#assay().accepted ?? process.env['ACCEPTED']);
      clearReports(dir);
    } catch (error) {
      if (error instanceof UsageError) this.#usageError = error.message;
      else this.#errors.push(`The report folder ${dir} cannot be used: ${firstLine(String(error))}`);
    }
  }

  onError(error: TestError): void {
    this.#errors.push(firstLine(error.message ?? error.value) ?? 'an unknown error outside any test');
  }

  async onEnd(result: FullResult): Promise<{ status: FullResult['status'] }> {
    // Playwright swallows what a reporter throws, and would end with its own status: never let that look like a pass.
    if (this.#listing) return { status: result.status };
    try {
      if (this.#matchesNothing()) {
        this.#print(
          'Not judged. No test matches what was chosen: check the filter, the folder or the shard.\n',
        );
        raiseExitCode(2);
        return { status: 'failed' };
      }
      const report = this.#write(result);
      raiseExitCode(EXIT_CODES[report.verdict]);
      return { status: report.verdict === 'conforming' ? 'passed' : 'failed' };
    } catch (error) {
      process.stderr.write(
        `The reports could not be written: ${printable(String(error))}. Check that REPORT_DIR can be written to.\n`,
      );
      raiseExitCode(2);
      return { status: 'failed' };
    }
  }

  #write(result: FullResult): ConformanceReport {
    const dir = this.#dir();
    const assay = this.#assay();
    const tests = recordsOf(this.#suite?.allTests() ?? []);
    const report = buildReport({
      assay: this.#usageError === undefined ? assay : { ...assay, usageError: this.#usageError },
      tests,
      rules: this.#options.rules ?? loadRules(),
      questions: this.#options.questions ?? loadObservationQuestions(),
      coverageOf: this.#options.coverageOf ?? coverageIn(),
      ...knownDetection(),
      accepted: this.#accepted,
      ...(this.#baseline ? { baseline: this.#baseline } : {}),
      baselineChosen: Boolean(process.env['BASELINE']?.trim()),
      startedAt: result.startTime.toISOString(),
      milliseconds: result.duration,
      errors: [...new Set(this.#errors)],
      ...endOf(result),
      partial: this.#isPart(),
      version: ownVersion(),
    });
    writeFiles(dir, reportFiles(report, tests));
    keepBaseline(dir, report);
    const files = [
      { purpose: 'report', path: shown(join(dir, FILES.page)) },
      { purpose: 'data', path: shown(join(dir, FILES.json)) },
      { purpose: 'exchanges', path: shown(join(dir, FILES.exchanges)) },
    ];
    this.#print(terminalSummary(report, files, { colour: wantsColour() }));
    return report;
  }

  #print(text: string): void {
    const write = this.#options.write ?? ((line: string) => process.stdout.write(line));
    write(`\n${text}`);
  }

  #assay(): AssayMetadata {
    return (this.#config?.metadata['assay'] as AssayMetadata | undefined) ?? NO_TARGET;
  }

  /** The user chose a part. Tests that are missing for any other reason leave a run incomplete. */
  #isPart(): boolean {
    return this.#config?.shard != null || leavesTestsOut(this.#config?.argv ?? []);
  }

  #matchesNothing(): boolean {
    return this.#isPart() && this.#suite?.allTests().length === 0;
  }

  #dir(): string {
    return this.#options.outputDir ?? reportDir();
  }
}

function endOf({ status }: FullResult): { readonly ended?: string } {
  if (status === 'interrupted') return { ended: 'The run was interrupted.' };
  return status === 'timedout' ? { ended: 'The run was ended by its global time-out.' } : {};
}

function wantsColour(): boolean {
  if (process.env['NO_COLOR']) return false;
  const forced = process.env['FORCE_COLOR'];
  return forced === undefined ? process.stdout.isTTY === true : forced !== '0';
}

function shown(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}
