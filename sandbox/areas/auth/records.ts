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
