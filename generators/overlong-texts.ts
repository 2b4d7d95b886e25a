import fc from 'fast-check';

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
