import { expect, test } from '@playwright/test';
import type { Profile } from '../../target/profile.ts';
import { waitingWorkers } from '../../target/workers.ts';

const SLOW = { slow: true, clock: 'target', preparation: 'public-calls', embedded: false } as Profile;

for (const [when, profile, env, workers] of [
  ['nobody can move the clock', SLOW, {}, 16],
  ['the profile says that nobody can', { ...SLOW, preparation: 'provider-states', clock: 'none' }, {}, 16],
  ['a state moves the clock', { ...SLOW, preparation: 'provider-states' }, {}, 0],
  ['waiting is not allowed', { ...SLOW, slow: false }, {}, 0],
  ['WORKERS says how many there are', SLOW, { WORKERS: '4' }, 0],
] as const)
  test(`${workers} more workers wait for real time where ${when}`, () => {
    expect(waitingWorkers(profile as Profile, env)).toBe(workers);
  });
