import type { Replacements } from '../core/replacement.ts';

/** A small planted breach of the interface. */
export interface Fault {
  /** Kebab-case; tells the mistake. */
  readonly name: string;
  /** The rule of schemas/rules.yaml that it breaks, and no other. */
  readonly breaks: string;
  /** Rules that cannot help being broken with it, because they say the same of another moment. */
  readonly also?: readonly string[];
  /** One sentence for people. */
  readonly says: string;
  readonly replace: Replacements;
}
