/** The list of what a target is known to break or cannot show: how it is read, and of which breaches a row speaks. */
import { loadRules, type Rule } from '../schemas/rules.ts';
import { UsageError, nearest } from './usage-error.ts';
import { openYamlFile } from './yaml-file.ts';

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
interface SeenBreach {
  readonly rule: string;
  readonly place: string;
  readonly message: string;
  /** Set where a made input showed it. */
  readonly counterexample?: unknown;
}

/** What stands for any words in `seen`. */
export const ANYTHING = '…';

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
    .replace(/\b(?:\d{6,}|\d+\.\d{2,})\b/g, '…')
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

/** A row of a list: a breach that is known or, with `open`, a MUST rule that the target cannot show. */
export type KnownRow = KnownFailure & { readonly open?: boolean };

/** The setting that names a list, which says what a row is that does not say it itself, and how messages call the file. */
const SETTINGS = { KNOWN_FAILURES: 'known-failures file', ACCEPTED: 'list of accepted rules' } as const;

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';
const TEXT = [isText, 'text'] as const;
const FLAG = [(value: unknown) => typeof value === 'boolean', 'true or false'] as const;
const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/** What a row may say, and how. */
const KEYS: Readonly<Record<string, readonly [isRight: (value: unknown) => boolean, form: string]>> = {
  ...{ rule: TEXT, reason: TEXT, place: TEXT, seen: TEXT, owner: TEXT, link: TEXT },
  tests: [
    (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
    'a list of names of tests',
  ],
  until: [(value) => DAY.test(String(value)), 'a day, written as YYYY-MM-DD'],
  ...{ intermittent: FLAG, open: FLAG },
};

/**
 * The rows of a list, in YAML: `[{rule, reason, open?, place?, tests?, seen?, owner?, link?, until?, intermittent?}]`.
 *
 * @param path file, or undefined or empty for none
 * @throws UsageError in one sentence: unreadable, no YAML, an unknown rule, a missing reason, a key that cannot be meant
 */
export function readKnownList(path: string | undefined, setting: keyof typeof SETTINGS): readonly KnownRow[] {
  if (path === undefined || path.trim() === '') return [];
  const file = `The ${SETTINGS[setting]} ${path}`;
  const rows = openYamlFile(`The ${SETTINGS[setting]}`, path, setting).value ?? [];
  if (!Array.isArray(rows)) throw new UsageError(`${file} must be a list of {rule, reason}.`);
  const ids = loadRules().map((rule) => rule.id);
  return rows.map((row: unknown) => {
    const wrong = mistakeOf((row ?? {}) as Partial<KnownRow>, ids, setting);
    if (wrong !== undefined) throw new UsageError(`${file} ${wrong}`);
    const { open, ...rest } = row as KnownRow;
    return (open ?? (setting === 'ACCEPTED' && rest.place === undefined)) ? { ...rest, open: true } : rest;
  });
}

function mistakeOf(
  row: Partial<KnownRow>,
  ids: readonly string[],
  setting: keyof typeof SETTINGS,
): string | undefined {
  const { rule, reason } = row;
  if (!isText(rule)) return 'has a row without rule or reason: give both as text.';
  if (!isText(reason)) return `has the row of ${rule} without a reason: give both as text.`;
  if (!ids.includes(rule as string)) {
    const guess = nearest(rule as string, ids);
    return `names an unknown rule ${rule}${guess === undefined ? '.' : `; did you mean ${guess}?`}`;
  }
  for (const [key, value] of Object.entries(row)) {
    // Beside an accepted rule any note of one's own was always allowed.
    if (setting === 'ACCEPTED' && key !== 'open') continue;
    const known = KEYS[key];
    if (known === undefined)
      return `has a row of ${rule} with the unknown key ${key}: it takes ${Object.keys(KEYS).join(', ')}.`;
    if (!known[0](value)) return `has a row of ${rule} whose ${key} is not ${known[1]}.`;
  }
  return undefined;
}

/** The two settings that name lists. They may name the same file. */
interface NamedLists {
  readonly knownFailures?: string;
  readonly accepted?: string;
}

/** Breaches that a target is known to have: they are reported as `known`, and do not fail the run. @throws UsageError */
export function readKnownFailures(path: string | undefined): readonly KnownFailure[] {
  return readKnownList(path, 'KNOWN_FAILURES').filter(({ open }) => open !== true);
}

/** Reasons by MUST rule that a target cannot show: it may stay open, and leaves the run complete. @throws UsageError */
export function readAccepted({ knownFailures, accepted }: NamedLists): ReadonlyMap<string, string> {
  const rows = [...readKnownList(knownFailures, 'KNOWN_FAILURES'), ...readKnownList(accepted, 'ACCEPTED')];
  return new Map(rows.filter(({ open }) => open).map(({ rule, reason }) => [rule, reason]));
}
