import fc from 'fast-check';

/** Numbers with a fractional part of one to three digits that is not zero. */
export function fractions(max: number): fc.Arbitrary<number> {
  return fc
    .tuple(fc.integer({ min: 0, max }), fc.integer({ min: 1, max: 999 }))
    .map(([whole, thousandths]) => Number(`${whole}.${String(thousandths).padStart(3, '0')}`));
}
