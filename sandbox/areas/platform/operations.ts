import { type Reply, type Route, bodyOf, ok } from '../../server/area.ts';
import type { World } from '../../world/world.ts';
import { platformOf } from '../auth/callers.ts';
import { configOf, feeSchema, type PlatformConfig } from './records.ts';

const feeConfig = {
  ...feeSchema,
  required: ['sourceCurrency'],
  properties: {
    ...feeSchema.properties,
    sourceCurrency: { type: 'string', pattern: '^[A-Z0-9]{3,12}$' },
  },
};

/** Settings of a platform. */
export const configRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/config',
    auth: 'platform',
    handle: (call) => ok(call.world.rules.presentConfig(configOf(call.world, platformOf(call).id))),
  },
  {
    method: 'PATCH',
    path: '/config',
    auth: 'platform',
    body: {
      type: 'object',
      properties: {
        feeConfigs: { type: 'array', items: feeConfig },
        cardTokenization2faConfig: { type: 'object' },
        webhookEndpoint: { type: ['string', 'null'], pattern: '^https?://' },
      },
    },
    handle(call) {
      const { rules } = call.world;
      const config = configOf(call.world, platformOf(call).id);
      rules.updateConfig(config, bodyOf(call));
      return rules.presentUpdatedConfig(config);
    },
  },
];

/** The answer to an update. */
export function presentUpdatedConfig(world: World, config: PlatformConfig): Reply {
  return ok(world.rules.presentConfig(config));
}
