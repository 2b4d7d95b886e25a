import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FullResult, Reporter, Suite, TestCase } from '@playwright/test/reporter';
import { JOURNAL_ATTACHMENT, type Journal } from '../../suite/journal/types.ts';
import { DETECTION_FILE } from '../../reports/detection.ts';
import { faults } from '../../sandbox/faults/index.ts';

/** What became of one planted fault. */
interface Row {
  readonly fault: string;
  readonly breaks: string;
  readonly caught: boolean;
  /** Rules that were accused beside the broken one. */
  readonly others: readonly string[];
  /** False where an interruption came before its tests: that says nothing about the fault. */
  readonly ran: boolean;
  /** Why nothing was caught, as far as the journals tell. */
  readonly hint?: string;
}

/** Reads the journals of every world and says which planted faults were named by their rule. */
export default class MatrixReporter implements Reporter {
  readonly #full: boolean;
  #suite: Suite | undefined;

  constructor(options: { full?: boolean } = {}) {
    this.#full = options.full ?? false;
  }

  onBegin(_config: unknown, suite: Suite): void {
    this.#suite = suite;
  }

  async onEnd(result: FullResult): Promise<{ status: FullResult['status'] }> {
    const rows = (this.#suite?.suites ?? []).map((project) =>
      rowOf(project.project()?.name ?? '', project.allTests()),
    );
    const planted = new Set(rows.map((row) => row.fault));
    const untested = faults.filter((fault) => selected(fault) && !planted.has(fault.name));
    for (const row of rows.filter((one) => !one.caught || one.others.length > 0)) {
      const others = row.others.length > 0 ? `; also accused: ${row.others.join(', ')}` : '';
      console.log(
        `${row.caught ? 'caught' : 'MISSED'}  ${row.fault} → ${row.breaks}${others}${row.hint ? ` (${row.hint})` : ''}`,
      );
    }
    for (const fault of untested) console.log(`NO TEST ${fault.name} → ${fault.breaks}`);
    const missed = rows.filter((row) => !row.caught).length + untested.length;
    const unclean = rows.filter((row) => row.others.length > 0).length;
    const file = join(import.meta.dirname, '../../reports/out/matrix.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ full: this.#full, rows }, null, 2)}\n`);
    remember(rows);
    console.log(
      `${rows.length + untested.length} faults, ${rows.length - rows.filter((row) => !row.caught).length} caught by their own rule, ${unclean} with further accusations`,
    );
    console.log(`${rows.length + untested.length - missed} passed, ${missed} failed`);
    return { status: missed === 0 && result.status !== 'interrupted' ? 'passed' : 'failed' };
  }

  printsToStdio(): boolean {
    return true;
  }
}

/** The published result: rows of this run replace those of earlier ones, and faults that are gone leave. */
function remember(rows: readonly Row[]): void {
  const known = new Map<string, { fault: string; breaks: string; caught: boolean }>();
  if (existsSync(DETECTION_FILE)) {
    const before = JSON.parse(readFileSync(DETECTION_FILE, 'utf8')) as {
      faults: { fault: string; breaks: string; caught: boolean }[];
    };
    for (const row of before.faults) known.set(row.fault, row);
  }
  for (const { fault, breaks, caught } of rows.filter((row) => row.ran))
    known.set(fault, { fault, breaks, caught });
  const all = faults.map((fault) => known.get(fault.name)).filter((row) => row !== undefined);
  writeFileSync(DETECTION_FILE, `${JSON.stringify({ faults: all }, null, 1)}\n`);
}

function selected(fault: { name: string; breaks: string }): boolean {
  return new RegExp(process.env['FAULTS'] ?? '').test(`${fault.name} ${fault.breaks}`);
}

function rowOf(name: string, tests: readonly TestCase[]): Row {
  const fault = faults.find((one) => one.name === name);
  const breaks = fault?.breaks ?? '';
  const accused = new Set<string>();
  const doubts = new Set<string>();
  for (const test of tests) {
    const journal = journalOf(test);
    for (const finding of journal?.findings ?? []) accused.add(finding.rule);
    for (const check of journal?.checks ?? [])
      if (check.rule === breaks && check.reason) doubts.add(check.reason);
    for (const reason of [journal?.unprepared, journal?.inconclusive])
      if (reason && journal?.rules.includes(breaks)) doubts.add(reason);
    const error = test.results.at(-1)?.error?.message;
    if (!journal && error) doubts.add(error.split('\n')[0] ?? '');
  }
  const caught = accused.has(breaks);
  const also = new Set(fault?.also ?? []);
  return {
    fault: name,
    breaks,
    caught,
    ran: tests.some((test) => journalOf(test) !== undefined),
    others: [...accused].filter((rule) => rule !== breaks && !also.has(rule)).sort(),
    ...(caught ? {} : { hint: [...doubts].slice(0, 2).join(' | ') || `${tests.length} tests found nothing` }),
  };
}

function journalOf(test: TestCase): Journal | undefined {
  const body = test.results.at(-1)?.attachments.find((one) => one.name === JOURNAL_ATTACHMENT)?.body;
  return body ? (JSON.parse(body.toString('utf8')) as Journal) : undefined;
}
