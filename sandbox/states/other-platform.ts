import { randomUUID } from 'node:crypto';
import type { State } from '../core/state.ts';
import { platforms } from '../domain/platform.ts';

/** Credentials of a second platform, which owns nothing. */
export const otherPlatformState: State = {
  name: 'other-platform',
  params: {},
  setup(world) {
    const clientId = `other-${randomUUID()}`;
    const clientSecret = randomUUID();
    platforms.put(world, clientId, { kind: 'platform', id: `Platform:${clientId}`, clientId, clientSecret });
    return { clientId, clientSecret };
  },
};
