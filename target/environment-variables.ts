import { proxyVariables } from '../client/http/proxies.ts';
import type { ProfileFile } from './profile-file.ts';
import { UsageError } from './usage-error.ts';

/** Variables by name, as in process.env. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A whole number from an environment variable; unset and empty give the default.
 *
 * @throws UsageError when it is anything else, or less than `least`
 */
export function wholeNumber(env: Environment, name: string, otherwise: number, least: number): number {
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
export function depthOf(env: Environment = process.env): Depth {
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
export function healthReadFrom(env: Environment): HealthRead | undefined {
  const text = env[HEALTH_READ_ENV];
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as HealthRead);
}

/** What stands in the place of an address for the sandbox that Assay ships. */
const EMBEDDED = 'embedded';
/** Variables that speak of a target of one's own. */
const OF_A_TARGET = [
  'CLIENT_ID',
  'CLIENT_SECRET',
  'PROVIDER_STATES_URL',
  'PROVIDER_STATES_TOKEN',
  'FIXTURES',
] as const;

/**
 * The target's base URL without a slash at its end, or undefined for the embedded sandbox.
 *
 * @throws UsageError when it is no usable address, or when something else speaks of a target and no address does: a
 *   forgotten variable of a pipeline must not turn into a green run on our own sandbox
 */
export function baseUrlOf(env: Environment, file: ProfileFile): string | undefined {
  const fromEnv = env['BASE_URL'] !== undefined;
  const value = (env['BASE_URL'] ?? file.baseUrl)?.trim();
  if (value === '')
    throw new UsageError(
      "BASE_URL is empty: give it the service's address, or unset it to test the embedded sandbox.",
    );
  if (value !== undefined && value !== EMBEDDED)
    return checkedUrl(
      fromEnv ? 'BASE_URL' : "The profile's baseUrl",
      value,
      'https://host/path/2025-10-13',
      ': put them into CLIENT_ID and CLIENT_SECRET',
    );
  refuseForgotten(env, value === undefined ? 'BASE_URL is not' : `the base URL is "${EMBEDDED}"`);
  if (value === undefined && env['PROFILE'])
    throw new UsageError(
      `The profile ${env['PROFILE']} names no baseUrl: add one, set BASE_URL, or write "baseUrl: ${EMBEDDED}" to test the embedded sandbox.`,
    );
  const mixed = (['providerStatesUrl', 'fixtures'] as const).find((key) => file[key] !== undefined);
  if (mixed)
    throw new UsageError(
      `The profile has ${mixed}, but the embedded sandbox prepares itself: remove it, or set BASE_URL to the service's address.`,
    );
  return undefined;
}

/**
 * @param name how messages call it
 * @throws UsageError when the provider-states URL is no usable address
 */
export function checkedStatesUrl(
  value: string | undefined,
  name = 'PROVIDER_STATES_URL',
): string | undefined {
  return value
    ? checkedUrl(
        name,
        value,
        'https://host/path/provider-states',
        ': put a bearer token into PROVIDER_STATES_TOKEN',
      )
    : undefined;
}

/** @throws UsageError when a proxy's variable cannot be used; what it holds may be a secret, and is not shown */
export function refuseUnusableProxies(env: Environment): void {
  for (const name of proxyVariables(env)) {
    const url = URL.canParse(env[name]!) ? new URL(env[name]!) : undefined;
    if ((url?.protocol !== 'http:' && url?.protocol !== 'https:') || !isDecodable(url))
      throw new UsageError(
        `${name} is not the URL of a proxy: write it like http://proxy.example:3128, or http://name:password@proxy.example:3128 with what is special in them as %xx.`,
      );
  }
}

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

function refuseForgotten(env: Environment, address: string): void {
  const set = OF_A_TARGET.filter((name) => env[name]);
  if (set.length === 0) return;
  const names = new Intl.ListFormat('en').format(set);
  const [verb, them] = set.length > 1 ? ['are', 'them'] : ['is', 'it'];
  throw new UsageError(
    `${names} ${verb} set, but ${address}: set BASE_URL to the service's address, or unset ${them} to test the embedded sandbox.`,
  );
}

function checkedUrl(name: string, value: string, example: string, instead: string): string {
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    throw new UsageError(`${name} is not a URL: write it like ${example}.`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UsageError(`${name} must start with http:// or https://, not ${url.protocol}//.`);
  if (url.username || url.password) throw new UsageError(`${name} carries credentials${instead}.`);
  if (url.search || url.hash) throw new UsageError(`${name} must end with its path, without ? or #.`);
  return url.href.replace(/\/+$/, '');
}
