import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { choices, variantFor } from '../../sandbox/variants/index.ts';
import { dialects } from '../../sandbox/variants/dialects.ts';
import { type Replacements, baseBehaviour } from '../../sandbox/areas/behaviour.ts';
import type { Sandbox, startSandbox as Start } from '../../sandbox/start.ts';
import { MutantSwitch } from '../mutants/mutant-switch.ts';
import { watching } from '../reach/watching.ts';
import type { Seed } from '../variants/covering.ts';
import type { ReachedNames, Task } from './worker-pool.ts';

const FUNCTIONS = Object.keys(baseBehaviour);

/** What is special about the worlds of one sandbox, and what was seen in them. */
export class WatchedSandbox {
  readonly #around = new Map<string, readonly Replacements[]>();
  readonly #reached = new Map<string, () => ReachedNames>();
  readonly #mutants: MutantSwitch | undefined;
  #sandbox: Sandbox | undefined;

  private constructor(mutants: MutantSwitch | undefined) {
    this.#mutants = mutants;
  }

  /** @param folder of a mutated copy (mutants/instrument.ts); the sandbox itself unless given */
  static async start(folder?: string): Promise<WatchedSandbox> {
    const worlds = new WatchedSandbox(folder === undefined ? undefined : new MutantSwitch());
    const home = folder ?? join(import.meta.dirname, '../../sandbox');
    const { startSandbox } = (await import(pathToFileURL(join(home, 'start.ts')).href)) as {
      startSandbox: typeof Start;
    };
    worlds.#sandbox = await startSandbox({ around: (world) => worlds.#around.get(world) ?? [] });
    return worlds;
  }

  get origin(): string {
    return this.#sandbox!.origin;
  }

  /** Before the first request to a world: what it differs in. */
  prepare({ world, seed, mutant }: Task): void {
    if (seed) this.#around.set(world, differencesOf(seed));
    if (mutant !== undefined) this.#around.set(world, [this.#mutants!.alive(mutant, FUNCTIONS)]);
  }

  /**
   * Before the first request to a world that a test has for itself: what it reaches is noted.
   *
   * @param like the world whose legal differences it has too
   */
  watch(world: string, test: string, like: string): void {
    if (this.#mutants) {
      this.#around.set(world, [this.#mutants.noting(test, FUNCTIONS)]);
      this.#reached.set(world, () => ({
        faults: [],
        mutants: this.#mutants!.metBy(test),
      }));
      return;
    }
    const { replace, reached } = watching();
    const legal = like.startsWith('variant.') ? variantFor(like.slice('variant.'.length)) : [];
    this.#around.set(world, [...legal.map((taken) => taken.replace), replace]);
    this.#reached.set(world, () => ({ faults: [...reached.faults] }));
  }

  /** Forgets a world. @returns what was reached in it, where it was watched */
  forget(world: string): ReachedNames | undefined {
    const reached = this.#reached.get(world)?.();
    this.#around.delete(world);
    this.#reached.delete(world);
    this.#sandbox!.forget(world);
    return reached;
  }
}

/** Dialects last: they are about how one calls, which comes before what is done. */
function differencesOf({ options, dialects: keys }: Seed): Replacements[] {
  const replace = new Map<string, Replacements>(
    choices.flatMap((choice) =>
      Object.entries(choice.options).map(([option, made]) => [`${choice.name}-is-${option}`, made] as const),
    ),
  );
  return [
    ...options.map((option) => replace.get(option)!),
    ...dialects.filter(({ key }) => keys.includes(key)).map((dialect) => dialect.replace),
  ];
}
