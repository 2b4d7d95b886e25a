import { Alarms, Clock } from './clock.ts';
import { Ledger } from './ledger.ts';

/** Settings of a world that are no rules of the interface. */
export interface WorldConfig {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Word in the brand's place in header, field and code names. */
  readonly brand: string;
  /** Milliseconds added to every answer. */
  readonly latency: number;
  /** Largest body accepted, in bytes. */
  readonly bodyLimit: number;
}

/** One isolated service: its behaviour, its time, its money, and through the tables its records. */
export interface World {
  readonly name: string;
  readonly rules: Rules;
  readonly clock: Clock;
  readonly alarms: Alarms;
  readonly ledger: Ledger;
  readonly config: WorldConfig;
  /** Ends this world: whoever asks for its name next gets a new one. */
  readonly end: () => void;
}

/**
 * @param rules as they are defined, with their world first
 * @param whenEnded whoever keeps the world forgets it
 */
export function createWorld(
  name: string,
  rules: Unbound,
  config: WorldConfig,
  whenEnded: () => void = () => {},
): World {
  const clock = new Clock();
  const alarms = new Alarms(clock);
  const end = () => {
    alarms.stop();
    whenEnded();
  };
  const world = { name, clock, alarms, ledger: new Ledger(), config, end } as {
    -readonly [Key in keyof World]: World[Key];
  };
  world.rules = bindRules(world, rules);
  return world;
}

/** A new id of the form `<type>:<uuid>`. */
export function mintId(world: World, type: string): string {
  return `${type}:${world.rules.newUuid()}`;
}

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
function bindRules(world: World, unbound: Unbound): Rules {
  const bound: Record<string, (...rest: never[]) => unknown> = {};
  for (const [name, rule] of Object.entries(unbound)) bound[name] = (...rest) => rule(world, ...rest);
  return bound as unknown as Rules;
}
