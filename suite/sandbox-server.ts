import type { PlaywrightTestConfig } from '@playwright/test';

/** Starts the embedded sandbox on a free port, and hands its origin to the tests (see suite/embedded.ts). */
export const sandboxServer = {
  command: 'node --disable-warning=ExperimentalWarning --import tsx sandbox/main.ts --port 0',
  wait: { stdout: /listening on (?<assay_sandbox_origin>https?:\/\/[^/\s]+)/ },
  gracefulShutdown: { signal: 'SIGTERM', timeout: 2_000 },
  timeout: 20_000,
} as const satisfies PlaywrightTestConfig['webServer'];

/** The same under a brand of its own. @param brand one word of letters and digits */
export function sandboxServerOf(brand: string): NonNullable<PlaywrightTestConfig['webServer']> {
  const word = brand.charAt(0).toUpperCase() + brand.slice(1);
  return { ...sandboxServer, command: `${sandboxServer.command} --brand ${word}` };
}
