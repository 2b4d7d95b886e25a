import type { Answer, Authorization } from '../../../suite/index.ts';

/**
 * Sends a request that is right but for the `authorization` that it is given. Each call is a request of its own: what one
 * that should have failed has changed does not stand in the way of the next.
 *
 * @param what the credentials in plain words, for the report
 */
export type Attempt = (authorization: Authorization | undefined, what: string) => Promise<Answer>;
