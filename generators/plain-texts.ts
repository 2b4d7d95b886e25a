import fc from 'fast-check';

const LETTERS_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

export interface TextLengths {
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
