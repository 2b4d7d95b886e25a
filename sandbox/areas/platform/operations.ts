import type { Route } from '../../server/area.ts';
import { bodyOf, ok } from '../../server/call.ts';
import { configOf } from './records.ts';
import { platformOf } from '../auth/callers.ts';

const fee = { type: ['array', 'object', 'null'] };

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
        feeConfigs: fee,
        cardTokenization2faConfig: { type: 'object' },
        webhookEndpoint: { type: ['string', 'null'], pattern: '^https?://' },
      },
    },
    handle: (call) => call.world.rules.updateConfig(configOf(call.world, platformOf(call).id), bodyOf(call)),
  },
];
