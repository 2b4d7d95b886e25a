import type { Rule } from '../schemas/rules.ts';
import { readRuleRows, type RuleRow } from './rule-list.ts';
import { UsageError } from './usage-error.ts';

/** One breach that a target is known to have. */
export interface KnownFailure {
  readonly rule: Rule['id'];
  readonly reason: string;
  /** Where the breach stands, as a report says it; without it, every place of the rule. */
  readonly place?: string;
  /** Tests that show it, as a report names them; without it, any. */
  readonly tests?: readonly string[];
  /** What is seen; `…` stands for anything. Without it, whatever is seen. */
  readonly seen?: string;
  readonly owner?: string;
  /** Where it is followed, such as a ticket. */
  readonly link?: string;
  /** Last day on which it is accepted, `YYYY-MM-DD` in UTC. */
  readonly until?: string;
  /** It comes and goes: a run without it does not show it mended. */
  readonly intermittent?: boolean;
}

/** A breach, as far as a list can speak of it. */
export interface SeenBreach {
  readonly rule: string;
  readonly place: string;
  readonly message: string;
  /** Set where a made input showed it. */
  readonly counterexample?: unknown;
}

/** What stands for any words in `seen`. */
export const ANYTHING = '…';

const TEXTS = ['place', 'seen', 'owner', 'link'] as const;
const KEYS: ReadonlySet<string> = new Set(['rule', 'reason', 'tests', 'until', 'intermittent', ...TEXTS]);
const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/**
 * Breaches that a target is known to have, from YAML: `[{rule, reason, place?, tests?, seen?, owner?, link?, until?,
 * intermittent?}]`. They are reported as `known` and do not fail the run.
 *
 * @param path file, or undefined for none
 * @throws UsageError for an unreadable file, an unknown rule, a missing reason, a key or a date that cannot be meant
 */
export function readKnownFailures(path: string | undefined): readonly KnownFailure[] {
  if (path === undefined) return [];
  const what = 'known-failures file';
  return readRuleRows(path, what, 'KNOWN_FAILURES').map((row) => entryOf(row, `The ${what} ${path}`));
}

function entryOf(row: RuleRow, file: string): KnownFailure {
  const wrong = (what: string): never => {
    throw new UsageError(`${file} has a row of ${row.rule} ${what}.`);
  };
  const strange = Object.keys(row.rest).find((key) => !KEYS.has(key));
  if (strange !== undefined) wrong(`with the unknown key ${strange}: it takes ${[...KEYS].join(', ')}`);
  const { until, tests, intermittent, ...rest } = row.rest;
  for (const key of TEXTS)
    if (rest[key] !== undefined && (typeof rest[key] !== 'string' || rest[key] === ''))
      wrong(`whose ${key} is no text: write it as text or leave it out`);
  const day = until instanceof Date ? until.toISOString().slice(0, 10) : until;
  if (day !== undefined && (typeof day !== 'string' || !DAY.test(day)))
    wrong(`whose until is no day: write it as YYYY-MM-DD`);
  if (tests !== undefined && !isTexts(tests))
    wrong('whose tests are no list of texts: give the names of tests');
  if (intermittent !== undefined && typeof intermittent !== 'boolean')
    wrong('whose intermittent is neither true nor false');
  return {
    ...(rest as Partial<KnownFailure>),
    rule: row.rule,
    reason: row.reason,
    ...(day === undefined ? {} : { until: day as string }),
    ...(tests === undefined ? {} : { tests: tests as readonly string[] }),
    ...(intermittent === undefined ? {} : { intermittent: intermittent as boolean }),
  };
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}

/** True once the last day of an entry is over. @param now epoch milliseconds */
export function isExpired({ until }: Pick<KnownFailure, 'until'>, now: number): boolean {
  return until !== undefined && new Date(now).toISOString().slice(0, 10) > until;
}

/**
 * Whether an entry speaks of a breach that a test has shown, whatever the day. Which test a made input shows it in, and in
 * what words, is another with each seed, so there the place alone counts.
 *
 * @param test its name in a report
 */
export function speaksOf(entry: KnownFailure, breach: SeenBreach, test: string): boolean {
  return (
    entry.rule === breach.rule &&
    (entry.place === undefined || isAt(breach.place, entry.place)) &&
    (breach.counterexample !== undefined ||
      ((entry.tests === undefined || entry.tests.includes(test)) &&
        (entry.seen === undefined || fits(breach.message, entry.seen))))
  );
}

/** The same field within something larger is the same place: `/quote/id` is at `/id`. Lists differ from run to run. */
function isAt(place: string, listed: string): boolean {
  return place === listed || (listed.startsWith('/') && place.endsWith(listed));
}

/** The place of a breach as a list should have it: a run may meet the same thing by itself, or only among others. */
export function steadyPlace(place: string): string {
  return place.replace(/^\/data\/\*(?=\/)/, '');
}

/** A list of known failures on one day. */
export class KnownFailures {
  readonly #entries: readonly KnownFailure[];

  /** @param now epoch milliseconds; entries that have expired by then cover nothing */
  constructor(entries: readonly KnownFailure[], now = Date.now()) {
    this.#entries = entries.filter((entry) => !isExpired(entry, now));
  }

  /** Why a breach is known, in the words of its entry; undefined where no entry covers it. */
  reasonOf(breach: SeenBreach, test: string): string | undefined {
    return this.#entries.find((entry) => speaksOf(entry, breach, test))?.reason;
  }
}

/**
 * What is seen, with everything that differs from run to run left out: ids, times, long numbers, masked values, and the
 * value of a field whose shape is wrong.
 */
export function steadyWords(message: string): string {
  return message
    .replace(/\s+/g, ' ')
    .replace(/, but is \S.*$/, `, but is ${ANYTHING}`)
    .replace(/(?:\w+:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '…')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?/g, '…')
    .replace(/\b[0-9a-f]{16,}\b/gi, '…')
    .replace(/\b\d{6,}\b/g, '…')
    .replace(/•+/g, '…')
    .replace(/…(?:\s*…)+/g, ANYTHING)
    .trim();
}

function fits(message: string, seen: string): boolean {
  const parts = seen.replace(/\s+/g, ' ').trim().split(ANYTHING);
  const text = message.replace(/\s+/g, ' ').trim();
  let from = 0;
  for (const [index, part] of parts.entries()) {
    const at = index === 0 ? (text.startsWith(part) ? 0 : -1) : text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  const last = parts.at(-1) as string;
  return last === '' || text.endsWith(last);
}
