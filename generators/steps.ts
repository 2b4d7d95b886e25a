import fc from 'fast-check';

/** One step of a sequence, before it is known what it meets: `which` and `what` choose among what is there by then. */
export interface Step<Name extends string = string> {
  readonly do: Name;
  /** Chooses the record, from 0 up. */
  readonly which: number;
  /** Chooses a value, from 0 up. */
  readonly what: number;
}

/** How many of the steps of a list a sequence has, one with another: the first is what shrinking goes to. */
const IS_TAKEN = [false, true, true];

/**
 * Sequences of steps: a good half of the list in any order, each name as often as it stands there at most, so that a few
 * sequences come to every name. They carry no ids: each walk finds its records by itself, so that a sequence can be repeated
 * on fresh ones and shrunk by leaving steps out.
 */
export function sequences<Name extends string>(names: readonly Name[]): fc.Arbitrary<readonly Step<Name>[]> {
  const deck = names.map((_, at) => at);
  const all = { minLength: deck.length, maxLength: deck.length };
  const card = fc.record({
    isTaken: fc.constantFrom(...IS_TAKEN),
    which: fc.nat({ max: 7 }),
    what: fc.nat({ max: 7 }),
  });
  return fc
    .record({ order: fc.shuffledSubarray(deck, all), cards: fc.array(card, all) })
    .map(({ order, cards }) =>
      order.flatMap((at) => {
        const { isTaken, which, what } = cards[at] as (typeof cards)[number];
        return isTaken ? [{ do: names[at] as Name, which, what }] : [];
      }),
    );
}

/** The member that a number from 0 up chooses; undefined where there is none. */
export function chosen<T>(list: readonly T[], by: number): T | undefined {
  return list.length === 0 ? undefined : list[by % list.length];
}
