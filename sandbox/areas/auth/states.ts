import { randomUUID } from 'node:crypto';
import type { State } from '../../server/area.ts';

/** Credentials of a second platform, which owns nothing. */
export const otherPlatformState: State = {
  name: 'other-platform',
  params: {},
  setup(world) {
    const { clientId, clientSecret } = world.rules.registerPlatform(`other-${randomUUID()}`);
    return { clientId, clientSecret };
  },
};

/** Moves the time forward, for one customer or for the whole world. */
export const clockState: State = {
  name: 'clock',
  params: {
    advanceSeconds: { type: 'integer', minimum: 0, maximum: 10 * 366 * 24 * 3600 },
    customerId: { type: 'string' },
  },
  setup(world, params) {
    const customerId = params['customerId'] as string | undefined;
    world.clock.advance(Number(params['advanceSeconds'] ?? 0), customerId);
    world.rules.passTime();
    return {
      now: new Date(world.clock.now(customerId)).toISOString(),
      scope: customerId === undefined ? 'target' : 'customer',
    };
  },
};
