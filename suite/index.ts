/** What a spec imports. */
export { test } from './test.ts';
export { expect } from './matchers.ts';
export { verifies } from './verifies.ts';
export { explore } from './explore.ts';
export { ORDINARY_AMOUNT } from './api/agent.ts';
export type { Answer } from './answer.ts';
export type { Agent } from './api/agent.ts';
export { movesClock } from './clock.ts';
export { eventually } from './eventually.ts';
export type { Need } from './need.ts';
export type { Given } from './given.ts';
export type { Platform } from './api/platform.ts';
export type { Profile } from '../target/profile.ts';
