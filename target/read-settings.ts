import { NEUTRAL_BRAND } from '../schemas/brand.ts';
import { readDialect } from './dialect/read-dialect.ts';
import {
  type Environment,
  baseUrlOf,
  checkedStatesUrl,
  depthOf,
  refuseUnusableProxies,
  wholeNumber,
} from './environment-variables.ts';
import { readAccepted, readKnownFailures } from './known-list.ts';
import { readProfileFile, type ProfileFile } from './profile-file.ts';
import { type Profile, type Preparation, allCapabilities } from './profile.ts';
import { FixturesFile } from './providers/fixtures-file.ts';
import { declared, isLoopback, refuseHarm, refuseWord } from './safety.ts';
import { UsageError } from './usage-error.ts';
import { workersFor } from './workers.ts';

/** What a run is told from outside, read and checked once before anything starts. */
export interface Settings {
  readonly profile: Profile;
  /** Tests at once, where the target's latency is not known. */
  readonly workers: number;
}

/**
 * Reads every setting and every file that a run will need, so that a mistake in one of them shows before any test.
 *
 * @throws UsageError in one sentence with the fix
 */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  embedded: Embedded,
): Settings {
  const profile = loadProfile(env, embedded);
  readKnownFailures(profile.knownFailures);
  readAccepted(profile);
  if (profile.fixtures) void new FixturesFile(profile.fixtures as string);
  wholeNumber(env, 'SEED', 0, Number.NEGATIVE_INFINITY);
  depthOf(env);
  return { profile, workers: workersFor(env, undefined) };
}

/** Where the embedded sandbox listens; known once it has started. */
export interface Embedded {
  readonly baseUrl: string;
  readonly statesUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * The target of this run, from the environment and from the profile that `PROFILE` names.
 *
 * @param env BASE_URL, CLIENT_ID, CLIENT_SECRET, BRAND, PROFILE, PROVIDER_STATES_URL, PROVIDER_STATES_TOKEN, FIXTURES,
 *   KNOWN_FAILURES, ACCEPTED, SLOW, ENVIRONMENT, SANDBOX_HOST, DENY_HOSTS, MAX_AMOUNT, MAX_REQUESTS, PACE, CONCURRENCY,
 *   WEBHOOK_LISTEN, WEBHOOK_URL
 * @param embedded the sandbox that is tested when there is no base URL
 * @throws UsageError in one sentence with the fix
 */
export function loadProfile(env: Environment, embedded: Embedded): Profile {
  const file = env['PROFILE'] ? readProfileFile(env['PROFILE']) : {};
  const baseUrl = baseUrlOf(env, file);
  const foreign = baseUrl !== undefined;
  const statesUrl =
    checkedStatesUrl(env['PROVIDER_STATES_URL']) ??
    checkedStatesUrl(file.providerStatesUrl, "The profile's providerStatesUrl") ??
    (foreign ? undefined : embedded.statesUrl);
  if (foreign) refuseUnusableProxies(env);
  const fixtures = env['FIXTURES'] || file.fixtures;
  const token = env['PROVIDER_STATES_TOKEN'];
  const keys = credentials(env, foreign, embedded);
  if (foreign) refuseHarm(declared(env, file, { baseUrl, statesUrl, clientId: keys.clientId }));
  else refuseWord(env['ENVIRONMENT'] || file.environment);
  return {
    name: file.name ?? (foreign ? new URL(baseUrl).host : 'Assay sandbox'),
    baseUrl: baseUrl ?? embedded.baseUrl,
    brand: checkedBrand(env['BRAND'] || (file.brand ?? NEUTRAL_BRAND)),
    embedded: !foreign,
    ...keys,
    ...readManners(env, file, foreign && !isLoopback(baseUrl)),
    cleanUp: { Agent: 'DELETE /agents/{id}', ...file.cleanUp },
    capabilities: capabilities(file),
    preparation: preparation(file, statesUrl, fixtures),
    ...(statesUrl ? { providerStates: { url: statesUrl, ...(token ? { token } : {}) } } : {}),
    ...(fixtures ? { fixtures } : {}),
    ...optional('knownFailures', env['KNOWN_FAILURES'] || file.knownFailures),
    ...optional('accepted', env['ACCEPTED'] || file.accepted),
    clock: file.clock ?? (foreign ? 'target' : 'customer'),
    slow: env['SLOW'] ? /^(1|true|yes)$/i.test(env['SLOW']) : (file.slow ?? false),
    requestTimeoutMs: file.requestTimeoutMs ?? 10_000,
    currency: file.currency ?? 'USD',
    gate: { should: 'allow', ...file.gate },
    ...readDialect(file.dialect),
    // The sandbox that Assay ships is known.
    ...(foreign ? {} : { vouchedFor: 'all' as const }),
  };
}

function credentials(
  env: Environment,
  foreign: boolean,
  embedded: Embedded,
): { clientId: string; clientSecret: string } {
  if (!foreign) return { clientId: embedded.clientId, clientSecret: embedded.clientSecret };
  const missing = ['CLIENT_ID', 'CLIENT_SECRET'].filter((name) => !env[name]);
  if (missing.length > 0)
    throw new UsageError(
      `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set: BASE_URL needs the platform's client id and client secret.`,
    );
  return { clientId: env['CLIENT_ID'] as string, clientSecret: env['CLIENT_SECRET'] as string };
}

function checkedBrand(brand: string): string {
  if (/^[A-Za-z][A-Za-z0-9]*$/.test(brand)) return brand;
  throw new UsageError('BRAND must be one word of letters and digits, such as Acme.');
}

function capabilities(file: ProfileFile): readonly string[] {
  return (file.capabilities ?? allCapabilities()).filter((name) => !file.without?.includes(name));
}

function preparation(
  file: ProfileFile,
  statesUrl: string | undefined,
  fixtures: string | undefined,
): Preparation {
  const chosen = file.preparation ?? (statesUrl ? 'provider-states' : 'public-calls');
  if (chosen === 'provider-states' && !statesUrl)
    throw new UsageError(
      'The profile asks for preparation: provider-states, but PROVIDER_STATES_URL is not set.',
    );
  if (chosen === 'fixtures' && !fixtures)
    throw new UsageError(
      'The profile asks for preparation: fixtures, but names no fixtures file (fixtures: or FIXTURES).',
    );
  return chosen;
}

function optional<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  return value ? ({ [key]: value } as Record<K, string>) : {};
}

