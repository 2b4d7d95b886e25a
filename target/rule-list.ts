import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { loadRules } from '../schemas/rules.ts';
import { UsageError, nearest } from './usage-error.ts';

/**
 * Reads a YAML list of `{rule, reason}`.
 *
 * @param what how messages call the file, such as "known-failures file"
 * @param setting the variable that names the file
 * @returns reasons by rule id
 * @throws UsageError in one sentence: unreadable, no YAML (with its line), an unknown rule, a missing reason
 */
function readRuleList(path: string, what: string, setting: string): ReadonlyMap<string, string> {
  return new Map(readRuleRows(path, what, setting).map(({ rule, reason }) => [rule, reason]));
}

/** One row of such a list, with whatever else it says. */
export interface RuleRow {
  readonly rule: string;
  readonly reason: string;
  readonly rest: Readonly<Record<string, unknown>>;
}

/** The same, with all rows and all that they say. @throws UsageError as {@link readRuleList} does */
export function readRuleRows(path: string, what: string, setting: string): readonly RuleRow[] {
  const file = `The ${what} ${path}`;
  const rows = parsed(path, file, setting);
  if (!Array.isArray(rows)) throw new UsageError(`${file} must be a list of {rule, reason}.`);
  const ids = loadRules().map((rule) => rule.id);
  return rows.map((row: unknown) => checkedRow(row, ids, file));
}

function parsed(path: string, file: string, setting: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`${file} cannot be read: check the path in ${setting}.`);
  }
  const document = parseDocument(text);
  const [error] = document.errors;
  if (!error) return document.toJS() ?? [];
  const line = error.linePos?.[0].line;
  const why = error.message.split(/ at line |:?\n/)[0];
  throw new UsageError(`${file} is not YAML${line === undefined ? '' : `: line ${line}`}: ${why}.`);
}

function checkedRow(row: unknown, ids: readonly string[], file: string): RuleRow {
  const { rule, reason, ...rest } = (row ?? {}) as { rule?: unknown; reason?: unknown };
  if (typeof rule !== 'string' || typeof reason !== 'string' || reason.trim() === '') {
    const which = typeof rule === 'string' ? `the row of ${rule}` : 'a row';
    throw new UsageError(
      `${file} has ${which} without ${typeof rule === 'string' ? 'a reason' : 'rule or reason'}: give both as text.`,
    );
  }
  if (ids.includes(rule)) return { rule, reason, rest };
  const guess = nearest(rule, ids);
  throw new UsageError(`${file} names an unknown rule ${rule}${guess ? `; did you mean ${guess}?` : '.'}`);
}

/**
 * MUST rules that a target cannot show, with the reason: `[{rule, reason}]` in YAML. They may stay open, and do not make a
 * run incomplete.
 *
 * @param path file, or undefined or empty for none
 * @throws UsageError for an unreadable file, an unknown rule or a missing reason
 */
export function readAccepted(path: string | undefined): ReadonlyMap<string, string> {
  return path === undefined || path.trim() === ''
    ? new Map()
    : readRuleList(path, 'list of accepted rules', 'ACCEPTED');
}
