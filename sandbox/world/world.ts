import { Alarms } from './alarms.ts';
import { Clock } from './clock.ts';
import { Ledger } from './ledger.ts';
import { bindRules, type Rules, type Unbound } from './rules.ts';

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
