import { atOnce, overlapped, type History } from './history.ts';

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
