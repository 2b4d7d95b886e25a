import type { Route } from './route.ts';
import type { State } from './state.ts';

/**
 * A part of the service: what it answers and what it can prepare. Its rules stand in rules/<area>/, its faults in
 * faults/<area>.ts and its variants in variants/<area>.ts.
 */
export interface Area {
  readonly name: string;
  readonly routes: readonly Route[];
  readonly states: readonly State[];
}
