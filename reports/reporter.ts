import { join, relative, resolve } from 'node:path';
import type { FullConfig, FullResult, Reporter, Suite, TestError } from '@playwright/test/reporter';
import { loadObservationQuestions } from '../schemas/observations.ts';
import { loadRules } from '../schemas/rules.ts';
import { readBaseline } from './baseline.ts';
import { buildReport, type AssayMetadata, type RunInput } from './build.ts';
import { coverageIn } from './coverage.ts';
import { loadDetection } from './detection.ts';
import { htmlPage } from './html/page.ts';
import type { ConformanceReport } from './model.ts';
import { reportDir } from './report-dir.ts';
import { leavesTestsOut } from './run-filter.ts';
import { terminalSummary } from './terminal.ts';
import { firstLine, recordOf } from './test-record.ts';
import { EXIT_CODES } from './verdict.ts';
import { ownVersion } from './version.ts';
import { badgeJson, badgeSvg } from './write/badge.ts';
import { junitXml } from './write/junit.ts';
import { exchangeIndex, exchangesNdjson } from './write/ndjson.ts';
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

  constructor(options: ConformanceReporterOptions = {}) {
    this.#options = options;
  }

  printsToStdio(): boolean {
    return true;
  }

  onBegin(config: FullConfig, suite: Suite): void {
    this.#config = config;
    this.#suite = suite;
    const chosen = process.env['BASELINE'];
    const dir = this.#dir();
    try {
      // Before the folder is cleared: BASELINE may well point into it.
      this.#baseline = chosen ? readBaseline(resolve(chosen)) : lastRun(dir);
      if (chosen && !this.#baseline)
        this.#errors.push(`BASELINE: ${chosen} is not a conformance.json of this version.`);
      clearReports(dir);
    } catch (error) {
      this.#errors.push(`The report folder ${dir} cannot be used: ${firstLine(String(error))}`);
    }
  }

  onError(error: TestError): void {
    this.#errors.push(firstLine(error.message ?? error.value) ?? 'an unknown error outside any test');
  }

  async onEnd(result: FullResult): Promise<{ status: FullResult['status'] }> {
    // Playwright swallows what a reporter throws, and would end with its own status: never let that look like a pass.
    try {
      const report = this.#write(result);
      raiseExitCode(EXIT_CODES[report.verdict]);
      return { status: report.verdict === 'conforming' ? 'passed' : 'failed' };
    } catch (error) {
      process.stderr.write(
        `The reports could not be written: ${error instanceof Error ? error.stack : String(error)}\n`,
      );
      raiseExitCode(2);
      return { status: 'failed' };
    }
  }

  #write(result: FullResult): ConformanceReport {
    const dir = this.#dir();
    const assay = (this.#config?.metadata['assay'] as AssayMetadata | undefined) ?? NO_TARGET;
    const tests = (this.#suite?.allTests() ?? []).map(recordOf);
    if (result.status === 'interrupted') this.#errors.push('The run was interrupted.');
    if (result.status === 'timedout') this.#errors.push('The run was ended by its global time-out.');
    const report = buildReport({
      assay,
      tests,
      rules: this.#options.rules ?? loadRules(),
      questions: this.#options.questions ?? loadObservationQuestions(),
      coverageOf: this.#options.coverageOf ?? coverageIn(),
      detection: loadDetection(),
      ...(this.#baseline ? { baseline: this.#baseline } : {}),
      baselineChosen: Boolean(process.env['BASELINE']),
      startedAt: result.startTime.toISOString(),
      milliseconds: result.duration,
      errors: [...new Set(this.#errors)],
      partial:
        result.status === 'interrupted' ||
        this.#config?.shard != null ||
        leavesTestsOut(this.#config?.argv ?? []),
      version: ownVersion(),
    });
    writeFiles(dir, {
      [FILES.json]: `${JSON.stringify(report, null, 2)}\n`,
      [FILES.exchanges]: exchangesNdjson(tests),
      [FILES.junit]: junitXml(report),
      [FILES.badge]: badgeSvg(report),
      [FILES.badgeData]: badgeJson(report),
      [FILES.page]: htmlPage(report, exchangeIndex(tests)),
    });
    const files = [
      { purpose: 'report', path: shown(join(dir, FILES.page)) },
      { purpose: 'data', path: shown(join(dir, FILES.json)) },
      { purpose: 'exchanges', path: shown(join(dir, FILES.exchanges)) },
    ];
    const write = this.#options.write ?? ((text: string) => process.stdout.write(text));
    write(`\n${terminalSummary(report, files, { colour: wantsColour() })}`);
    return report;
  }

  #dir(): string {
    return this.#options.outputDir ?? reportDir();
  }
}

let exitCode: 0 | 1 | 2 = 0;
let listening = false;

/**
 * Playwright ends the process itself, with 0, 1 or 130. Ours is set at the very last moment, so that the order of
 * reporters and their own onExit do not matter. It only ever makes a good exit code bad, never the reverse.
 */
function raiseExitCode(code: 0 | 1 | 2): void {
  exitCode = code;
  if (listening) return;
  listening = true;
  process.on('exit', () => {
    if (exitCode !== 0) process.exitCode = exitCode;
  });
}

/** The last run that could start: one that could not says nothing to compare with. */
function lastRun(dir: string): ConformanceReport | undefined {
  return [FILES.json, FILES.previous]
    .map((name) => readBaseline(join(dir, name)))
    .find((report) => report !== undefined && report.run.usageError === undefined);
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
