import fc from 'fast-check';

const LETTERS_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

interface TextLengths {
  readonly minLength: number;
  readonly maxLength: number;
}

/**
 * ASCII letters and digits: text in which a character, a code point, a UTF-16 unit and a byte are the same, and that no
 * service trims or folds. Lengths at the two bounds come often.
 */
export function plainTexts({ minLength, maxLength }: TextLengths): fc.Arbitrary<string> {
  const unit = fc.constantFrom(...LETTERS_AND_DIGITS);
  const exactly = (length: number) => fc.string({ unit, minLength: length, maxLength: length });
  return fc.oneof(
    { weight: 2, arbitrary: fc.string({ unit, minLength, maxLength, size: 'max' }) },
    { weight: 1, arbitrary: exactly(minLength) },
    { weight: 1, arbitrary: exactly(maxLength) },
  );
}

const FIRST_PRINTABLE = 0x20;
const LAST_PRINTABLE = 0x7e;
const PRINTABLE = Array.from({ length: LAST_PRINTABLE - FIRST_PRINTABLE + 1 }, (_, at) =>
  String.fromCharCode(FIRST_PRINTABLE + at),
);

/** Printable ASCII with spaces and punctuation, beginning and ending in a character that no service trims. */
export function printableTexts({ minLength, maxLength }: TextLengths): fc.Arbitrary<string> {
  return fc
    .string({ unit: fc.constantFrom('a', ...PRINTABLE), minLength, maxLength, size: 'max' })
    .map((text) => text.replace(/^ /, 'a').replace(/ $/, 'a'));
}

/** How far beyond the limit texts reach, as a multiple of it. */
const REACH = 4;
const CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * ASCII letters and digits, longer than a limit, half of them by one character. Only the length varies, so that a failing
 * text shrinks to the limit plus one within a few requests.
 *
 * @param maxLength the greatest legal number of characters
 */
export function overlongTexts(maxLength: number): fc.Arbitrary<string> {
  return fc
    .oneof(fc.constant(maxLength + 1), fc.integer({ min: maxLength + 1, max: maxLength * REACH }))
    .map((length) => CHARACTERS.repeat(Math.ceil(length / CHARACTERS.length)).slice(0, length));
}

/** One repeatable piece of each kind; lone surrogates stand here by hand, since no generator makes them. */
const PIECES: Readonly<Record<string, string>> = {
  space: ' ',
  tab: '\t',
  'line feed': '\n',
  'no-break space': '\u00a0',
  'zero-width space': '\u200b',
  NUL: '\0',
  escape: '\u001b',
  'letter with an accent': '\u00e9',
  'combining mark': 'e\u0301',
  'euro sign': '\u20ac',
  'right-to-left': '\u05e9',
  'right-to-left override': '\u202e',
  'full width': '\uff21',
  'astral character': '\u{1f4b6}',
  'joined emoji': '\u{1f469}\u200d\u{1f52c}',
  'lone high surrogate': '\ud83d',
  'lone low surrogate': '\udcb6',
  'byte order mark': '\ufeff',
  'non-character': '\uffff',
};

/** Names of the kinds. */
export const EXOTIC_KINDS: readonly string[] = Object.keys(PIECES);

/** One piece of a kind, so many times over. */
export function exoticText(kind: string, times: number): string {
  return (PIECES[kind] as string).repeat(times);
}

/** Words that are in no enumeration of the interface, however near they sound. */
const NEIGHBOURS = ['CHECK', 'CASH', 'UNKNOWN', 'NONE', 'DEFAULT', 'ANY', 'BITCOIN', 'RENT'];

/** White space at the end is left out: some services trim it. */
const TAMPERINGS: readonly ((member: string) => string)[] = [
  (member) => member.toLowerCase(),
  (member) => `${member}X`,
  (member) => `${member}_`,
  (member) => member.slice(0, -1),
  (member) => `${member}${member.slice(-1)}`,
  (member) => `X_${member}`,
  (member) => member.replaceAll('_', '-'),
  (member) => `${member},${member}`,
];

/**
 * Texts that look like members of an enumeration and are none. The empty text is left out: some services take it for an
 * absent field.
 *
 * @param members the legal values
 */
export function nearMisses(members: readonly string[]): fc.Arbitrary<string> {
  const misses = [
    ...NEIGHBOURS,
    ...members.flatMap((member) => TAMPERINGS.map((tamper) => tamper(member))),
  ].filter((miss) => miss !== '' && !members.includes(miss));
  return fc.constantFrom(...new Set(misses));
}
