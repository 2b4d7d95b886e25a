import { Agent, Pool, ProxyAgent, type Dispatcher } from 'undici';

/** A proxy that the environment names. */
export interface Proxy {
  /** With its password, where it has one: never shown. */
  readonly url: string;
  /** Host and port. */
  readonly host: string;
  /** Which variable names it. */
  readonly variable: string;
}

/** Variables by protocol, the first that is set; https goes by the other's where it has none of its own. */
const VARIABLES = { http: ['http_proxy', 'HTTP_PROXY'], https: ['https_proxy', 'HTTPS_PROXY'] } as const;
/** Only this machine knows whom these mean, so no proxy is asked for them; hosts below localhost are among them. */
const OWN = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The proxy on the way to an address, or undefined where it is reached directly. Read as undici's EnvHttpProxyAgent does,
 * which tells nobody whom it has chosen; addresses of this machine are never asked of a proxy.
 *
 * @throws TypeError where the variable holds no URL
 */
export function proxyFor(address: string, env: NodeJS.ProcessEnv = process.env): Proxy | undefined {
  const { protocol, host, port } = new URL(address);
  const own = protocol === 'https:' ? firstSet(env, VARIABLES.https) : undefined;
  const variable = own ?? firstSet(env, VARIABLES.http);
  const isDirect = isExcepted(
    host.replace(/:\d*$/, ''),
    Number(port || (protocol === 'https:' ? 443 : 80)),
    env,
  );
  if (variable === undefined || isDirect) return undefined;
  const url = env[variable]!;
  return { url, host: new URL(url).host, variable };
}

/** The variables that name a proxy. */
export function proxyVariables(env: NodeJS.ProcessEnv = process.env): readonly string[] {
  return Object.values(VARIABLES).flatMap((names) => firstSet(env, names) ?? []);
}

/** An empty one hides the next. */
function firstSet(env: NodeJS.ProcessEnv, names: readonly string[]): string | undefined {
  const name = names.find((each) => env[each] !== undefined);
  return name !== undefined && env[name] !== '' ? name : undefined;
}

function isExcepted(host: string, port: number, env: NodeJS.ProcessEnv): boolean {
  const said = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  if (said === '*') return true;
  return [...said.split(/[,\s]/), ...OWN].some((entry) => {
    const [, name = entry, only] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const wanted = name.replace(/^\*?\./, '').toLowerCase();
    if (wanted === '' || (only !== undefined && Number(only) !== port)) return false;
    return host === wanted || host.endsWith(`.${wanted}`);
  });
}

/** Connections to everybody: direct ones, and those through a proxy of the environment. */
export class Connections {
  readonly #options: Agent.Options;
  readonly #direct: Agent;
  readonly #proxied = new Map<string, ProxyAgent>();

  constructor(options: Agent.Options) {
    this.#options = options;
    this.#direct = new Agent(options);
  }

  /** @param proxy as `proxyFor` names it */
  through(proxy: Proxy | undefined): Dispatcher {
    if (proxy === undefined) return this.#direct;
    const known = this.#proxied.get(proxy.url);
    if (known) return known;
    // Plain http is asked in the absolute form: many proxies tunnel to port 443 alone.
    const options = { ...this.#options, uri: proxy.url, proxyTunnel: false };
    const agent = new ProxyAgent({
      ...options,
      factory: (origin, own: object) => new Pool(origin, { ...this.#options, ...own }),
    });
    this.#proxied.set(proxy.url, agent);
    return agent;
  }

  /** Requests under way fail. */
  async destroy(): Promise<void> {
    await Promise.all([this.#direct, ...this.#proxied.values()].map((each) => each.destroy()));
  }
}
