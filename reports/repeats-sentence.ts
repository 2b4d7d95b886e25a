import type { ConformanceReport } from './model.ts';
import { count } from './words.ts';

/** How many tests were run twice, and what came of it; undefined where none was. */
export function repeatsSentence({ repeats }: Pick<ConformanceReport['run'], 'repeats'>): string | undefined {
  if (repeats.length === 0) return undefined;
  const number = (outcome: string) => repeats.filter((repeat) => repeat.outcome === outcome).length;
  const parts = [
    [number('trouble went away'), 'met trouble that went away'],
    [number('same'), 'showed the same again'],
    [number('different'), 'showed something else'],
  ] as const;
  const told = parts.filter(([some]) => some > 0).map(([some, what]) => `${some} ${what}`);
  return `${count(repeats.length, 'test')} ${repeats.length === 1 ? 'was' : 'were'} repeated: ${told.join(', ')}.`;
}