/** Bounds for a target elsewhere of which nobody has named any: more than any check needs. Smallest unit; requests. */
const REMOTE_CAPS = { amount: 1_000_000_000, requests: 30_000 };
const RATE_LIMIT = { longestSeconds: 35, budgetSeconds: 120 };

/**
 * How much a target takes, and how it is met.
 *
 * @param isRemote true where it is not on this machine
 * @throws UsageError for a number that is none, or an address that is none
 */
function readManners(
  env: Environment,
  file: ProfileFile,
  isRemote: boolean,
): Pick<Profile, 'caps' | 'manners' | 'rateLimit' | 'webhooks' | 'eventLog'> {
  const pace = env['PACE'] ? positive('PACE', env['PACE']) : file.pace;
  const concurrency = wholeNumber(env, 'CONCURRENCY', file.concurrency ?? 0, 1) || undefined;
  const caps = { ...(isRemote ? REMOTE_CAPS : {}), ...file.caps };
  if (file.eventLog && (env['WEBHOOK_LISTEN'] || file.webhookListen))
    throw new UsageError(
      'The profile has eventLog, and webhookListen is set too: events are either read or received, so remove one of them.',
    );
  return {
    caps: {
      amount: wholeNumber(env, 'MAX_AMOUNT', caps.amount ?? 0, 1) || undefined,
      requests: wholeNumber(env, 'MAX_REQUESTS', caps.requests ?? 0, 1) || undefined,
    },
    ...(pace === undefined && concurrency === undefined ? {} : { manners: { pace, concurrency } }),
    rateLimit: { ...RATE_LIMIT, ...file.rateLimit },
    ...(file.eventLog ? { eventLog: file.eventLog } : {}),
    ...webhooks(env['WEBHOOK_LISTEN'] || file.webhookListen, env['WEBHOOK_URL'] || file.webhookUrl),
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 10_000) return value;
  throw new UsageError(`${name} must be a number above 0, up to 10000, not "${text}".`);
}

function webhooks(listen: string | undefined, url: string | undefined): Pick<Profile, 'webhooks'> {
  if (listen === undefined && url === undefined) return {};
  if (listen === undefined)
    throw new UsageError(
      'WEBHOOK_URL is set, but WEBHOOK_LISTEN is not: say where this machine listens, such as WEBHOOK_LISTEN=0.0.0.0:8085.',
    );
  const [, host, port] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(listen) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw new UsageError(`WEBHOOK_LISTEN must be host:port, such as 0.0.0.0:8085, not "${listen}".`);
  const address = url ?? `http://${listen}`;
  if (!URL.canParse(address) || !/^https?:/.test(address))
    throw new UsageError('WEBHOOK_URL is not a URL: write it like https://tunnel.example/events.');
  return {
    webhooks: { host: host.replace(/^\[|\]$/g, ''), port: Number(port), url: address.replace(/\/+$/, '') },
  };
}
