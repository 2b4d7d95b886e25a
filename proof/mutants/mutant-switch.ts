import { AsyncLocalStorage } from 'node:async_hooks';
import type { Replacements } from '../../sandbox/areas/behaviour.ts';
import type { Behave } from '../../sandbox/faults/fault.ts';

/** A mutant that is met so often within one world keeps a loop from ending. */
const MOST_HITS = 100_000;

/** What the mutated code asks for, by the names that its maker gave them. */
interface Asked {
  readonly activeMutant: string | undefined;
  readonly currentTestId: string | undefined;
  hitCount: number | undefined;
  readonly hitLimit: number;
  readonly mutantCoverage: {
    readonly static: Record<string, number>;
    readonly perTest: Record<string, Record<string, number>>;
  };
}

/** What is switched on while one world is at work. */
interface Circuit {
  /** The mutant that is alive. */
  readonly mutant?: string;
  /** Whose way through the behaviour is noted. */
  readonly test?: string;
  hits: number;
}

/**
 * Decides for each world which mutant of a mutated sandbox is alive, so that one process serves many of them. Made before the
 * mutated code is loaded.
 */
export class MutantSwitch {
  readonly #current = new AsyncLocalStorage<Circuit>();
  readonly #coverage: Asked['mutantCoverage'] = { static: {}, perTest: {} };

  constructor() {
    const circuit = () => this.#current.getStore();
    const asked: Asked = {
      get activeMutant() {
        return circuit()?.mutant;
      },
      get currentTestId() {
        return circuit()?.test;
      },
      get hitCount() {
        return circuit()?.hits;
      },
      set hitCount(hits) {
        const store = circuit();
        if (store && hits !== undefined) store.hits = hits;
      },
      hitLimit: MOST_HITS,
      mutantCoverage: this.#coverage,
    };
    (globalThis as { __stryker__?: Asked }).__stryker__ = asked;
  }

  /** Replacements under which a mutant is alive in a world. @param functions names of all */
  alive(mutant: string, functions: readonly string[]): Replacements {
    return this.#within({ mutant, hits: 0 }, functions);
  }

  /** Replacements under which it is noted what a test meets. */
  noting(test: string, functions: readonly string[]): Replacements {
    return this.#within({ test, hits: 0 }, functions);
  }

  /** Mutants that a test has met. */
  metBy(test: string): readonly string[] {
    return Object.keys(this.#coverage.perTest[test] ?? {});
  }

  /** Everything that a function does, and what follows from it later, is under the circuit. */
  #within(circuit: Circuit, functions: readonly string[]): Replacements {
    const under =
      (original: Behave): Behave =>
      (...args) =>
        this.#current.run(circuit, () => original(...args));
    return Object.fromEntries(functions.map((name) => [name, under])) as Replacements;
  }
}
