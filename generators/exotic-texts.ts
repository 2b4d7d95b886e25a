import fc from 'fast-check';

/** Text beyond plain ASCII, with a name for the report. */
export interface ExoticText {
  readonly kind: string;
  readonly text: string;
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

/**
 * Texts of one kind of character beyond plain ASCII each, one piece up to `maxPieces`. What one character is, and which
 * characters are taken, the interface leaves open: these are for observations, never for a verdict on length.
 */
export function exoticTexts(maxPieces: number): fc.Arbitrary<ExoticText> {
  return fc
    .tuple(fc.constantFrom(...EXOTIC_KINDS), fc.integer({ min: 1, max: maxPieces }))
    .map(([kind, times]) => ({ kind, text: exoticText(kind, times) }));
}
