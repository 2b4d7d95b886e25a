/**
 * The way of a run to its report: `journals/` reads what tests left behind, `verdicts/` makes one report of it, `write/`,
 * `html/` and `reproduce/` make files of that, and `folder/` keeps what the next run needs. Beside this one stand the other
 * reporters: live.ts for a terminal, colours.ts for all others, allure.ts.
 */
import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import { loadObservationQuestions, loadRules } from '../schemas/rules.ts';
import { readAccepted, readKnownFailures, type KnownFailure } from '../target/known-list.ts';
import { UsageError } from '../target/usage-error.ts';
import { firstLine } from './journals/attempt.ts';
import { WorkQueue } from './work-queue.ts';
import { baselineFile, chosenBaseline, keepBaseline, readBaseline } from './folder/baseline.ts';
import { settleColours, watchColours } from './colours.ts';
import { buildReport, type AssayMetadata, type RunInput } from './verdicts/build-report.ts';
import {
  leavesTestsOut,
  onlyLists,
  ownOutput,
  raiseExitCode,
  rulesAskedFor,
  wantsColour,
} from './command-line.ts';
import { commitOf, ownVersion } from './version.ts';
import { coverageIn } from './verdicts/coverage.ts';
import { knownDetection } from './detection.ts';
import { refuseForeignFiles, reportDir } from './folder/folder.ts';
import { keepHistory, readHistory, type HistoryLine } from './folder/history.ts';
import { writeLeftBehind } from './folder/left-behind.ts';
import type { ConformanceReport } from './verdicts/model.ts';
import { printable } from './write/sentences.ts';
import { EXIT_CODES } from './verdicts/run-verdict.ts';
import { terminalSummary } from './write/terminal.ts';
import { labelOf, recordsOf } from './journals/test-record.ts';
import { readJournal } from '../journal/read-journal.ts';
import { exchangeLine, filesSoFar, reportFiles } from './write/report-files.ts';
import { clearReports, FILES, noteStepSummary, writeFiles } from './write/write-files.ts';

/** Options of the reporter; all of them have defaults, and tests use them to bring their own catalogue. */
interface ConformanceReporterOptions {
  /** Folder to write into, instead of `REPORT_DIR` or `reports/out`. */
  readonly outputDir?: string;
  readonly rules?: RunInput['rules'];
  readonly questions?: RunInput['questions'];
  /** Rules that some test or shape covers, when the sources should not be searched. */
  readonly coverageOf?: RunInput['coverageOf'];
  readonly write?: (text: string) => void;
  /** Takes the exit code, instead of this process. */
  readonly exit?: typeof raiseExitCode;
}

