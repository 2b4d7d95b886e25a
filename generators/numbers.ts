import fc from 'fast-check';
import { INT64 } from '../schemas/openapi.ts';

/** The least integer that a double cannot tell from its neighbour. */
const BEYOND_DOUBLE = 2n ** 53n + 1n;
/** How near to an end counts as at the end. */
const NEAR = 3n;

/** Positive integers of 64 bits that a double rounds to another integer, often the least and the greatest of them. */
export function int64sBeyondDouble(): fc.Arbitrary<bigint> {
  const ends = { min: BEYOND_DOUBLE, max: INT64.max };
  return fc
    .oneof(
      fc.bigInt(ends),
      fc.bigInt({ ...ends, max: BEYOND_DOUBLE + NEAR }),
      fc.bigInt({ ...ends, min: INT64.max - NEAR }),
    )
    .map((value) => (value % 2n === 0n ? value - 1n : value));
}

/** How far beyond the range values reach: to 128 bits, where a wrapping service wraps to something small. */
const REACH = 2n ** 127n;
/** Values that a service which keeps the low 64 bits only would take for a small amount. */
const WRAPS_TO_SMALL = 2n ** 64n;

/** Positive integers above the range of int64; they shrink to its end plus one. */
export function beyondInt64(): fc.Arbitrary<bigint> {
  return fc.oneof(
    fc.bigInt({ min: INT64.max + 1n, max: REACH }),
    fc.bigInt({ min: INT64.max + 1n, max: INT64.max + NEAR }),
    fc.bigInt({ min: WRAPS_TO_SMALL + 1n, max: WRAPS_TO_SMALL + 1_000n }),
  );
}

/** Numbers with a fractional part of one to three digits that is not zero. */
export function fractions(max: number): fc.Arbitrary<number> {
  return fc
    .tuple(fc.integer({ min: 0, max }), fc.integer({ min: 1, max: 999 }))
    .map(([whole, thousandths]) => Number(`${whole}.${String(thousandths).padStart(3, '0')}`));
}
