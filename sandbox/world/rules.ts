import type { World } from './world.ts';

/** The rules of a world as they are called: `rules.name(…)`, their world bound. The areas say which there are. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- areas/rules.ts merges its rules into it
export interface Rules {}

/** Rules as they are defined: functions that take their world first. */
export type Unbound = Readonly<Record<string, (world: World, ...rest: never[]) => unknown>>;

/** The same functions without their first parameter. */
export type Bound<Set> = {
  readonly [Name in keyof Set]: Set[Name] extends (world: World, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Binds each rule to a world, once. */
export function bindRules(world: World, unbound: Unbound): Rules {
  const bound: Record<string, (...rest: never[]) => unknown> = {};
  for (const [name, rule] of Object.entries(unbound)) bound[name] = (...rest) => rule(world, ...rest);
  return bound as unknown as Rules;
}
