import type { Event, History } from './history.ts';

/** What a record may do, one call after another. */
export interface SerialModel<S, C, A> {
  readonly start: S;
  /**
   * The states that the record may be in after a call that was answered like this; none where a record in that state
   * cannot have answered it. More than one where the text leaves it open.
   */
  readonly next: (state: S, call: C, answer: A) => readonly S[];
}

/**
 * Whether the calls of a history, made one after another in some order, could have been answered as they were: the history
 * is linearizable (Wing and Gong). A call that had ended before another one began comes before it in every such order.
 */
export function someOrderExplains<S, C, A>(model: SerialModel<S, C, A>, history: History<C, A>): boolean {
  const seen = new Set<string>();
  const search = (left: readonly Event<C, A>[], state: S): boolean => {
    if (left.length === 0) return true;
    const key = `${left.map((event) => history.indexOf(event)).join()} ${JSON.stringify(state)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    const firstEnded = Math.min(...left.map(({ ended }) => ended));
    return left
      .filter(({ begun }) => begun <= firstEnded)
      .some((event) =>
        model.next(state, event.call, event.answer).some((next) =>
          search(
            left.filter((other) => other !== event),
            next,
          ),
        ),
      );
  };
  return search(history, model.start);
}
