import type { Fault } from '../../sandbox/faults/fault.ts';
import type { DefaultWorld } from '../reach/default-world.ts';

/** Specs of what is generated, by the beginning of their paths. */
export const GENERATED = 'generated/';

/**
 * The faults in what some tests cover: while one of them runs, the sandbox calls a function that the fault replaces, whatever
 * comes of it. That is wider than what these tests could notice, and asks nothing of what they do notice.
 *
 * @param world the default world, with what was reached there
 */
export function coveredBy(faults: readonly Fault[], { outcomes }: DefaultWorld): readonly Fault[] {
  const called = new Set([...outcomes.values()].flatMap(({ reached }) => reached?.rules ?? []));
  return faults.filter(({ replace }) => Object.keys(replace).some((name) => called.has(name)));
}
