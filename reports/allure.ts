import { mkdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FullConfig } from '@playwright/test';
import type { Suite } from '@playwright/test/reporter';
import type { Writer } from 'allure-js-commons/sdk/reporter';
import { AllureReporter } from 'allure-playwright';
import { JOURNAL_ATTACHMENT } from '../journal/types.ts';
import { WorkQueue } from './work-queue.ts';
import { claimFolder, refuseForeignFiles, reportDir } from './folder/folder.ts';
import { leavesTestsOut, onlyLists } from './command-line.ts';

type Options = ConstructorParameters<typeof AllureReporter>[0];

/** From Allure's page, beside the folder of its results, to the rule on ours. */
const RULE_LINK = { urlTemplate: '../index.html#%s', nameTemplate: '%s' };

/** Folder of the raw results that Allure builds its own report from. */
function allureResultsDir(): string {
  return join(reportDir(), 'allure-results');
}

/**
 * allure-playwright, made fit for this project: its results lie beside the other reports, those of the last run
 * are removed first (Allure never does it, and would mix both), and `merge-reports` works. A run that only lists its
 * tests, or whose filter matches none, touches nothing.
 */
export default class ConformanceAllureReporter extends AllureReporter {
  readonly #resultsDir: string;
  #argv: readonly string[] = [];
  #idle = false;
  readonly #queue = new WorkQueue();
  /** What is told at the end, when colours are settled: by test, from its first failure on. */
  readonly #held = new Map<string, (() => void | Promise<void>)[]>();

  constructor(options: Options = {}) {
    const resultsDir = options?.resultsDir ?? allureResultsDir();
    super({ detail: false, suiteTitle: true, links: { tms: RULE_LINK }, ...options, resultsDir });
    this.#resultsDir = resultsDir;
  }

  override onConfigure(config: FullConfig): void {
    this.#argv = config.argv;
    if (config.projects.length > 0) {
      super.onConfigure(config);
      return;
    }
    // While blobs are merged the projects come later, and the base class would fail on projects[0]. The two
    // folders that it wants from there only serve picture comparison.
    this.config = config;
    this.outputDir = '';
    this.snapshotDir = '';
  }

  override onBegin(suite: Suite): void {
    this.#idle = onlyLists(this.#argv) || (suite.allTests().length === 0 && leavesTestsOut(this.#argv));
    if (this.#idle || this.#isForeign()) return;
    rmSync(this.#resultsDir, { recursive: true, force: true });
    mkdirSync(this.#resultsDir, { recursive: true });
    super.onBegin(suite);
    this.#writeBeside();
  }

  /** Allure's own writer waits for the disk at each result, and no worker gets its next test meanwhile. */
  #writeBeside(): void {
    const { writer } = Reflect.get(this, 'allureRuntime') as { readonly writer: Writer };
    writer.writeResult = (result) => {
      const file = join(this.#resultsDir, `${result.uuid}-result.json`);
      this.#queue.add(() => writeFile(file, JSON.stringify(result)));
    };
  }

  /** The folder belongs to somebody else, which the reporter of the verdict says. */
  #isForeign(): boolean {
    const folder = dirname(this.#resultsDir);
    try {
      refuseForeignFiles(folder);
      claimFolder(folder);
    } catch {
      this.#idle = true;
    }
    return this.#idle;
  }

  override onTestBegin(...given: Parameters<AllureReporter['onTestBegin']>): void {
    this.#tell(given[0], () => super.onTestBegin(...given));
  }

  override onStepBegin(...given: Parameters<AllureReporter['onStepBegin']>): void {
    this.#tell(given[0], () => super.onStepBegin(...given));
  }

  override onStepEnd(...given: Parameters<AllureReporter['onStepEnd']>): void {
    this.#tell(given[0], () => super.onStepEnd(...given));
  }

  override async onTestEnd(...[test, result]: Parameters<AllureReporter['onTestEnd']>): Promise<void> {
    // Journals are read by our own reports, and exchanges.ndjson has what they hold: Allure would write each into a file.
    const attachments = result.attachments.filter(({ name }) => name !== JOURNAL_ATTACHMENT);
    const shown = Object.assign(Object.create(result) as typeof result, { attachments });
    const isSettled = result.status === 'passed' || result.status === 'skipped';
    if (!isSettled && !this.#held.has(test.id)) this.#held.set(test.id, []);
    this.#tell(test, () => super.onTestEnd(test, shown));
  }

  #tell({ id }: { readonly id: string }, task: () => void | Promise<void>): void {
    if (this.#idle) return;
    const held = this.#held.get(id);
    if (held) held.push(task);
    else this.#queue.add(task);
  }

  override async onEnd(): Promise<void> {
    try {
      for (const task of [...this.#held.values()].flat()) this.#queue.add(task);
      await this.#queue.done();
    } finally {
      if (!this.#idle) await super.onEnd();
    }
  }
}
