import { appendFileSync } from 'node:fs';
import type { MeasuredLine } from '../target/states/digest.ts';
import { partsOf } from '../target/states/parts.ts';
import type { JournalWriter } from '../journal/journal-writer.ts';
import type { Recorder } from './recorder.ts';

/** Environment variable with the file that a measuring run writes (target/states/measure.ts). */
export const MEASURE_ENV = 'ASSAY_MEASURE';

/** Writes down what a test took, where a run is made to find that out. */
export function measure(journal: JournalWriter, recorder: Recorder): void {
  const file = process.env[MEASURE_ENV];
  if (file === undefined) return;
  const { checks, seen } = journal.toJournal([]);
  const passed = checks.filter((check) => check.outcome === 'passed').map((check) => check.rule);
  const calls: Record<string, number> = {};
  for (const { operation = 'other' } of recorder.exchanges()) calls[operation] = (calls[operation] ?? 0) + 1;
  const measured: MeasuredLine = {
    parts: [...new Set(journal.asked.flatMap(({ state, params }) => partsOf(state, params)))].sort(),
    setups: journal.asked.length,
    rules: [...new Set([...passed, ...Object.keys(seen)])].sort(),
    calls,
  };
  appendFileSync(file, `${JSON.stringify(measured)}\n`);
}
