import { type Replacements, rulesWith } from './areas/replacement.ts';
import { faultNamed } from './faults/index.ts';
import { dialectsNamed } from './variants/dialects/index.ts';
import { variantFor } from './variants/index.ts';
import { createWorld, type World, type WorldConfig } from './world/world.ts';

/** More replacements for the world of a name. */
export type Around = (world: string) => readonly Replacements[];

/**
 * Worlds by name, made when first asked for:
 * - `default`, and `world.<label>` for another one that behaves the same;
 * - `fault.<name>[+<name>…]`: with these planted breaches;
 * - `dialect.<key>`: with what a client has to know done in another way; `dialect.all` has every one of them;
 * - `variant.<seed>`: with legal differences chosen by the seed; `variant.<seed>~fault.<name>` has both.
 */
export class Worlds {
  readonly #worlds = new Map<string, World>();
  readonly #config: WorldConfig;
  readonly #around: Around;

  /** @param around more replacements for a world, put around those that its name means */
  constructor(config: WorldConfig, around: Around = () => []) {
    this.#config = config;
    this.#around = around;
  }

  /** The world of this name, or undefined when the name means nothing. */
  get(name: string): World | undefined {
    const known = this.#worlds.get(name);
    if (known) return known;
    const sets = replacementsFor(name);
    if (!sets) return undefined;
    const world = createWorld(name, rulesWith([...sets, ...this.#around(name)]), this.#config);
    this.#worlds.set(name, world);
    return world;
  }

  /** Drops a world with all its records; asked for again, it is a new one. */
  forget(name: string): void {
    this.#worlds.delete(name);
  }
}

function replacementsFor(name: string): Replacements[] | undefined {
  if (name === 'default' || /^world\.[\w-]+$/.test(name)) return [];
  const [, dialect] = /^dialect\.(\w+)$/.exec(name) ?? [];
  if (dialect !== undefined) return dialectsNamed(dialect)?.map(({ replace }) => replace);
  const parts = /^(?:variant\.([\w-]+))?(~)?(?:fault\.([\w+-]+))?$/.exec(name);
  const [, seed, separator, faults] = parts ?? [];
  if (!parts || (separator !== undefined) !== (seed !== undefined && faults !== undefined)) return undefined;
  if (seed === undefined && faults === undefined) return undefined;
  const planted = faults?.split('+').map(faultNamed) ?? [];
  if (planted.includes(undefined)) return undefined;
  return [
    ...(seed === undefined ? [] : variantFor(seed).map((choice) => choice.replace)),
    ...planted.map((fault) => fault!.replace),
  ];
}
