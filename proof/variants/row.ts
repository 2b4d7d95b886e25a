import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { RuleReport } from '../../reports/verdicts/model.ts';
import type { WorldVerdict } from '../judge-world.ts';

/** A rule that came out otherwise than by default, and what the report says of it. */
export interface Change {
  readonly rule: string;
  readonly why: string;
}

/** What the suite said of one legal world. */
export interface VariantRow {
  readonly seed: number;
  /** In what it differs, as names: `<choice>-is-<option>`, and keys of the dialect. */
  readonly differences: readonly string[];
  readonly accused: readonly Change[];
  /** Verified in the default world, and not here. */
  readonly lost: readonly Change[];
  readonly crashed: readonly string[];
}

/** A row beside the list of what differences are known to take away. */
export interface JudgedRow extends VariantRow {
  /** How many rules are not verified because the service shows less, as it may; the others lost are a weakness of the suite. */
  readonly hidden: number;
}

/** What is kept of a row: its differences follow from its seed. */
export type KeptRow = Omit<JudgedRow, 'differences'>;

/** Longest part of a report's reason that is kept, in characters. */
const WHY = 300;

/** Reads a row off the verdicts on a legal world. */
export function variantRow(
  seed: number,
  differences: readonly string[],
  here: WorldVerdict,
  byDefault: WorldVerdict,
): VariantRow {
  const verified = new Set(
    byDefault.rules.flatMap(({ id, verdict }) => (verdict === 'verified' ? [id] : [])),
  );
  const changeOf = ({ id, reason }: RuleReport): Change => ({ rule: id, why: (reason ?? '').slice(0, WHY) });
  const accused = here.rules.filter(({ verdict }) => verdict === 'violated');
  const lost = here.rules.filter(
    ({ id, verdict }) => verified.has(id) && verdict !== 'verified' && verdict !== 'violated',
  );
  return {
    seed,
    differences,
    accused: accused.map(changeOf),
    lost: lost.map(changeOf),
    crashed: here.crashed,
  };
}

/** Takes from a row what nobody could verify on such a service. */
export function judged(row: VariantRow, list: readonly ShowsLess[]): JudgedRow {
  const hidden = hiddenBy(row.differences, list);
  const lost = row.lost.filter(({ rule }) => !hidden.has(rule));
  return { ...row, lost, hidden: row.lost.length - lost.length };
}

/**
 * Whether nobody was accused and nothing was lost.
 *
 * @param publicly by public calls a rule may be lost, as they can only ask for what it needs
 */
export function isFair({ accused, lost, crashed }: KeptRow, publicly = false): boolean {
  return accused.length + crashed.length + (publicly ? 0 : lost.length) === 0;
}

/** Rules named for each reason in a line for people. */
const NAMED = 6;

/** A world in a few lines for people: each accusation, and what was lost by its reason. */
export function variantLines({ seed, accused, lost, hidden, crashed }: KeptRow): readonly string[] {
  const reasons = [...new Set(lost.map(({ why }) => why))];
  return [
    `world ${seed}: ${accused.length} rules accused, ${lost.length} no longer verified, ${hidden} not shown there, ${crashed.length} mistakes of the suite`,
    ...accused.map(({ rule, why }) => `  accused ${rule}: ${oneLine(why)}`),
    ...crashed.map((crash) => `  mistake of the suite: ${oneLine(crash)}`),
    ...reasons.map((reason) => {
      const rules = lost.flatMap(({ rule, why }) => (why === reason ? [rule] : []));
      return `  no longer verified, ${oneLine(reason)}: ${some(rules)}`;
    }),
  ];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function some(rules: readonly string[]): string {
  const more = rules.length - NAMED;
  return more > 0 ? `${rules.slice(0, NAMED).join(', ')} and ${more} more` : rules.join(', ');
}

/** Legal differences that take from the suite what it needs to verify some rules. */
interface ShowsLess {
  /** Names of differences, `<choice>-is-<option>` or keys of the dialect; a world must have all of them. */
  readonly with: readonly string[];
  /** Why nobody could verify these rules there. */
  readonly because: string;
  readonly rules: readonly string[];
}

const LIST = new URL('shows-less.yaml', import.meta.url);

/** The list that somebody has looked at. @throws Error in one sentence where an entry is not complete */
export function readShowsLess(file: URL = LIST): readonly ShowsLess[] {
  const list: unknown = parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(list)) throw new Error('proof/variants/shows-less.yaml must be a list.');
  for (const [index, one] of list.entries()) {
    const { with: names, because, rules } = (one ?? {}) as Partial<Record<keyof ShowsLess, unknown>>;
    const isComplete =
      [names, rules].every((texts) => Array.isArray(texts) && texts.length > 0) &&
      typeof because === 'string';
    if (!isComplete)
      throw new Error(
        `Entry ${index + 1} of proof/variants/shows-less.yaml needs with and rules as lists, and because as a text.`,
      );
  }
  return list as readonly ShowsLess[];
}

/** Rules that a world with these differences cannot be asked to show. */
function hiddenBy(differences: readonly string[], list: readonly ShowsLess[]): ReadonlySet<string> {
  const has = new Set(differences);
  return new Set(
    list.flatMap(({ with: names, rules }) => (names.every((name) => has.has(name)) ? rules : [])),
  );
}
