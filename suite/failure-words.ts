/** Longer values are cut: the exchange beside the message has them whole. Characters. */
const MOST = 300;

type Words = (actual: unknown, wanted: unknown) => readonly [expected: string, got: unknown];

/** What an assertion of the library expects, in our words. */
const WORDS: Readonly<Record<string, Words>> = {
  toBe: (actual, wanted) => [shown(wanted), actual],
  toEqual: (actual, wanted) => [shown(wanted), actual],
  toBeLessThan: (actual, wanted) => [`less than ${shown(wanted)}`, actual],
  toBeLessThanOrEqual: (actual, wanted) => [`at most ${shown(wanted)}`, actual],
  toBeGreaterThan: (actual, wanted) => [`more than ${shown(wanted)}`, actual],
  toBeGreaterThanOrEqual: (actual, wanted) => [`at least ${shown(wanted)}`, actual],
  toContain: (actual, wanted) => [`a list with ${shown(wanted)}`, actual],
  toHaveLength: (actual, wanted) => [`${shown(wanted)} of them`, (actual as { length?: unknown }).length],
  toBeDefined: (actual) => ['a value', actual],
  toBeUndefined: (actual) => ['nothing', actual],
  toBeNull: (actual) => ['null', actual],
  toHaveProperty: (actual, wanted) => [`a field ${shown(wanted)}`, actual],
};

/** The same for what must not be. */
const NOT_WORDS: Readonly<Record<string, Words>> = {
  toContain: (actual, wanted) => [`a list without ${shown(wanted)}`, actual],
  toBeNull: (actual) => ['a value', actual],
  toHaveProperty: (actual, wanted) => [
    `no field ${shown(wanted)}`,
    (actual as Readonly<Record<string, unknown>>)[String(wanted)],
  ],
};

/**
 * Says what was expected and what came where an assertion of the library has failed, in one sentence without its own words.
 * Undefined for assertions that speak for themselves.
 */
export function failureInWords(
  matcher: string,
  isNot: boolean,
  actual: unknown,
  wanted: unknown,
): string | undefined {
  const words = (isNot && NOT_WORDS[matcher]) || WORDS[matcher];
  if (!words) return undefined;
  const [expected, got] = words(actual, wanted);
  const other = isNot && !NOT_WORDS[matcher] ? 'anything but ' : '';
  return `expected ${other}${expected}, got ${shown(got)}`;
}

/** A value as people read it. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const asymmetric = (value as { toAsymmetricMatcher?: () => string } | null)?.toAsymmetricMatcher?.();
  const text =
    asymmetric ??
    JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? Number(one) : one));
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}
