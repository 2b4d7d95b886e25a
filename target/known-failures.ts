import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { loadRules } from '../schemas/rules.ts';
import { nearest } from './nearest.ts';
import { UsageError } from './usage-error.ts';

/**
 * Rules that a target is known to break, with the reason: `[{rule, reason}]` in YAML. They are reported as `known` and do
 * not fail the run.
 *
 * @param path file, or undefined for none
 * @throws UsageError for an unreadable file, an unknown rule or a missing reason
 */
export function readKnownFailures(path: string | undefined): ReadonlyMap<string, string> {
  if (path === undefined) return new Map();
  let rows: unknown;
  try {
    rows = parse(readFileSync(path, 'utf8')) ?? [];
  } catch {
    throw new UsageError(
      `The known-failures file ${path} cannot be read as YAML: check the path in KNOWN_FAILURES.`,
    );
  }
  if (!Array.isArray(rows))
    throw new UsageError(`The known-failures file ${path} must be a list of {rule, reason}.`);
  const ids = loadRules().map((rule) => rule.id);
  return new Map(
    rows.map((row: { rule?: unknown; reason?: unknown } | null) => {
      if (typeof row?.rule !== 'string' || typeof row.reason !== 'string' || row.reason.trim() === '')
        throw new UsageError(
          `The known-failures file ${path} has a row without rule or reason: give both as text.`,
        );
      if (!ids.includes(row.rule)) {
        const guess = nearest(row.rule, ids);
        throw new UsageError(
          `The known-failures file ${path} names an unknown rule ${row.rule}${guess ? `; did you mean ${guess}?` : '.'}`,
        );
      }
      return [row.rule, row.reason];
    }),
  );
}
