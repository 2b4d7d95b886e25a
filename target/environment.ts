import { UsageError } from './usage-error.ts';

/**
 * A whole number from an environment variable; unset and empty give the default.
 *
 * @throws UsageError when it is anything else, or less than `least`
 */
export function wholeNumber(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  otherwise: number,
  least: number,
): number {
  const text = env[name];
  if (text === undefined || text === '') return otherwise;
  const value = Number(text);
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
  const bound = Number.isFinite(least) ? `, ${least} or more` : '';
  throw new UsageError(`${name} must be a whole number${bound}, not "${text}".`);
}

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

/** Environment variable in which preflight hands the read on to the workers, as JSON. */
export const HEALTH_READ_ENV = 'ASSAY_HEALTH_READ';

/**
 * A request that changes nothing, with the status that the target answered it before the first test. Sent again in the
 * middle of a run, it tells whether the target is still well.
 */
export interface HealthRead {
  readonly method: string;
  /** Below the base address, query included. */
  readonly path: string;
  readonly body?: string;
  readonly status: number;
}

/** What preflight has left in the environment; undefined where no preflight ran. */
export function healthReadFrom(env: Readonly<Record<string, string | undefined>>): HealthRead | undefined {
  const text = env[HEALTH_READ_ENV];
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as HealthRead);
}
