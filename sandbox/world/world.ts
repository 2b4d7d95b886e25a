import { Alarms, Clock } from './clock.ts';
import { Ledger } from './ledger.ts';

/** Settings of a world that the interface does not speak of. */
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
  readonly behaviour: Behaviour;
  readonly clock: Clock;
  readonly alarms: Alarms;
  readonly ledger: Ledger;
  readonly config: WorldConfig;
  /** Ends this world: whoever asks for its name next gets a new one. */
  readonly end: () => void;
}

/**
 * @param behaviour as it is defined, its functions with their world first
 * @param whenEnded whoever keeps the world forgets it
 */
export function createWorld(
  name: string,
  behaviour: Unbound,
  config: WorldConfig,
  whenEnded: () => void = () => {},
): World {
  const clock = new Clock(() => world.behaviour.wallTime());
  const alarms = new Alarms(clock);
  const end = () => {
    alarms.stop();
    whenEnded();
  };
  const world = { name, clock, alarms, ledger: new Ledger(), config, end } as {
    -readonly [Key in keyof World]: World[Key];
  };
  world.behaviour = bindBehaviour(world, behaviour);
  return world;
}

/** A new id of the form `<type>:<uuid>`. */
export function mintId(world: World, type: string): string {
  return `${type}:${world.behaviour.newUuid()}`;
}

/** What every record begins with: an id of its type and its times, by the clock of a customer or by the world's. */
export function newRecord(
  world: World,
  type: string,
  customerId?: string,
): { readonly id: string; readonly createdAt: number; updatedAt: number } {
  const now = world.clock.now(customerId);
  return { id: mintId(world, type), createdAt: now, updatedAt: now };
}

/** The times of a record, as the wire shows them. */
export const shownTimes = (
  { behaviour }: World,
  { createdAt, updatedAt }: { readonly createdAt: number; readonly updatedAt: number },
) => ({ createdAt: behaviour.presentTime(createdAt), updatedAt: behaviour.presentTime(updatedAt) });

/** What a world decides and does, as it is called: `behaviour.name(…)`, the world bound. The areas say which functions there are. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- areas/behaviour.ts merges its functions into it
export interface Behaviour {}

/** Behaviour as it is defined: functions that take their world first. */
export type Unbound = Readonly<Record<string, (world: World, ...rest: never[]) => unknown>>;

/** The same functions without their first parameter. */
export type Bound<Set> = {
  readonly [Name in keyof Set]: Set[Name] extends (world: World, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Binds each function to a world, once. */
function bindBehaviour(world: World, unbound: Unbound): Behaviour {
  const bound: Record<string, (...rest: never[]) => unknown> = {};
  for (const [name, unboundOne] of Object.entries(unbound))
    bound[name] = (...rest) => unboundOne(world, ...rest);
  return bound as unknown as Behaviour;
}
