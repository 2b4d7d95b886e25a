import type { PlaywrightTestConfig } from '@playwright/test';
import type { Embedded } from '../../target/read-settings.ts';

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

/** Starts the embedded sandbox on a free port, and hands its origin to the tests (see embeddedFromEnvironment). */
const sandboxServer = {
  command: 'node --disable-warning=ExperimentalWarning sandbox/bundled.js --port 0',
  wait: { stdout: /listening on (?<assay_sandbox_origin>https?:\/\/[^/\s]+)/ },
  gracefulShutdown: { signal: 'SIGTERM', timeout: 2_000 },
  timeout: 20_000,
} as const satisfies PlaywrightTestConfig['webServer'];

/** The same under a brand of its own. @param brand one word of letters and digits */
export function sandboxServerOf(brand: string): NonNullable<PlaywrightTestConfig['webServer']> {
  const word = brand.charAt(0).toUpperCase() + brand.slice(1);
  return { ...sandboxServer, command: `${sandboxServer.command} --brand ${word}` };
}
