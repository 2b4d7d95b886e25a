import { areas } from './areas/index.ts';
import { registerPages } from './pages/pages.ts';
import { warmUp } from './server/contract-schemas.ts';
import { createServer, VERSION } from './server/server.ts';
import type { WorldConfig } from './world/world.ts';
import { planted, Worlds, type Around } from './worlds.ts';

export interface SandboxOptions extends Partial<WorldConfig> {
  /** 0 or absent: any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Bearer token that the provider states ask for; absent: none. */
  readonly statesToken?: string;
  /** More replacements for a world, around those that its name means: to watch its behaviour, or to mutate it. */
  readonly around?: Around;
  /** Takes one line for each request; absent: nobody reads them. */
  readonly log?: (line: string) => void;
}

/** A running sandbox. */
export interface Sandbox {
  /** Base URL of the default world. */
  readonly url: string;
  /** Scheme, host and port; the page that explains the sandbox. */
  readonly origin: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Base URL of a world; see worlds.ts for the names. */
  readonly baseUrl: (world?: string) => string;
  /** Provider states of a world. */
  readonly statesUrl: (world?: string) => string;
  /** Drops a world with all its records. */
  readonly forget: (world: string) => void;
  readonly close: () => Promise<void>;
}

/** Starts the reference service in this process. @throws Error with the code EADDRINUSE when the port is taken */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', statesToken } = options;
  const config: WorldConfig = {
    clientId: options.clientId ?? 'sandbox',
    clientSecret: options.clientSecret ?? 'sandbox-secret',
    brand: options.brand ?? 'Service',
    latency: options.latency ?? 0,
    bodyLimit: options.bodyLimit ?? 1024 * 1024,
  };
  const worlds = new Worlds(config, options.around);
  const server = createServer({ areas, worlds, statesToken, log: options.log });
  registerPages(server, {
    areas,
    clientId: config.clientId,
    clientSecret: config.clientSecret,
    statesNeedToken: statesToken !== undefined,
    ...planted,
  });
  const origin = await server.listen({ port, host });
  // Not waited for: whoever started the sandbox learns its address at once.
  setImmediate(warmUp);
  const baseUrl = (world = 'default') => `${origin}/${world}/${VERSION}`;
  return {
    url: baseUrl(),
    origin,
    clientId: config.clientId,
    clientSecret: config.clientSecret,
    baseUrl,
    statesUrl: (world = 'default') => `${origin}/${world}/provider-states`,
    forget: (world) => worlds.forget(world),
    async close() {
      worlds.end();
      await server.close();
    },
  };
}
