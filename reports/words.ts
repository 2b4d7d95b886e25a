/** A number with its noun: `1 test`, `2 tests`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The verb that goes with a number. */
export function are(number: number): string {
  return number === 1 ? 'is' : 'are';
}

/** The first ids of a list, and how many more there are. */
export function firstOf(ids: readonly string[], most: number, between = ', '): string {
  const rest = ids.length - most;
  return ids.slice(0, most).join(between) + (rest > 0 ? ` and ${rest} more` : '');
}
