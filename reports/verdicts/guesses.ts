/**
 * Guesses that a run stood on: what the interface does not show, the profile does not tell, and the target never took.
 * The order that asks for a key is written here, and read here again, so that each guess is told once for all that wait.
 */
import { Document, isMap, isNode, isPair } from 'yaml';
import { unshownPaths } from '../../schemas/openapi.ts';
import { DIALECT, type DialectKey } from '../../target/dialect/keys.ts';
import type { Guess, OpenGroup } from './model.ts';
import { count } from '../write/sentences.ts';

const ORDER = 'say in the profile how the target does ';
/** A key and, of a divided one, its part: nothing else may reach a profile or a terminal. */
const PLAIN = /^\w+(?:\.\w+)?$/;
const QUOTED_KEY = /`([^`]+)`/g;

/** The sentence before the lines of {@link profileLines}. */
export const GUESSED =
  'Assay guessed these, and the target was never seen to take them. Put into the profile what is true:';

/** The order that asks the profile for keys of the dialect. @param words what the target itself says, in brackets */
export function tellKeys(keys: readonly string[], words = ''): string {
  return `${ORDER}${keys.map((key) => `\`${key}\``).join(', ')}, or that it speaks the default dialect${words}`;
}

/** The keys of the dialect that open MUST rules wait for, those of most rules first. */
export function guessesOf(open: readonly OpenGroup[]): Guess[] {
  const waiting = new Map<string, number>();
  for (const { mend, rules } of open) {
    if (!mend.startsWith(ORDER)) continue;
    for (const [, key = ''] of mend.split(', or that it speaks')[0]?.matchAll(QUOTED_KEY) ?? [])
      waiting.set(key, (waiting.get(key) ?? 0) + rules.length);
  }
  return [...waiting]
    .filter(([key]) => PLAIN.test(key) && key.split('.')[0]! in DIALECT)
    .map(([key, rules]) => ({ key, rules }))
    .sort((left, right) => right.rules - left.rules || left.key.localeCompare(right.key, 'en'));
}

/** Lines of a profile that tell these keys as they are guessed: the reader puts in what is true. */
export function profileLines(guesses: readonly Guess[]): string[] {
  const document = new Document({});
  for (const { key } of guesses)
    document.setIn(['dialect', ...key.split('.')], document.createNode(guessed(key)));
  const dialect = document.get('dialect');
  if (!isMap(dialect)) return [];
  for (const pair of dialect.items) {
    if (!isPair(pair) || !isNode(pair.value)) continue;
    const rules = guesses
      .filter(({ key }) => key.split('.')[0] === String(pair.key))
      .reduce((sum, guess) => sum + guess.rules, 0);
    if (isMap(pair.value)) pair.value.flow = true;
    pair.value.comment = ` ${count(rules, 'MUST rule')}`;
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: true }).trimEnd().split('\n');
}

function guessed(key: string): unknown {
  const [name = '', part] = key.split('.');
  if (name === 'paths') return unshownPaths().get(part ?? '') ?? '';
  const value: unknown = DIALECT[name as DialectKey].default;
  return part === undefined ? value : {};
}
