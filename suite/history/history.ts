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
