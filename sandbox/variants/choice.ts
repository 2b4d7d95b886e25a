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
