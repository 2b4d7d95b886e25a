import { NEUTRAL_BRAND } from '../schemas/brand.ts';
import { allCapabilities } from './capabilities.ts';
import { readDialect } from './dialect/read-dialect.ts';
import { readProfileFile, type ProfileFile } from './profile-file.ts';
import type { Preparation, Profile } from './profile.ts';
import { declared } from './safety/declared.ts';
import { isLoopback } from './safety/hosts.ts';
import { refuseHarm, refuseWord } from './safety/refuse-harm.ts';
import { readManners } from './read-manners.ts';
import { baseUrlOf, checkedStatesUrl, type Environment } from './target-urls.ts';
import { UsageError } from './usage-error.ts';

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
  const chosen = file.preparation ?? (statesUrl ? 'provider-states' : fixtures ? 'fixtures' : 'public-calls');
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
