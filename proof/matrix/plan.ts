import type { Fault } from '../../sandbox/faults/fault.ts';
import type { DefaultWorld } from '../reach/default-world.ts';

/** A fault with the tests that may tell. */
export interface Plan {
  readonly fault: Fault;
  /** Ids. */
  readonly tests: readonly string[];
  /** What these tests took in the default world, in milliseconds: a weight, to share the work out. */
  readonly weight: number;
}

/**
 * Which tests are run for a fault:
 * - `reached`: all that can end otherwise, see reach/watching.ts
 * - `own`: those that name its rule
 * - `all`: the whole suite
 */
export type Selection = 'reached' | 'own' | 'all';

export function planOf(fault: Fault, { tests, outcomes }: DefaultWorld, selection: Selection): Plan {
  const chosen = tests.filter(({ id, rules }) => {
    if (selection === 'all') return true;
    if (selection === 'own') return rules.includes(fault.breaks);
    return outcomes.get(id)?.reached?.faults.includes(fault.name) ?? false;
  });
  const weight = chosen.reduce((sum, { id }) => sum + (outcomes.get(id)?.milliseconds ?? 1), 0);
  return { fault, tests: chosen.map(({ id }) => id), weight };
}

/** The heaviest first, so that no process is left alone with a long one at the end. */
export function heaviestFirst<T extends { readonly weight: number }>(plans: readonly T[]): T[] {
  return [...plans].sort((a, b) => b.weight - a.weight);
}
