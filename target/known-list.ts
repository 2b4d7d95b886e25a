import { loadRules } from '../schemas/rules.ts';
import type { KnownFailure } from './known-failures.ts';
import { UsageError, nearest } from './usage-error.ts';
import { openYamlFile } from './yaml-file.ts';

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
