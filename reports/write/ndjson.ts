import type { RecordedExchange } from '../../journal/types.ts';
import type { TestRecord } from '../evidence.ts';

/** So many lines are written at once. */
const LINES = 500;

/** exchanges.ndjson: one line an exchange, in the order of time, with the test that made it; in pieces to write. */
export function exchangesNdjson(tests: readonly TestRecord[]): readonly string[] {
  const lines = tests.flatMap((test) =>
    (test.journal?.exchanges ?? []).map((exchange) => ({ exchange, test: test.label })),
  );
  lines.sort((left, right) =>
    left.exchange.at < right.exchange.at ? -1 : left.exchange.at > right.exchange.at ? 1 : 0,
  );
  const pieces: string[] = [];
  for (let from = 0; from < lines.length; from += LINES)
    pieces.push(
      lines
        .slice(from, from + LINES)
        .map(({ exchange, test }) => exchangeLine(exchange, test))
        .join(''),
    );
  return pieces;
}

/** One line of exchanges.ndjson. */
export function exchangeLine(exchange: RecordedExchange, test: string): string {
  return `${JSON.stringify({ ...exchange, test })}\n`;
}

/** All exchanges of a run by their id. */
export function exchangeIndex(tests: readonly TestRecord[]): ReadonlyMap<string, RecordedExchange> {
  return new Map(
    tests.flatMap((test) => (test.journal?.exchanges ?? []).map((each) => [each.id, each] as const)),
  );
}
