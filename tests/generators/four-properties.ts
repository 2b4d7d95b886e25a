import { expect, test } from '@playwright/test';
import fc from 'fast-check';

export interface ArbitraryUnderTest<T> {
  readonly arbitrary: fc.Arbitrary<T>;
  /** True for a value that the arbitrary may yield. Shrunk values are held to the same. */
  readonly isRight: (value: T) => boolean;
  /** False where a value has nothing smaller, such as one of a fixed set. Default true. */
  readonly shrinks?: boolean;
}

const SEEDS = [1, 2, 3, 20_251_013];
const VALUES = 300;

/** The four properties that fast-check holds each of its own arbitraries to. */
export function fourProperties<T>(
  name: string,
  { arbitrary, isRight, shrinks = true }: ArbitraryUnderTest<T>,
): void {
  test.describe(name, () => {
    test('same seed, same values', () => {
      for (const seed of SEEDS)
        expect(shown(sample(arbitrary, seed))).toEqual(shown(sample(arbitrary, seed)));
    });

    test('only right values', () => {
      for (const seed of SEEDS)
        expect(shown(sample(arbitrary, seed).filter((value) => !isRight(value)))).toEqual([]);
    });

    test('shrinks', () => {
      test.skip(!shrinks, 'its values have nothing smaller');
      const lengths = SEEDS.flatMap((seed) =>
        [0, 1, 2, 3].map((step) => whileShrinking(arbitrary, seed * 10 + step, () => true).length),
      );
      expect(Math.max(...lengths)).toBeGreaterThan(1);
    });

    test('shrinks stay right', () => {
      for (const seed of SEEDS)
        for (const keep of [() => true, (at: number) => at % 2 === 0, (at: number) => at % 3 !== 1]) {
          const wrong = whileShrinking(arbitrary, seed, keep).filter((value) => !isRight(value));
          expect(shown(wrong)).toEqual([]);
        }
    });
  });
}

function sample<T>(arbitrary: fc.Arbitrary<T>, seed: number): T[] {
  return fc.sample(arbitrary, { seed, numRuns: VALUES });
}

/** All values that come by while fast-check shrinks; `fails` decides which of them count as failing still. */
function whileShrinking<T>(arbitrary: fc.Arbitrary<T>, seed: number, fails: (at: number) => boolean): T[] {
  const seen: T[] = [];
  fc.check(
    fc.property(arbitrary, (value) => {
      seen.push(value);
      return !(seen.length === 1 || fails(seen.length));
    }),
    { seed, numRuns: 1 },
  );
  return seen;
}

const shown = (values: readonly unknown[]) => values.map((value) => fc.stringify(value));
