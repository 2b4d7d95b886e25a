import type { HistoryLine } from '../folder/history.ts';
import { historyLine, isWholeRun } from '../folder/history.ts';
import type { ConformanceReport, ExchangeIndex } from '../verdicts/model.ts';

/** Nights that a picture shows. */
const RUNS_SHOWN = 30;
/** Points of the picture of latency. */
const SLICES = 40;
const OPERATIONS_SHOWN = 12;

/** One run in the picture of the last nights. */
export interface RunPoint {
  readonly startedAt: string;
  readonly verdict: string;
  readonly defects: number;
  readonly verified: number;
  readonly open: number;
  readonly isThis: boolean;
}

interface OperationTime {
  readonly operation: string;
  readonly count: number;
  /** Milliseconds. */
  readonly median: number;
  readonly p95: number;
  readonly most: number;
}

/** Answer times over the run. */
export interface Latency {
  /** Seconds since the first request, at the middle of each slice. */
  readonly seconds: readonly number[];
  /** Milliseconds; null where nothing was answered. */
  readonly median: readonly (number | null)[];
  readonly p95: readonly (number | null)[];
  readonly slowest: readonly OperationTime[];
  readonly operations: number;
}

/** The last runs of the target, this one last. */
export function runPoints(report: ConformanceReport, history: readonly HistoryLine[]): RunPoint[] {
  const earlier = history.filter((line) => line.startedAt < report.run.startedAt);
  const all = [...earlier, ...(isWholeRun(report) ? [historyLine(report)] : [])];
  return all.slice(-RUNS_SHOWN).map(({ startedAt, verdict, defects, must }) => ({
    startedAt,
    verdict,
    defects: defects.length,
    verified: must.verified,
    open: must.inconclusive + must.notVerified,
    isThis: startedAt === report.run.startedAt,
  }));
}

/** Undefined where too little was answered for a picture. */
export function latencyOf(exchanges: ExchangeIndex): Latency | undefined {
  const answered: { at: number; ms: number; operation: string }[] = [];
  for (const { at, milliseconds, response, arrived, operation } of exchanges.values())
    if (response && !arrived)
      answered.push({ at: Date.parse(at), ms: milliseconds, operation: operation ?? 'other' });
  if (answered.length < 2) return undefined;
  const first = answered.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const last = answered.reduce((most, { at }) => Math.max(most, at), 0);
  const slices = Math.max(1, Math.min(SLICES, Math.floor(answered.length / 5)));
  const width = Math.max(1, (last - first + 1) / slices);
  const inSlice: number[][] = Array.from({ length: slices }, () => []);
  const byOperation = new Map<string, number[]>();
  for (const { at, ms, operation } of answered) {
    inSlice[Math.min(slices - 1, Math.floor((at - first) / width))]?.push(ms);
    const times = byOperation.get(operation);
    if (times) times.push(ms);
    else byOperation.set(operation, [ms]);
  }
  const sorted = inSlice.map((times) => times.sort((left, right) => left - right));
  return {
    seconds: sorted.map((_times, index) => Math.round(((index + 0.5) * width) / 100) / 10),
    median: sorted.map((times) => quantile(times, 0.5)),
    p95: sorted.map((times) => quantile(times, 0.95)),
    slowest: [...byOperation]
      .map(([operation, times]): OperationTime => {
        const order = times.sort((left, right) => left - right);
        return {
          operation,
          count: order.length,
          median: quantile(order, 0.5) ?? 0,
          p95: quantile(order, 0.95) ?? 0,
          most: order.at(-1) ?? 0,
        };
      })
      .sort((left, right) => right.p95 - left.p95)
      .slice(0, OPERATIONS_SHOWN),
    operations: byOperation.size,
  };
}

function quantile(sorted: readonly number[], share: number): number | null {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return value === undefined ? null : Math.round(value * 10) / 10;
}
