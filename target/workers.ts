import { availableParallelism } from 'node:os';
import { basicAuthorization } from '../client/authorization.ts';
import { HttpClient } from '../client/http/http-client.ts';
import { Manners } from '../client/http/manners.ts';
import type { Profile } from './profile.ts';
import { wholeNumber } from './environment-variables.ts';

/** Two keep two cores busy where answers come at once. */
const USUAL = 2;
/** A worker is a process of its own, which keeps a core busy for some seconds until its code is compiled. */
const MOST = 24;
/** What one exchange keeps a core busy for, in milliseconds, with all that a test does around it. */
const BUSY_MS = 6;
/** How far the cores are filled: more workers than this wait for one another. */
const FILLED = 0.75;

/**
 * Tests at once: WORKERS, or so many that the cores have something to do while answers are on their way.
 *
 * @param latencyMs of one request; undefined where it is not known
 * @throws UsageError for a number that is none
 */
export function workersFor(
  env: Readonly<Record<string, string | undefined>>,
  latencyMs: number | undefined,
): number {
  const cores = Math.min(availableParallelism(), 4);
  const fitting = latencyMs === undefined ? USUAL : Math.round(FILLED * cores * (1 + latencyMs / BUSY_MS));
  return wholeNumber(env, 'WORKERS', Math.min(MOST, Math.max(USUAL, fitting)), 1);
}

/** Looks that a target is given to show how far away it is, and the longest time for one of them, in milliseconds. */
const LOOKS = 3;
const LONGEST_LOOK_MS = 2_000;

/**
 * How long one request to the target takes, in milliseconds; undefined where none is answered, which the preflight will tell.
 */
export async function latencyOf(profile: Profile): Promise<number | undefined> {
  const { baseUrl, clientId, clientSecret } = profile;
  const manners = profile.manners && new Manners(baseUrl, profile.manners);
  const http = new HttpClient({ timeoutMs: LONGEST_LOOK_MS, manners });
  const headers = { accept: 'application/json', authorization: basicAuthorization(clientId, clientSecret) };
  const times: number[] = [];
  try {
    // The first one makes the connection.
    for (let look = 0; look <= LOOKS; look += 1) {
      const { milliseconds, response } = await http.send({
        method: 'GET',
        url: `${baseUrl}/customers/end-user-terms`,
        headers,
      });
      if (!response) return undefined;
      times.push(milliseconds);
    }
  } finally {
    await http.close();
  }
  return Math.min(...times.slice(1));
}
