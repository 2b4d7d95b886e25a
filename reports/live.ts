import { styleText } from 'node:util';
import type { FullConfig, Reporter, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { attemptOf, firstLine } from './attempt.ts';
import { defectId, expectedAndGot } from './defects.ts';
import { findingsOf, type Standing } from './evidence.ts';
import { count, printable } from './sentences.ts';
import { onlyLists, ownOutput, wantsColour } from './command-line.ts';

/** Longest text of a target in one line. Characters. */
const LONGEST = 160;
/** After so many defects only their tests are told; the closing list has them all. */
const DEFECTS_TOLD = 30;

const SIGNS: Readonly<
  Record<Standing | 'known', readonly [sign: string, style: 'green' | 'red' | 'yellow' | 'dim']>
> = {
  completed: ['✓', 'green'],
  stopped: ['✕', 'red'],
  known: ['◆', 'yellow'],
  crashed: ['!', 'red'],
  inconclusive: ['?', 'yellow'],
  refused: ['?', 'yellow'],
  unprepared: ['○', 'dim'],
  skipped: ['○', 'dim'],
  'did not run': ['-', 'dim'],
};

/** What a person watches while a run goes on: one line a test, and every new finding as it comes. */
export default class LiveReporter implements Reporter {
  readonly #write: (text: string) => void;
  readonly #colour: boolean;
  readonly #told = new Set<string>();
  #isIdle = false;
  #total = 0;
  #ended = 0;

  constructor(options: { readonly write?: (text: string) => void; readonly colour?: boolean } = {}) {
    this.#write = options.write ?? ((text) => void ownOutput().write(text));
    this.#colour = options.colour ?? wantsColour();
  }

  printsToStdio(): boolean {
    return true;
  }

  onBegin(config: FullConfig, suite: { allTests(): readonly TestCase[] }): void {
    this.#isIdle = onlyLists(config.argv);
    this.#total = suite.allTests().length;
    if (!this.#isIdle) return;
    for (const test of suite.allTests()) this.#write(`${nameOf(test)} (${whereOf(test)})\n`);
    this.#write(`${count(this.#total, 'test')}\n`);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const { standing, reason, journal } = attemptOf(test, result);
    const findings = journal ? findingsOf(journal) : [];
    const isKnown = findings.length > 0 && findings.every(({ known }) => known !== undefined);
    // What failed is found again by its repeat, or it is not: the line of the repeat says which.
    const isRepeat = result.retry > 0;
    if (!isRepeat) this.#ended += 1;
    const [sign, style] = SIGNS[isKnown ? 'known' : standing];
    const number = this.#paint(
      'dim',
      `${String(this.#ended).padStart(String(this.#total).length)}/${this.#total}`,
    );
    const time = this.#paint('dim', ` (${(result.duration / 1_000).toFixed(1)} s)`);
    const why =
      standing !== 'completed' && findings.length === 0 && reason !== undefined
        ? this.#paint('dim', `: ${printable(reason, LONGEST)}`)
        : '';
    this.#write(
      `${number} ${this.#paint(style, sign)} ${printable(nameOf(test))}${isRepeat ? ', again' : ''}${time}${why}\n`,
    );
    for (const finding of findings) {
      const id = defectId(finding.rule, finding.place);
      if (this.#told.has(id)) continue;
      this.#told.add(id);
      if (this.#told.size > DEFECTS_TOLD) continue;
      const place = finding.place === finding.rule ? '' : ` at ${printable(finding.place, LONGEST)}`;
      const { expected, got } = expectedAndGot(finding.message);
      const lines = [
        `${this.#paint(isKnown ? 'yellow' : 'red', isKnown ? 'known' : 'violated')} ${printable(finding.rule)}${place}`,
        `expected ${printable(expected.replace(/^expected\s+/, ''), LONGEST)}`,
        ...(got === undefined ? [] : [`got      ${printable(got, LONGEST)}`]),
        `where    ${finding.line ?? whereOf(test)}`,
      ];
      this.#write(lines.map((line) => `      ${line}\n`).join(''));
    }
  }

  onError(error: TestError): void {
    this.#write(
      `${this.#paint('red', 'error')} ${printable(firstLine(error.message ?? error.value) ?? 'unknown')}\n`,
    );
  }

  #paint(style: 'green' | 'red' | 'yellow' | 'dim', text: string): string {
    return this.#colour ? styleText(style, text, { validateStream: false }) : text;
  }
}

/** File and titles, without tags: they say again what the report says better. */
function nameOf(test: TestCase): string {
  const [file = '', ...titles] = test.titlePath().slice(2);
  return [file.replace(/\.spec\.ts$/, ''), ...titles].filter((part) => part !== '').join(' › ');
}

function whereOf(test: TestCase): string {
  return `specs/${(test.titlePath()[2] ?? '').replaceAll('\\', '/')}:${test.location.line}`;
}
