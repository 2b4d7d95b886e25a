import type { RecordedExchange } from '../../suite/journal/types.ts';
import type { TestRecord } from '../evidence.ts';

/** exchanges.ndjson: one line an exchange, in the order of time, with the test that made it. */
export function exchangesNdjson(tests: readonly TestRecord[]): string {
  const lines = tests.flatMap((test) =>
    (test.journal?.exchanges ?? []).map((exchange) => ({ ...exchange, test: test.label })),
  );
  lines.sort((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0));
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** All exchanges of a run by their id. */
export function exchangeIndex(tests: readonly TestRecord[]): ReadonlyMap<string, RecordedExchange> {
  return new Map(
    tests.flatMap((test) => (test.journal?.exchanges ?? []).map((each) => [each.id, each] as const)),
  );
}
