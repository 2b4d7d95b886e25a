import type { Json } from '../../server/json.ts';
import { Table } from '../../world/table.ts';
import type { World } from '../../world/world.ts';

/** A platform's share of the price. */
export interface PlatformFee {
  readonly basisPoints: number;
  /** Smallest unit of the sending currency. */
  readonly fixed: bigint;
}

/** Settings of one platform, as it sent them. */
export interface PlatformConfig {
  readonly platformId: string;
  feeConfigs: Json;
  fee: PlatformFee;
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
      fee: { basisPoints: 0, fixed: 0n },
      cardTokenization2faConfig: { enabled: false },
      webhookEndpoint: null,
    })
  );
}
