import type { Json } from '../../server/json.ts';
import { Table } from '../../world/table.ts';
import type { World } from '../../world/world.ts';

/** A business that calls the service with a client id and a client secret. */
export interface Platform {
  readonly kind: 'platform';
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Platforms by client id, besides the one that every world has. */
export const platforms = new Table<Platform>();

/** The platform whose credentials are printed when the sandbox starts. */
export function mainPlatform(world: World): Platform {
  const { clientId, clientSecret } = world.config;
  return (
    platforms.get(world, clientId) ??
    platforms.put(world, clientId, { kind: 'platform', id: 'Platform:main', clientId, clientSecret })
  );
}

/** A platform's share of the price. */
export interface PlatformFee {
  readonly basisPoints: number;
  /** Smallest unit of the sending currency. */
  readonly fixed: bigint;
}

/** How requests say it: what the interface leaves open, in one spelling. Whole basis points, smallest unit. */
export const feeSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    variableFeeBps: { type: 'integer', minimum: 0, maximum: 10_000 },
    fixedFee: { type: 'integer', minimum: 0, maximum: 1e15 },
  },
};

/** Settings of one platform. */
export interface PlatformConfig {
  readonly platformId: string;
  /** As it sent them. */
  feeConfigs: Json;
  /** What they mean, by the currency of the source. */
  readonly fees: Map<string, PlatformFee>;
  cardTokenization2faConfig: Json;
  webhookEndpoint: string | null;
}

const configs = new Table<PlatformConfig>();

export function configOf(world: World, platformId: string): PlatformConfig {
  return (
    configs.get(world, platformId) ??
    configs.put(world, platformId, {
      platformId,
      feeConfigs: [],
      fees: new Map(),
      cardTokenization2faConfig: { enabled: false },
      webhookEndpoint: null,
    })
  );
}

/** The fee for a source in this currency; none is zero. */
export function feeFor({ fees }: PlatformConfig, currency: string): PlatformFee {
  let fee = fees.get(currency);
  if (!fee) fees.set(currency, (fee = { basisPoints: 0, fixed: 0n }));
  return fee;
}
