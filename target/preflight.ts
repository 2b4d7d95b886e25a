import { randomUUID } from 'node:crypto';
import { basicAuthorization } from '../client/authorization.ts';
import type { Exchange } from '../client/http/exchange.ts';
import type { HttpClient } from '../client/http/http-client.ts';
import type { Profile } from './profile.ts';
import { UsageError } from './usage-error.ts';

/** Operations that interface.md gives a path; a base URL that knows none of them is not the service's. */
const DOCUMENTED = [
  { method: 'POST', path: '/agents/me/transfer-out' },
  { method: 'POST', path: '/quotes' },
] as const;
const ABSENT = new Set([404, 405, 501]);

/**
 * Asks, before any test, whether the target can be judged at all.
 *
 * @returns warnings in plain words
 * @throws UsageError when it cannot be reached, does not speak HTTP, has none of the documented operations, or refuses the credentials
 */
export async function preflight(profile: Profile, http: HttpClient): Promise<readonly string[]> {
  const authorization = basicAuthorization(profile.clientId, profile.clientSecret);
  const listing = await http.send({
    method: 'GET',
    url: `${profile.baseUrl}/auth/credentials?accountId=InternalAccount:${randomUUID()}`,
    headers: { accept: 'application/json', authorization },
  });
  reached(profile, listing);
  const probes = await Promise.all(
    DOCUMENTED.map(({ method, path }) =>
      http.send({
        method,
        url: `${profile.baseUrl}${path}`,
        headers: { accept: 'application/json', 'content-type': 'application/json', authorization },
        body: '{}',
      }),
    ),
  );
  const answered = [listing, ...probes];
  if (answered.every((probe) => ABSENT.has(probe.response?.status ?? 0) && !isErrorBody(probe)))
    throw new UsageError(
      `BASE_URL ${profile.baseUrl} answers, but has none of the service's operations: check its path, which ends with the version date, such as /2025-10-13.`,
    );
  const quotes = probes[1] as Exchange;
  if (listing.response?.status === 401 && quotes.response?.status === 401)
    throw new UsageError('The target refuses CLIENT_ID and CLIENT_SECRET (401): check that they belong to this BASE_URL.');
  return /\/\d{4}-\d{2}-\d{2}$/.test(profile.baseUrl)
    ? []
    : [`BASE_URL ${profile.baseUrl} does not end with a version date, such as /2025-10-13.`];
}

function reached(profile: Profile, probe: Exchange): void {
  if (probe.failure !== undefined)
    throw new UsageError(`BASE_URL ${profile.baseUrl} cannot be tested: ${probe.failure}. Check the address, and that the service runs.`);
}

/** A 404 in the service's own words is not the 404 of a wrong path. */
function isErrorBody(probe: Exchange): boolean {
  try {
    const body: unknown = JSON.parse(probe.response?.text ?? '');
    return typeof body === 'object' && body !== null && 'code' in body;
  } catch {
    return false;
  }
}