/** A run that goes on writes its report again after so long, or so many times what writing costs. Milliseconds. */
const LOOK_MS = 15_000;
const LOOK_SHARE = 20;
/** It is written first when the workers are starting. Milliseconds. */
const FIRST_LOOK_MS = 100;

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
  #knownFailures: readonly KnownFailure[] = [];
  #history: readonly HistoryLine[] = [];
  #commit: string | undefined;
  #listing = false;
  #startedAt = new Date();
  /** The folder belongs to somebody else: nothing is written. */
  #isForeign = false;
  #ended = 0;
  /** When the report on disk is worth writing again, by `performance.now()`. */
  #nextLook = Number.POSITIVE_INFINITY;
  /** Reading every source takes long, and they stay as they are while a run goes on. */
  #detection: ReturnType<typeof knownDetection> | undefined;
  readonly #queue = new WorkQueue();

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
    watchColours(config, suite);
    const dir = this.#dir();
    this.#startedAt = new Date();
    let isForeign = true;
    try {
      refuseForeignFiles(dir);
      isForeign = false;
      // Before the folder is cleared: BASELINE may well point into it.
      this.#baseline = chosenBaseline(process.env) ?? readBaseline(baselineFile(dir, this.#assay().target));
      this.#accepted = readAccepted(this.#assay());
      this.#knownFailures = readKnownFailures(this.#assay().knownFailures);
      this.#history = readHistory(dir, this.#assay().target);
      this.#commit = commitOf();
      clearReports(dir);
      this.#nextLook = performance.now();
      setTimeout(() => this.#queue.add(() => this.#onTheWay()), FIRST_LOOK_MS).unref();
    } catch (error) {
      this.#isForeign = isForeign;
      if (error instanceof UsageError) this.#usageError = error.message;
      else this.#errors.push(`The report folder ${dir} cannot be used: ${firstLine(String(error))}`);
    }
  }

  /** What has run is on disk as it runs: a run that is killed leaves it there. */
  onTestEnd(test: TestCase, result: TestResult): void {
    if (this.#listing || this.#nextLook === Number.POSITIVE_INFINITY) return;
    if (result.retry === 0) this.#ended += 1;
    this.#queue.add(() =>
      this.#onTheWay(() => {
        const lines = (readJournal(result.attachments)?.exchanges ?? []).map((each) =>
          exchangeLine(each, labelOf(test)),
        );
        if (lines.length > 0) appendFileSync(join(this.#dir(), FILES.exchanges), lines.join(''));
      }),
    );
  }

  onError(error: TestError): void {
    this.#errors.push(firstLine(error.message ?? error.value) ?? 'an unknown error outside any test');
  }

  async onEnd(result: FullResult): Promise<{ status: FullResult['status'] }> {
    // Playwright swallows what a reporter throws, and would end with its own status: never let that look like a pass.
    if (this.#listing) return { status: result.status };
    settleColours();
    await this.#queue.done();
    try {
      if (this.#matchesNothing()) {
        this.#print(
          'Not judged. No test matches what was chosen: check the filter, the folder or the shard.\n',
        );
        this.#exit(2);
        return { status: 'failed' };
      }
      const report = this.#write(result);
      this.#exit(EXIT_CODES[report.verdict]);
      return { status: report.verdict === 'conforming' ? 'passed' : 'failed' };
    } catch (error) {
      process.stderr.write(
        `The reports could not be written: ${printable(String(error))}. Check that REPORT_DIR can be written to.\n`,
      );
      this.#exit(2);
      return { status: 'failed' };
    }
  }

  /** What is written while the run goes on. */
  #onTheWay(write: () => void = () => {}): void {
    try {
      write();
      if (performance.now() >= this.#nextLook) this.#writeSoFar();
    } catch {
      // A journal that cannot be read is told at the end, and so is a folder that cannot be written.
    }
  }

  /** The report of a run that goes on. */
  #writeSoFar(): void {
    const from = performance.now();
    const of = this.#suite?.allTests().length ?? 0;
    const { report, tests } = this.#build({
      startTime: this.#startedAt,
      duration: Date.now() - this.#startedAt.getTime(),
      ended: 'The run had not ended when this was written, or it was killed.',
      unfinished: { ran: this.#ended, of },
    });
    writeFiles(this.#dir(), filesSoFar(report, tests, this.#history));
    const cost = performance.now() - from;
    this.#nextLook = performance.now() + Math.max(LOOK_MS, LOOK_SHARE * cost);
  }

  #build(run: {
    readonly startTime: Date;
    readonly duration: number;
    readonly ended?: string;
    readonly unfinished?: { readonly ran: number; readonly of: number };
  }) {
    const assay = this.#assay();
    const rules = this.#options.rules ?? loadRules();
    const tests = recordsOf(this.#suite?.allTests() ?? []);
    const report = buildReport({
      assay: this.#usageError === undefined ? assay : { ...assay, usageError: this.#usageError },
      tests,
      rules,
      questions: this.#options.questions ?? loadObservationQuestions(),
      coverageOf: this.#options.coverageOf ?? coverageIn(),
      ...(this.#detection ??= knownDetection()),
      accepted: this.#accepted,
      ...(this.#baseline ? { baseline: this.#baseline } : {}),
      baselineChosen: Boolean(process.env['BASELINE']?.trim()),
      knownFailures: this.#knownFailures,
      history: this.#history,
      ...(this.#commit === undefined ? {} : { commit: this.#commit }),
      startedAt: run.startTime.toISOString(),
      milliseconds: run.duration,
      errors: [...new Set(this.#errors)],
      ...(run.ended === undefined ? {} : { ended: run.ended }),
      ...(run.unfinished ? { unfinished: run.unfinished } : {}),
      partial: this.#isPart(),
      asked: rulesAskedFor(this.#config?.argv ?? [], (id) => rules.some((rule) => rule.id === id)),
      version: ownVersion(),
    });
    return { report, tests };
  }

  #write(result: FullResult): ConformanceReport {
    const dir = this.#dir();
    this.#nextLook = Number.POSITIVE_INFINITY;
    const { report, tests } = this.#build({ ...result, ...endOf(result) });
    if (this.#isForeign) {
      this.#print(terminalSummary(report, [], { colour: wantsColour() }));
      return report;
    }
    const contents = reportFiles(report, tests, this.#history);
    writeFiles(dir, contents);
    keepBaseline(dir, report);
    keepHistory(dir, report);
    // A run has done so when it ended; merged parts have not.
    writeLeftBehind(dir);
    noteStepSummary(String(contents[FILES.summary]));
    const files = [
      { purpose: 'report', path: shown(join(dir, FILES.page)) },
      { purpose: 'data', path: shown(join(dir, FILES.json)) },
      { purpose: 'exchanges', path: shown(join(dir, FILES.exchanges)) },
    ];
    this.#print(terminalSummary(report, files, { colour: wantsColour() }));
    return report;
  }

  #print(text: string): void {
    const write = this.#options.write ?? ((line: string) => ownOutput().write(line));
    write(`\n${text}`);
  }

  #exit(code: 0 | 1 | 2): void {
    (this.#options.exit ?? raiseExitCode)(code);
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

function shown(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}
