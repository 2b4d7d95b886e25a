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
