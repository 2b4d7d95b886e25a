import { availableParallelism } from 'node:os';
import { basicAuthorization } from '../client/authorization.ts';
import { HttpClient } from '../client/http/http-client.ts';
import { Manners } from '../client/http/manners.ts';
import { type Profile, preparations } from './profile.ts';
import { wholeNumber } from './environment-variables.ts';

/** Two keep two cores busy where answers come at once. */
const USUAL = 2;
/** More would only fill the memory. */
const MOST = 24;
/** Who waits for real time takes nothing of the processors, and 100 MB. */
const WAITING = 16;
/** What a run takes of the processors, in seconds: all its tests together, and each worker until its code is compiled. */
const TESTS_SECONDS = 30;
const WORKER_SECONDS = 2.5;
/** Calls of a run, those that prepare states among them. */
const CALLS = 8_500;

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
  const fitting = latencyMs === undefined ? USUAL : Math.round(balanced(cores, (CALLS * latencyMs) / 1_000));
  return wholeNumber(env, 'WORKERS', Math.min(MOST, Math.max(USUAL, fitting)), 1);
}

/**
 * Tests that wait for real time at once, beside the others: where nobody can move the target's clock, and the profile lets them.
 * None where WORKERS says how many there are.
 */
export function waitingWorkers(profile: Profile, env: Readonly<Record<string, string | undefined>>): number {
  const isMoved = profile.clock !== 'none' && preparations(profile).includes('provider-states');
  return profile.slow && !isMoved && !env['WORKERS'] ? WAITING : 0;
}

/**
 * With so many workers the cores work as long as a worker waits: (tests + workers * worker) / cores = waiting / workers. With
 * fewer the cores stand idle, with more they are busy starting workers.
 *
 * @param waiting for all answers of a run, one after the other, in seconds
 */
function balanced(cores: number, waiting: number): number {
  const root = Math.sqrt(TESTS_SECONDS ** 2 + 4 * WORKER_SECONDS * cores * waiting);
  return (root - TESTS_SECONDS) / (2 * WORKER_SECONDS);
}

/** Looks that a target is given to show how far away it is, and the longest time for one of them, in milliseconds. */
const LOOKS = 3;
const LONGEST_LOOK_MS = 2_000;

/**
 * How long a usual request to the target takes, in milliseconds; undefined where none is answered, which the preflight will tell.
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
  return times.slice(1).sort((one, other) => one - other)[Math.floor(LOOKS / 2)];
}
