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
  readonly ledger: Ledger;
  readonly config: WorldConfig;
  /** Base URL of this world as its callers write it, once it is known. */
  baseUrl?: string;
}

/** @param rules as they are defined, with their world first */
export function createWorld(name: string, rules: Unbound, config: WorldConfig): World {
  const world = { name, clock: new Clock(), ledger: new Ledger(), config } as {
    -readonly [Key in keyof World]: World[Key];
  };
  world.rules = bindRules(world, rules);
  return world;
}

/** A new id of the form `<type>:<uuid>`. */
export function mintId(world: World, type: string): string {
  return `${type}:${world.rules.newUuid()}`;
}
