import { randomBytes } from 'node:crypto';

/** Environment variable in which the workers of a run find its id. */
const RUN_ID_ENV = 'ASSAY_RUN_ID';

/** The id of this run, by which a service finds its requests: made once, and the same in all its workers. */
export function runId(env: NodeJS.ProcessEnv = process.env): string {
  return (env[RUN_ID_ENV] ||= randomBytes(4).toString('hex'));
}

/** How Assay calls itself in every request. */
export function userAgent(): string {
  return `assay (run ${runId()})`;
}
