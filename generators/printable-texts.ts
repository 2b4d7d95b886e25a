import fc from 'fast-check';
import type { TextLengths } from './plain-texts.ts';

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
