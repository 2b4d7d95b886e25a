import type { Given, Platform, StateRequest, Answer, Need } from '../../suite/index.ts';

/** Values of the state `platform-config`: bodies of PATCH /config for a platform of its own. */
export interface Config {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly variable: object;
  readonly fixed: object;
  readonly both: object;
  readonly none: object;
  readonly cardTokenization2fa: object;
}

/** Values of the state `stablecoin`. */
export interface Stablecoin {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly providerAccountIds: readonly string[];
  readonly unknownProviderAccountId?: string;
  readonly register: Readonly<Record<string, unknown>>;
  readonly mint: object;
  readonly burn: object;
  readonly stablecoinId?: string;
  readonly operations?: StateRequest;
}

/** A platform of its own, whose configuration may be changed, with bodies for it. */
export async function configured(given: Given): Promise<{ platform: Platform; values: Config }> {
  const values = await given.state<Config>('platform-config', {}, ['fixed', 'none']);
  return { platform: given.ownPlatform(values), values };
}

/** A platform of its own with stablecoin provider accounts. */
export async function issuer(
  given: Given,
  params: object = {},
): Promise<{ platform: Platform; values: Stablecoin }> {
  const values = await given.state<Stablecoin>('stablecoin', params, ['register', 'providerAccountIds']);
  const { register, mint, burn } = values;
  const bodies = { register: bodyIn(register), mint: bodyIn(mint), burn: bodyIn(burn) };
  return { platform: given.ownPlatform(values), values: { ...values, ...bodies } };
}

/** The body alone, where a state gives a whole request. */
function bodyIn<T extends object>(given: T): T {
  const { method, path, body } = (given as Partial<StateRequest> | undefined) ?? {};
  return method !== undefined && path !== undefined ? ((body ?? {}) as T) : given;
}

/** POST /stablecoins */
export function register(
  platform: Platform,
  values: Stablecoin,
  label: string,
  providerAccountId?: string,
): Promise<Answer> {
  const named = providerAccountId === undefined ? {} : { stablecoinProviderAccountId: providerAccountId };
  return platform.call('registerStablecoin', { label, body: { ...values.register, ...named } });
}

/** The id of a registered stablecoin; its answer is not shown. */
export function stablecoinIn(answer: Answer, need: Need): string {
  const id: unknown = (answer.body as { id?: unknown } | undefined)?.id;
  return need.offered(
    typeof id === 'string' ? id : undefined,
    'the registration shows no id that could be recognised',
  );
}

/** POST /stablecoins/{stablecoinId}/mints or …/burns */
export function issue(
  platform: Platform,
  kind: 'mint' | 'burn',
  stablecoinId: string,
  body: object,
): Promise<Answer> {
  return platform.call(kind === 'mint' ? 'mintStablecoin' : 'burnStablecoin', {
    label: `the platform asks for a ${kind}`,
    path: { stablecoinId },
    body,
  });
}
