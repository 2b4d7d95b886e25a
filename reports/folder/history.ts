import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsedOrNothing } from '../../schemas/json.ts';
import { sameTarget } from '../verdicts/compare.ts';
import { RUN_ALL } from '../verdicts/mend.ts';
import type { ConformanceReport, Defect, LevelTotals, RunVerdict } from '../verdicts/model.ts';
import { applicable } from '../verdicts/totals.ts';

/** File of the runs so far, beside the reports. */
export const HISTORY_FILE = 'history.ndjson';

/** One run of the whole suite, as `history.ndjson` keeps it: one line a run, oldest first. Keys may be added. */
export interface HistoryLine {
  readonly version: 1;
  /** ISO 8601 UTC. */
  readonly startedAt: string;
  readonly milliseconds: number;
  readonly verdict: RunVerdict;
  readonly target: Pick<ConformanceReport['target'], 'name' | 'baseUrl' | 'embedded'>;
  /** Counts of MUST rules. */
  readonly must: LevelTotals;
  /** Part of the MUST rules that apply which were verified, 0 to 1. */
  readonly coverage: number;
  readonly defects: readonly (Pick<Defect, 'id' | 'rule' | 'place' | 'level' | 'title' | 'count'> & {
    readonly known?: true;
  })[];
  readonly exchanges: number;
  readonly assay: string;
  /** Commit of the folder that the run started in, or of the service where `COMMIT` says so. */
  readonly commit?: string;
}

/**
 * True for a run that history and baseline may take: judged, and on all of the suite. A merge does not know what its parts
 * left out; rules whose tests nobody ran tell it.
 */
export function isWholeRun(report: Pick<ConformanceReport, 'verdict' | 'run' | 'open'>): boolean {
  return (
    report.verdict !== 'not judged' &&
    !report.run.partial &&
    report.run.unfinished === undefined &&
    !report.open.some(({ mend }) => mend === RUN_ALL)
  );
}

/** What history keeps of a run. */
export function historyLine(report: ConformanceReport): HistoryLine {
  const { target, totals, run } = report;
  const all = applicable(totals.MUST);
  return {
    version: 1,
    startedAt: run.startedAt,
    milliseconds: run.milliseconds,
    verdict: report.verdict,
    target: { name: target.name, baseUrl: target.baseUrl, embedded: target.embedded },
    must: totals.MUST,
    coverage: all === 0 ? 0 : Math.round((totals.MUST.verified / all) * 10_000) / 10_000,
    defects: report.defects.map(({ id, rule, place, level, title, count, known }) => ({
      id,
      rule,
      place,
      level,
      title,
      count,
      ...(known === undefined ? {} : { known: true as const }),
    })),
    exchanges: run.exchanges,
    assay: run.assay,
    ...(run.commit === undefined ? {} : { commit: run.commit }),
  };
}

/** Earlier runs of the same target, oldest first. Lines that nobody can read are passed over. */
export function readHistory(dir: string, target: ConformanceReport['target']): readonly HistoryLine[] {
  const file = join(dir, HISTORY_FILE);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').flatMap(lineOf);
  return lines
    .filter((line) => sameTarget(line.target, target))
    .sort((left, right) => (left.startedAt < right.startedAt ? -1 : 1));
}

function lineOf(text: string): HistoryLine[] {
  const line = parsedOrNothing(text) as Partial<HistoryLine> | null | undefined;
  return line?.version === 1 && line.target && line.must && Array.isArray(line.defects)
    ? [line as HistoryLine]
    : [];
}

/** Adds a whole run; a part, a run that was not judged and one that is there already leave the file alone. */
export function keepHistory(dir: string, report: ConformanceReport): void {
  if (!isWholeRun(report)) return;
  const isThere = readHistory(dir, report.target).some((line) => line.startedAt === report.run.startedAt);
  if (isThere) return;
  mkdirSync(dir, { recursive: true });
  const file = join(dir, HISTORY_FILE);
  // A line that a dying run left unfinished must not swallow the next.
  const torn = existsSync(file) && !/(?:^|\n)$/.test(readFileSync(file, 'utf8'));
  appendFileSync(file, `${torn ? '\n' : ''}${JSON.stringify(historyLine(report))}\n`);
}

/** Since when a defect is seen. */
export interface Since {
  /** Start of the first run that saw it, ISO 8601 UTC. */
  readonly first: string;
  /** Start of the first run of the unbroken row that ends with this run. */
  readonly rowFrom: string;
  /** Runs that saw it, this one included … */
  readonly seenIn: number;
  /** … of so many since the first of them. */
  readonly of: number;
}

/** @param before earlier runs of the same target, oldest first */
export function sinceOf(id: string, before: readonly HistoryLine[], startedAt: string): Since {
  const earlier = before.filter((line) => line.startedAt < startedAt);
  const sees = (line: HistoryLine) => line.defects.some((defect) => defect.id === id);
  const first = earlier.findIndex(sees);
  if (first < 0) return { first: startedAt, rowFrom: startedAt, seenIn: 1, of: 1 };
  const since = earlier.slice(first);
  const lastGap = since.findLastIndex((line) => !sees(line));
  return {
    first: (since[0] as HistoryLine).startedAt,
    rowFrom: since[lastGap + 1]?.startedAt ?? startedAt,
    seenIn: since.filter(sees).length + 1,
    of: since.length + 1,
  };
}
