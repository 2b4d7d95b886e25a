import { faults } from '../../sandbox/faults/index.ts';
import type { Fault } from '../../sandbox/faults/fault.ts';
import { randomFrom } from '../../sandbox/variants/choice.ts';
import { nearest } from '../../target/nearest.ts';
import { stop } from '../command.ts';

/**
 * The faults that words of the command line mean: names of faults, ids of rules, or beginnings of either. All of them for
 * no word. Ends the command for a word that means none: nothing planted is nothing caught, and must not look like success.
 */
export function chosenFaults(words: readonly string[]): readonly Fault[] {
  if (words.length === 0) return faults;
  const chosen = new Set<Fault>();
  for (const word of words) {
    const found = faults.filter(({ name, breaks }) => name === word || breaks === word);
    const more = faults.filter(({ name, breaks }) => name.startsWith(word) || breaks.startsWith(word));
    const means = found.length > 0 ? found : more;
    if (means.length === 0)
      stop(`No fault is called ${word}, and none breaks a rule of that name${guess(word)}`);
    for (const fault of means) chosen.add(fault);
  }
  return [...chosen];
}

function guess(word: string): string {
  const near = nearest(word, [...faults.map(({ name }) => name), ...faults.map(({ breaks }) => breaks)]);
  return near ? `; did you mean ${near}?` : ': npm run sandbox -- --list-faults lists them.';
}

/** So many of a list, drawn by lot. @param lot the same draws the same */
export function drawn<T>(list: readonly T[], most: number, lot: string): T[] {
  const random = randomFrom(lot);
  return list
    .map((item) => ({ item, number: random() }))
    .sort((a, b) => a.number - b.number)
    .slice(0, most)
    .map(({ item }) => item);
}
