import type { Answer, Need, Platform } from '../../../suite/index.ts';
import type { Stablecoin } from './own.ts';

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
