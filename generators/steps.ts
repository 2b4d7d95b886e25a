import fc from 'fast-check';

/** One step of a sequence, before it is known what it meets: `which` and `what` choose among what is there by then. */
export interface Step<Name extends string = string> {
  readonly do: Name;
  /** Chooses the record, from 0 up. */
  readonly which: number;
  /** Chooses a value, from 0 up. */
  readonly what: number;
}

/**
 * Sequences of steps. They carry no ids: each walk finds its records by itself, so that a sequence can be repeated on fresh
 * ones and shrunk by leaving steps out.
 *
 * @param names of the steps; those that stand twice come twice as often
 */
export function sequences<Name extends string>(
  names: readonly Name[],
  { minLength, maxLength }: { readonly minLength: number; readonly maxLength: number },
): fc.Arbitrary<readonly Step<Name>[]> {
  const step = fc.record({
    do: fc.constantFrom(...names),
    which: fc.nat({ max: 7 }),
    what: fc.nat({ max: 7 }),
  });
  return fc.array(step, { minLength, maxLength, size: 'max' });
}

/** The member that a number from 0 up chooses; undefined where there is none. */
export function chosen<T>(list: readonly T[], by: number): T | undefined {
  return list.length === 0 ? undefined : list[by % list.length];
}
