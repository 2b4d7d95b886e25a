import type { Replacements } from '../core/replacement.ts';

/** One thing that the interface does not show, done in another way than the default world does it. */
export interface Dialect {
  /** What a client has to know: the world `dialect.<key>` differs in this alone. */
  readonly key: string;
  /** What is different, to follow "here". */
  readonly says: string;
  readonly replace: Replacements;
}
