import type { Replacements } from '../areas/rules.ts';

/** Something that the interface leaves open. */
export interface Choice {
  /** Kebab-case; tells what is open. */
  readonly name: string;
  /** Why a service may do otherwise than the default world. */
  readonly open: string;
  /** What else it may do, by a short name. */
  readonly options: Readonly<Record<string, Replacements>>;
}

/** One option, taken. */
export interface Taken {
  readonly choice: string;
  readonly option: string;
  readonly replace: Replacements;
}

/** One thing that the interface does not show, done in another way than the default world does it. */
export interface Dialect {
  /** What a client has to know: the world `dialect.<key>` differs in this alone. */
  readonly key: string;
  /** What is different, to follow "here". */
  readonly says: string;
  readonly replace: Replacements;
}

/**
 * Numbers in [0, 1) that depend on the seed text alone (FNV-1a into mulberry32), so that a world's name says all
 * about it.
 */
export function randomFrom(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const char of seed) state = Math.imul(state ^ char.codePointAt(0)!, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
