import fc from 'fast-check';
import { INT64 } from '../schemas/values.ts';

/** How far beyond the range values reach: to 128 bits, where a wrapping service wraps to something small. */
const REACH = 2n ** 127n;
/** Values that a service which keeps the low 64 bits only would take for a small amount. */
const WRAPS_TO_SMALL = 2n ** 64n;

/** Positive integers above the range of int64; they shrink to its end plus one. */
export function beyondInt64(): fc.Arbitrary<bigint> {
  return fc.oneof(
    fc.bigInt({ min: INT64.max + 1n, max: REACH }),
    fc.bigInt({ min: INT64.max + 1n, max: INT64.max + 3n }),
    fc.bigInt({ min: WRAPS_TO_SMALL + 1n, max: WRAPS_TO_SMALL + 1_000n }),
  );
}
