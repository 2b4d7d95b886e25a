import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Legal differences that take from the suite what it needs to verify some rules. */
export interface ShowsLess {
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
export function hiddenBy(differences: readonly string[], list: readonly ShowsLess[]): ReadonlySet<string> {
  const has = new Set(differences);
  return new Set(
    list.flatMap(({ with: names, rules }) => (names.every((name) => has.has(name)) ? rules : [])),
  );
}
