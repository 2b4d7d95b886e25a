import type { Embedded } from '../target/load-profile.ts';

/** Environment variables in which the embedded sandbox announces itself (named groups of the configuration's webServer). */
export const EMBEDDED_ENV = { origin: 'ASSAY_SANDBOX_ORIGIN', world: 'ASSAY_WORLD' } as const;

/** Last path segment of the base URL: the interface version (section Versioning). */
const VERSION = '2025-10-13';
const DEFAULT_WORLD = 'default';
/** Credentials that the sandbox takes unless it is told others. */
const CLIENT_ID = 'sandbox';
const CLIENT_SECRET = 'sandbox-secret';

/**
 * Where the embedded sandbox listens.
 *
 * @param world the sandbox's world; empty for the one that the environment names
 */
export function embeddedFromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  world: string,
): Embedded {
  const origin = env[EMBEDDED_ENV.origin] ?? 'http://127.0.0.1:0';
  const name = world || env[EMBEDDED_ENV.world] || DEFAULT_WORLD;
  return {
    baseUrl: `${origin}/${name}/${VERSION}`,
    statesUrl: `${origin}/${name}/provider-states`,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
  };
}
