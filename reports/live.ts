import { styleText } from 'node:util';
import type { FullConfig, Reporter, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { attemptOf, firstLine } from './journals/attempt.ts';
import { defectId, expectedAndGot } from './verdicts/defects.ts';
import { type Standing } from './journals/evidence.ts';
import { count, printable } from './write/sentences.ts';
import { onlyLists, ownOutput, wantsColour } from './command-line.ts';
import { findingsOf } from '../journal/findings.ts';

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

/** Fewer tests are listed each, whoever watches. */
const FEW = 20;

/**
 * What a person watches while a run goes on. On a terminal one line that moves, and every test that did not simply pass; in a
 * log one line a test. Every new finding is told as it comes.
 */
export default class LiveReporter implements Reporter {
  readonly #write: (text: string) => void;
  readonly #colour: boolean;
  readonly #isTerminal: boolean;
  /** Of the terminal. */
  readonly #columns: () => number;
  readonly #told = new Set<string>();
  #moves = false;
  #isIdle = false;
  #total = 0;
  #ended = 0;

  constructor(
    options: {
      readonly write?: (text: string) => void;
      readonly colour?: boolean;
      readonly columns?: number;
    } = {},
  ) {
    const output = ownOutput();
    this.#write = options.write ?? ((text) => void output.write(text));
    this.#colour = options.colour ?? wantsColour();
    this.#isTerminal = options.columns !== undefined || (!options.write && isTerminal(output));
    this.#columns = () => options.columns ?? output.columns ?? 80;
  }

  printsToStdio(): boolean {
    return true;
  }

  onBegin(config: FullConfig, suite: { allTests(): readonly TestCase[] }): void {
    this.#isIdle = onlyLists(config.argv);
    this.#total = suite.allTests().length;
    this.#moves = this.#isTerminal && !this.#isIdle && this.#total > FEW;
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
    if (this.#moves && !isRepeat && standing === 'completed' && findings.length === 0) {
      this.#move(test);
      return;
    }
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
    this.#tell(
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
      this.#tell(lines.map((line) => `      ${line}\n`).join(''));
    }
    this.#move(test);
  }

  onEnd(): void {
    this.#tell('');
  }

  onError(error: TestError): void {
    this.#tell(
      `${this.#paint('red', 'error')} ${printable(firstLine(error.message ?? error.value) ?? 'unknown')}\n`,
    );
  }

  /** The moving line: how far the run is, where, and what it has found. */
  #move(test: TestCase): void {
    if (!this.#moves) return;
    const area = (test.titlePath()[2] ?? '').split(/[\\/]/)[0] ?? '';
    const found = this.#told.size === 0 ? 'nothing violated' : `${this.#told.size} violated`;
    const text = `${this.#ended} of ${this.#total} tests · ${found} so far · ${printable(area)}`;
    this.#write(`${CLEARED}${text.slice(0, this.#columns() - 1)}`);
  }

  /** Lines that stay. */
  #tell(lines: string): void {
    this.#write(`${this.#moves ? CLEARED : ''}${lines}`);
  }

  #paint(style: 'green' | 'red' | 'yellow' | 'dim', text: string): string {
    return this.#colour ? styleText(style, text, { validateStream: false }) : text;
  }
}

/** Back to the beginning of the line, which is emptied. */
const CLEARED = '\r\u001b[K';

function isTerminal(output: NodeJS.WriteStream): boolean {
  return output.isTTY && !process.env['CI'] && process.env['TERM'] !== 'dumb';
}

/** File and titles, without tags: they say again what the report says better. */
function nameOf(test: TestCase): string {
  const [file = '', ...titles] = test.titlePath().slice(2);
  return [file.replace(/\.spec\.ts$/, ''), ...titles].filter((part) => part !== '').join(' › ');
}

function whereOf(test: TestCase): string {
  return `specs/${(test.titlePath()[2] ?? '').replaceAll('\\', '/')}:${test.location.line}`;
}
