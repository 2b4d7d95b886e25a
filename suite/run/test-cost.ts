import { appendFileSync } from 'node:fs';
import type { MeasuredLine } from '../../target/states/measured.ts';
import { partsOf } from '../../target/states/catalogue.ts';
import { specOf } from '../../target/states/will-leave.ts';
import type { JournalWriter } from '../../journal/journal-writer.ts';
import type { RecordedExchange } from '../../journal/types.ts';
import type { Spares } from '../../target/providers/public-calls/spares.ts';
import type { Recorder } from '../answers/recorder.ts';

/** Environment variable with the file that a measuring run writes (target/states/measure.ts). */
const MEASURE_ENV = 'ASSAY_MEASURE';

let busyMs = 0;

/** Writes down what a test took, where a run is made to find that out. */
export function measure(journal: JournalWriter, recorder: Recorder, testFile: string, spares: Spares): void {
  const file = process.env[MEASURE_ENV];
  if (file === undefined) return;
  const { checks, seen } = journal.toJournal([]);
  const passed = checks.filter((check) => check.outcome === 'passed').map((check) => check.rule);
  const calls: Record<string, number> = {};
  const exchanges = recorder.exchanges();
  for (const { operation = 'other' } of exchanges) calls[operation] = (calls[operation] ?? 0) + 1;
  const needed = journal.asked.filter((asked) => !isSpareableState(asked));
  const measured: MeasuredLine = {
    parts: [...new Set(needed.flatMap(({ state, params }) => partsOf(state, params)))].sort(),
    setups: journal.asked.length,
    rules: [...new Set([...passed, ...Object.keys(seen)])].sort(),
    calls,
    rounds: roundsOf(exchanges),
    busyMs: sinceLastTest(),
    file: specOf(testFile),
    left: leftBy(recorder, spares),
  };
  appendFileSync(file, `${JSON.stringify(measured)}\n`);
}

/** Customers that states asked for stand there as what was asked: how many are made depends on the tests before. */
function leftBy({ left }: Recorder, spares: Spares): Record<string, number> {
  const { made, 'asked-accounts': accounts, 'asked-wallet': wallet } = spares.count();
  const { Customer = 0, ...others } = byType(left.ids);
  const all = { ...others, Customer: Customer - made, accounts, wallet };
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
}

/** Ids are made of their type and a uuid. */
function byType(ids: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const id of ids) {
    const [type = ''] = id.split(':');
    counts[type] = (counts[type] ?? 0) + 1;
  }
  return counts;
}

/** How many exchanges had to wait for one another: the length of the longest row of them of which none overlap. */
function roundsOf(exchanges: readonly Pick<RecordedExchange, 'at' | 'milliseconds'>[]): number {
  const times = exchanges
    .map(({ at, milliseconds }) => ({ from: Date.parse(at), to: Date.parse(at) + milliseconds }))
    .sort((a, b) => a.to - b.to);
  let rounds = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const { from, to } of times)
    // Times of sending are cut to whole milliseconds.
    if (from >= end - 1) {
      rounds += 1;
      end = to;
    }
  return rounds;
}

/** Asked for where it can be had: in a sandbox the dialect's code serves as well, and our clock in place of the target's. */
function isSpareableState({ state, params }: { readonly state: string; readonly params: object }): boolean {
  return (
    state === 'otp-code' || (state === 'clock' && 'advanceSeconds' in params && params.advanceSeconds === 0)
  );
}

/** Processor time of this worker since the last test was measured, in milliseconds. */
function sinceLastTest(): number {
  const { user, system } = process.cpuUsage();
  const before = busyMs;
  busyMs = (user + system) / 1_000;
  return Math.round(busyMs - before);
}
