import { randomUUID } from 'node:crypto';
import { basicAuthorization } from '../client/authorization.ts';
import type { Exchange } from '../client/http/exchange.ts';
import type { HttpClient } from '../client/http/http-client.ts';
import type { Profile } from './profile.ts';
import { ProviderStates } from './providers/provider-states.ts';
import { UsageError } from './usage-error.ts';

/** Operations that interface.md gives a path; a base URL that knows none of them is not the service's. */
const DOCUMENTED = [
  { method: 'POST', path: '/agents/me/transfer-out' },
  { method: 'POST', path: '/quotes' },
] as const;
const ABSENT = new Set([404, 405, 501]);
/** What a gateway answers when nothing stands behind it. */
const BEHIND = new Set([502, 503, 504]);

/**
 * Asks, before any test, whether the target can be judged at all.
 *
 * @returns warnings in plain words
 * @throws UsageError when it cannot be reached, does not speak HTTP, has none of the documented operations, or refuses the credentials
 */
export async function preflight(profile: Profile, http: HttpClient): Promise<readonly string[]> {
  const { baseUrl } = profile;
  const authorization = basicAuthorization(profile.clientId, profile.clientSecret);
  const listing = await http.send({
    method: 'GET',
    url: `${baseUrl}/auth/credentials?accountId=InternalAccount:${randomUUID()}`,
    headers: { accept: 'application/json', authorization },
  });
  if (listing.failure !== undefined)
    throw new UsageError(
      `BASE_URL ${baseUrl} cannot be tested: ${listing.failure}. Check the address, and that the service runs.`,
    );
  const probes = await Promise.all(
    DOCUMENTED.map(({ method, path }) =>
      http.send({
        method,
        url: `${baseUrl}${path}`,
        headers: { accept: 'application/json', 'content-type': 'application/json', authorization },
        body: '{}',
      }),
    ),
  );
  isTheService(baseUrl, [listing, ...probes]);
  const [, quotes] = probes;
  if (listing.response?.status === 401 && quotes?.response?.status === 401)
    throw new UsageError(
      'The target refuses CLIENT_ID and CLIENT_SECRET (401): check that they belong to this BASE_URL.',
    );
  await statesAnswer(profile, http);
  return /\/\d{4}-\d{2}-\d{2}$/.test(baseUrl)
    ? []
    : [`BASE_URL ${baseUrl} does not end with a version date, such as /2025-10-13.`];
}

/** A service that answers wrongly is judged; what is no service at all is not. */
function isTheService(baseUrl: string, probes: readonly Exchange[]): void {
  if (probes.every((probe) => BEHIND.has(statusOf(probe))))
    throw new UsageError(
      `BASE_URL ${baseUrl} answers ${statusOf(probes[0])} to everything: the service behind it does not run, start it and try again.`,
    );
  if (probes.every((probe) => statusOf(probe) >= 300 && statusOf(probe) < 400))
    throw new UsageError(
      `BASE_URL ${baseUrl} redirects${target(probes[0])}, and redirects are not followed: use the service's own address.`,
    );
  if (probes.every((probe) => (ABSENT.has(statusOf(probe)) || statusOf(probe) < 400) && !isJsonObject(probe)))
    throw new UsageError(
      `BASE_URL ${baseUrl} answers, but has none of the service's operations: check its path, which ends with the version date, such as /2025-10-13.`,
    );
}

async function statesAnswer({ preparation, providerStates }: Profile, http: HttpClient): Promise<void> {
  if (preparation !== 'provider-states' || !providerStates) return;
  const { url, token } = providerStates;
  const obstacle = await new ProviderStates(http, url, token).obstacle();
  if (obstacle !== undefined) throw new UsageError(`PROVIDER_STATES_URL ${url} cannot be used: ${obstacle}.`);
}

function statusOf(probe: Exchange | undefined): number {
  return probe?.response?.status ?? 0;
}

function target(probe: Exchange | undefined): string {
  const location = probe?.response?.headers['location'];
  return location === undefined ? '' : ` to ${location.split('?')[0]}`;
}

/** A 404 in the service's own words is not the 404 of a wrong path. */
function isJsonObject(probe: Exchange): boolean {
  try {
    const body: unknown = JSON.parse(probe.response?.text ?? '');
    return typeof body === 'object' && body !== null && (statusOf(probe) < 400 || 'code' in body);
  } catch {
    return false;
  }
}
