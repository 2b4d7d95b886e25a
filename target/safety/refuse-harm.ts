import { UsageError } from '../usage-error.ts';
import { hostOf, isLoopback, isMeant } from './hosts.ts';
import { looksLikeProduction } from './looks-like-production.ts';

/** What is known of a target that somebody wants to test. */
export interface Declared {
  readonly baseUrl: string;
  readonly statesUrl: string | undefined;
  readonly clientId: string;
  /** `sandbox` where the user declares it to be one. */
  readonly environment: string | undefined;
  /** Hosts that are never tested. */
  readonly denyHosts: readonly string[];
  /** A host that is a sandbox although its name says otherwise. */
  readonly sandboxHost: string | undefined;
}

/**
 * Assay creates customers and moves money, so it runs only where somebody has said that nothing can be harmed. Addresses of
 * this machine need no such word.
 *
 * @throws UsageError that says which word is missing
 */
export function refuseHarm(declared: Declared): void {
  const { baseUrl, statesUrl, clientId, environment, denyHosts } = declared;
  refuseWord(environment);
  // Who is denied is denied whatever else is said.
  for (const address of addresses(baseUrl, statesUrl)) refuseDenied(address, denyHosts);
  for (const address of addresses(baseUrl, statesUrl)) {
    const word = looksLikeProduction(address.url, clientId);
    if (word !== undefined && declared.sandboxHost !== hostOf(address.url))
      throw new UsageError(
        `${address.name} ${address.url} looks like production (${word}), and Assay creates customers and moves money: use a sandbox, or, where this surely is one, say so with SANDBOX_HOST=${hostOf(address.url)} (sandboxHost in the profile).`,
      );
  }
  if (!isLoopback(baseUrl) && environment === undefined)
    throw new UsageError(
      `Nothing says that ${hostOf(baseUrl)} is a sandbox, and Assay creates customers and moves money: where it is one, set ENVIRONMENT=sandbox, or write "environment: sandbox" into the profile.`,
    );
}

/** @throws UsageError for an environment that is no sandbox */
export function refuseWord(environment: string | undefined): void {
  if (environment !== undefined && environment !== 'sandbox')
    throw new UsageError(
      `Assay creates customers and moves money, so it does not run on environment: ${environment}; use a sandbox.`,
    );
}

interface Address {
  readonly name: string;
  readonly url: string;
}

function addresses(baseUrl: string, statesUrl: string | undefined): readonly Address[] {
  return [
    { name: 'BASE_URL', url: baseUrl },
    ...(statesUrl === undefined ? [] : [{ name: 'PROVIDER_STATES_URL', url: statesUrl }]),
  ];
}

function refuseDenied({ name, url }: Address, denyHosts: readonly string[]): void {
  const pattern = denyHosts.find((one) => isMeant(hostOf(url), one));
  if (pattern !== undefined)
    throw new UsageError(
      `${name} ${url} is on the deny list (${pattern}): Assay does not touch it; use another address, or mend DENY_HOSTS or denyHosts in the profile.`,
    );
}
