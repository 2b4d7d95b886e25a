import { basicAuthorization } from '../client/authorization.ts';
import type { HttpClient } from '../client/http/http-client.ts';
import { Secrets } from '../client/secrets/secrets.ts';
import type { HealthRead } from './environment-variables.ts';
import {
  type Probe,
  type Question,
  ask,
  isRefusedInForm,
  presentStatuses,
  questions,
  statusOf,
  succeeds,
} from './preflight/probes.ts';
import { tooSlow, whyNot } from './preflight/why-not.ts';
import type { Profile } from './profile.ts';
import { ProviderStates } from './providers/provider-states.ts';
import { UsageError } from './usage-error.ts';

/** What a preflight that has passed hands on. */
export interface Ready {
  /** In plain words. */
  readonly warnings: readonly string[];
  /** Asked during the run, it tells whether the target is still well. */
  readonly healthRead: HealthRead;
}

/** The second round is given at least this long, in milliseconds, however much the first has used. */
const SECOND_ROUND_LEAST = 1_000;

/**
 * Proves, before any test, that somebody speaks the interface at this address and takes these credentials: a documented
 * read succeeds; or else an operation is refused in the interface's own form, and wrong credentials with 401.
 *
 * @throws UsageError when that is not shown: one sentence that says why, with the fix
 */
export async function preflight(profile: Profile, http: HttpClient): Promise<Ready> {
  const secrets = new Secrets();
  secrets.addPair(profile.clientId, profile.clientSecret);
  secrets.add(basicAuthorization(profile.clientId, profile.clientSecret), profile.providerStates?.token);
  try {
    // The states' URL is asked beside the target, and told of only where the target itself is well.
    const [target, states] = await Promise.allSettled([
      proveTarget(profile, http, (text) => secrets.mask(text)),
      refuseStatesUrl(profile, http),
    ]);
    for (const outcome of [target, states]) if (outcome.status === 'rejected') throw outcome.reason;
    const { value: healthRead } = target as PromiseFulfilledResult<HealthRead>;
    return { warnings: warnings(profile).map((text) => secrets.mask(text)), healthRead };
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(secrets.mask(error.message)) : error;
  }
}

async function proveTarget(
  profile: Profile,
  http: HttpClient,
  mask: (text: string) => string,
): Promise<HealthRead> {
  const { baseUrl, requestTimeoutMs } = profile;
  const end = performance.now() + requestTimeoutMs;
  const authorization = basicAuthorization(profile.clientId, profile.clientSecret);
  const { reads, refused, undefinedRoutes } = questions();
  const [nowhere, nowhereToo, ...probes] = await Promise.all(
    [...undefinedRoutes, ...reads, ...refused].map((question) =>
      ask(http, baseUrl, question, authorization, requestTimeoutMs),
    ),
  );
  const slow = tooSlow(probes, requestTimeoutMs);
  const read = probes.find((probe) => probe.question.method === 'GET' && succeeds(probe, nowhere!));
  if (read && !slow) return healthReadOf(read);

  const left = Math.max(end - performance.now(), SECOND_ROUND_LEAST);
  const candidates = probes.filter(
    (probe) => isRefusedInForm(probe, [nowhere!, nowhereToo!]) && !isForbidden(probe, probes),
  );
  const [proof, elsewhere] = await Promise.all([
    refusesOthers(profile, http, candidates, left),
    slow ? undefined : whereReadsSucceed(profile, http, [undefinedRoutes[0], ...reads], left),
  ]);
  if (proof && !slow) return healthReadOf(proof);
  throw new UsageError(
    whyNot({ baseUrl, probes, requestTimeoutMs, elsewhere, anyCredentials: candidates.length > 0, mask }),
  );
}

/** A 403 to one call may be about that call; a 403 to all of several is about the caller. */
function isForbidden(probe: Probe, probes: readonly Probe[]): boolean {
  const there = presentStatuses(probes);
  return statusOf(probe) === 403 && there.length > 1 && there.every((status) => status === 403);
}

/** The first of these calls that answers 401 to a caller whom nobody knows. */
async function refusesOthers(
  { baseUrl, clientId, clientSecret }: Profile,
  http: HttpClient,
  candidates: readonly Probe[],
  milliseconds: number,
): Promise<Probe | undefined> {
  const wrong = basicAuthorization(clientId, `not-${clientSecret}`);
  const others = await Promise.all(
    candidates.map(({ question }) =>
      ask(http, baseUrl, question, question.ofAgents ? undefined : wrong, milliseconds),
    ),
  );
  return candidates.find((_, index) => statusOf(others[index]!) === 401);
}

async function whereReadsSucceed(
  { baseUrl, clientId, clientSecret }: Profile,
  http: HttpClient,
  [undefinedRoute, ...reads]: readonly [Question, ...Question[]],
  milliseconds: number,
): Promise<string | undefined> {
  const authorization = basicAuthorization(clientId, clientSecret);
  const found = await Promise.all(
    otherVersions(baseUrl).map(async (url) => {
      const [nowhere, ...probes] = await Promise.all(
        [undefinedRoute, ...reads].map((question) => ask(http, url, question, authorization, milliseconds)),
      );
      return probes.some((probe) => succeeds(probe, nowhere!)) ? url : undefined;
    }),
  );
  return found.find((url) => url !== undefined);
}

function healthReadOf({ question, exchange }: Probe): HealthRead {
  const { method, path, body } = question;
  return { method, path, ...(body === undefined ? {} : { body }), status: exchange.response!.status };
}

function warnings({ baseUrl }: Profile): readonly string[] {
  return /\/\d{4}-\d{2}-\d{2}$/.test(baseUrl)
    ? []
    : [`BASE_URL ${baseUrl} does not end with a version date, such as /2025-10-13.`];
}

/** @throws UsageError when situations are to be prepared at a provider-states URL, and nothing there can do it */
async function refuseStatesUrl({ preparation, providerStates }: Profile, http: HttpClient): Promise<void> {
  if (preparation !== 'provider-states' || !providerStates) return;
  const { url, token } = providerStates;
  const obstacle = await new ProviderStates(http, url, token).obstacle();
  if (obstacle !== undefined) throw new UsageError(`PROVIDER_STATES_URL ${url} cannot be used: ${obstacle}.`);
}

/** The version of the interface that Assay knows (section Versioning). */
const VERSION = '2025-10-13';

/** Base URLs that somebody may have meant: the version date in the place of the last path segment, and behind it. */
function otherVersions(baseUrl: string): readonly string[] {
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '');
  const replaced = `${origin}${path.replace(/\/[^/]*$/, '')}/${VERSION}`;
  const appended = `${origin}${path}/${VERSION}`;
  return [...new Set([replaced, appended])].filter((url) => url !== baseUrl);
}
