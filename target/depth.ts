import { UsageError } from './usage-error.ts';

/** How much is tried of what is generated: `DEPTH`. */
export type Depth = 'quick' | 'standard' | 'deep';

const DEPTHS: readonly string[] = ['quick', 'standard', 'deep'] satisfies readonly Depth[];

/**
 * The depth of this run.
 *
 * @throws UsageError for a word that is no depth
 */
export function depthOf(env: Readonly<Record<string, string | undefined>> = process.env): Depth {
  const depth = env['DEPTH'] || 'standard';
  if (!DEPTHS.includes(depth))
    throw new UsageError(`DEPTH is "${depth}", which is no depth: set it to quick, standard or deep.`);
  return depth as Depth;
}
