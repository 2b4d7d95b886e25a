import type { Replacements } from '../core/replacement.ts';

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
