import { closest, distance } from 'fastest-levenshtein';
import { type Replacements, behaviourWith } from './areas/behaviour.ts';
import { faultNamed, faults } from './faults/index.ts';
import { dialects, dialectsNamed } from './variants/dialects.ts';
import { seedsOfOne, variantFor } from './variants/index.ts';
import { createWorld, type World, type WorldConfig } from './world/world.ts';

/** More replacements for the world of a name. */
export type Around = (world: string) => readonly Replacements[];
/** So many worlds are kept; the one that nobody has used for longest makes room for the next. */
const MOST_WORLDS = 1_000;

/** A world that nobody has used for so long is forgotten, in milliseconds. The default world stays. */
const LONGEST_IDLE = 24 * 3600 * 1000;

/** What worlds can have, for whoever shows it. */
export const planted = { faults, dialects } as const;

/** How a registry of worlds may be bounded otherwise; what is absent is as usual. */
export interface Bounds {
  readonly mostWorlds?: number;
  /** Milliseconds. */
  readonly longestIdle?: number;
  /** Milliseconds since the epoch. */
  readonly wall?: () => number;
}

/**
 * Worlds by name, made when first asked for:
 * - `default`, and `world.<label>` for another one that behaves the same;
 * - `fault.<name>[+<name>…]`: with these planted breaches;
 * - `dialect.<key>`: with what a client has to know done in another way; `dialect.all` has every one of them;
 * - `variant.<seed>`: with legal differences chosen by the seed; `variant.<seed>~fault.<name>` has both.
 *
 * Memory is bounded: see MOST_WORLDS and LONGEST_IDLE.
 */
export class Worlds {
  /** The one that was used last stands last. */
  readonly #worlds = new Map<string, { readonly world: World; readonly usedAt: number }>();
  readonly #config: WorldConfig;
  readonly #around: Around;
  readonly #bounds: Required<Bounds>;

  /** @param around more replacements for a world, put around those that its name means */
  constructor(config: WorldConfig, around: Around = () => [], bounds: Bounds = {}) {
    this.#config = config;
    this.#around = around;
    this.#bounds = { mostWorlds: MOST_WORLDS, longestIdle: LONGEST_IDLE, wall: Date.now, ...bounds };
  }

  /** The world of this name, or undefined when the name means nothing. */
  get(name: string): World | undefined {
    const world = this.#worlds.get(name)?.world ?? this.#make(name);
    if (!world) return undefined;
    this.#worlds.delete(name);
    this.#worlds.set(name, { world, usedAt: this.#bounds.wall() });
    return world;
  }

  /** Why there is no world of this name, in one sentence with the fix; undefined where there is one. */
  whyNot(name: string): string | undefined {
    return whyNoWorld(name);
  }

  /** Worlds that are kept at this moment. */
  get size(): number {
    return this.#worlds.size;
  }

  /** Ends every world. */
  end(): void {
    for (const { world } of [...this.#worlds.values()]) world.end();
  }

  #make(name: string): World | undefined {
    const sets = readName(name);
    if (typeof sets === 'string') return undefined;
    this.#forgetUnused();
    const behaviour = behaviourWith([...sets, ...this.#around(name)]);
    const world: World = createWorld(name, behaviour, this.#config, () => {
      if (this.#worlds.get(name)?.world === world) this.#worlds.delete(name);
    });
    return world;
  }

  /** Drops a world with all its records; asked for again, it is a new one. */
  forget(name: string): void {
    this.#worlds.get(name)?.world.end();
  }

  #forgetUnused(): void {
    const oldest = this.#bounds.wall() - this.#bounds.longestIdle;
    for (const [name, { world, usedAt }] of [...this.#worlds]) {
      if (name === 'default') continue;
      if (usedAt > oldest && this.#worlds.size < this.#bounds.mostWorlds) return;
      world.end();
    }
  }
}

const FORMS =
  'default, world.<label>, dialect.<key>, fault.<name>[+<name>…], variant.<seed> and variant.<seed>~fault.<name>';

/** What the world of a name has in place of the base behaviour; or why there is none of this name, in one sentence with the fix. */
function readName(name: string): readonly Replacements[] | string {
  if (name === 'default' || /^world\.[\w-]+$/.test(name)) return [];
  const [, dialect] = /^dialect\.(\w+)$/.exec(name) ?? [];
  if (dialect !== undefined)
    return (
      dialectsNamed(dialect)?.map(({ replace }) => replace) ??
      `There is no dialect "${dialect}"${guess(dialect, ['all', ...dialects.map(({ key }) => key)])} --list-dialects lists them.`
    );
  const [, seed, separator, named] = /^(?:variant\.([\w-]+))?(~)?(?:fault\.([\w+-]+))?$/.exec(name) ?? [];
  const isPair = seed !== undefined && named !== undefined;
  if ((seed ?? named) === undefined || (separator !== undefined) !== isPair)
    return `There is no world "${name}": worlds are ${FORMS}.`;
  const planted = named?.split('+') ?? [];
  const unknown = planted.find((fault) => !faultNamed(fault));
  if (unknown !== undefined)
    return `There is no fault "${unknown}"${guess(
      unknown,
      faults.map((fault) => fault.name),
    )} --list-faults lists them.`;
  const noVariant = seed === undefined ? undefined : whyNoVariant(seed);
  return (
    noVariant ?? [
      ...(seed === undefined ? [] : variantFor(seed).map((choice) => choice.replace)),
      ...planted.map((fault) => faultNamed(fault)!.replace),
    ]
  );
}

/** Why a name is that of no world, in one sentence with the fix, or undefined for the name of one. */
export function whyNoWorld(name: string): string | undefined {
  const read = readName(name);
  return typeof read === 'string' ? read : undefined;
}

/** Any seed throws its dice; but who writes `<choice>-is-<option>` means that one. */
function whyNoVariant(seed: string): string | undefined {
  if (!seed.includes('-is-')) return undefined;
  if (seedsOfOne.includes(seed)) return undefined;
  return `There is no variant "${seed}"${guess(seed, seedsOfOne)} --list-variants lists them.`;
}

function guess(word: string, known: readonly string[]): string {
  const near = closest(word, known);
  return distance(word, near) <= Math.max(2, word.length / 3) ? `; did you mean ${near}?` : '.';
}
