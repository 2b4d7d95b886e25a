import { closest, distance } from 'fastest-levenshtein';

/** Bad input to Assay itself: one sentence that says what is wrong and what to do. Ends the run with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The known word that somebody probably meant, or undefined when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const guess = closest(word, known);
  return distance(word.toLowerCase(), guess.toLowerCase()) <= Math.max(2, word.length / 3)
    ? guess
    : undefined;
}
