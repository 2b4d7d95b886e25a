import type { Answer } from './answers/answer.ts';
import type { Walk } from './survey.ts';

/** One call of a history: when it was begun and when its answer was there, in milliseconds of one clock. */
export interface Event<C, A> {
  readonly call: C;
  readonly answer: A;
  readonly begun: number;
  readonly ended: number;
}

/** Calls that were made of one record, in any order. */
export type History<C, A> = readonly Event<C, A>[];

/** Makes a call and notes when it began and ended. */
export async function timed<C, A>(call: C, send: () => Promise<A>): Promise<Event<C, A>> {
  const begun = performance.now();
  const answer = await send();
  return { call, answer, begun, ended: performance.now() };
}

/** Makes all calls at the same moment. */
export function atOnce<C, A>(calls: readonly C[], send: (call: C) => Promise<A>): Promise<History<C, A>> {
  return Promise.all(calls.map((call) => timed(call, () => send(call))));
}

/** Whether every two calls were under way at the same time: a history without that is no race. */
export function overlapped(history: History<unknown, unknown>): boolean {
  const lastBegun = Math.max(...history.map(({ begun }) => begun));
  const firstEnded = Math.min(...history.map(({ ended }) => ended));
  return history.length > 1 && lastBegun < firstEnded;
}

/** Rounds until the calls of a race were under way together; on a slow line the first does. */
const ROUNDS = 5;

/**
 * Makes calls at the same moment, on fresh records each round, until they overlapped: what was won by chance does not count.
 *
 * @param round prepares fresh records, and says which calls to make and how
 * @returns the records and the history of the round that overlapped; undefined where none did
 */
export async function race<R, C, A>(
  round: () => Promise<{
    readonly records: R;
    readonly calls: readonly C[];
    readonly send: (call: C) => Promise<A>;
  }>,
): Promise<{ readonly records: R; readonly history: History<C, A> } | undefined> {
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    const { records, calls, send } = await round();
    const history = await atOnce(calls, send);
    if (overlapped(history)) return { records, history };
  }
  return undefined;
}

/** A round of such calls, each a function of its own. @param begin prepares fresh records, and the calls */
export function callsOf<R extends { readonly sends: readonly (() => Promise<Answer>)[] }>(
  begin: () => Promise<R>,
) {
  return async () => {
    const records = await begin();
    return { records, calls: records.sends, send: (send: () => Promise<Answer>) => send() };
  };
}

/** The same of calls that are answered alone: each answer is told, and the walk ends where the calls did not overlap. */
export async function raced<R, C>(on: Walk, round: Parameters<typeof race<R, C, Answer>>[0]) {
  const { records, history } = on.need.that(await race(round), 'the calls did not overlap');
  return { records, history, answers: history.map(({ answer }) => on.told(answer)) };
}

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
