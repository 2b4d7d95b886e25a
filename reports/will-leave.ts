import type { Suite } from '@playwright/test/reporter';
import { embeddedFromEnvironment } from '../suite/embedded-sandbox.ts';
import { depthOf } from '../target/environment-variables.ts';
import { loadProfile } from '../target/read-settings.ts';
import { specOf, willLeave } from '../target/states/will-leave.ts';
import { ownOutput } from './command-line.ts';

/** Before the first test: what those that were chosen will leave on a target of one's own, and how it would be less. */
export function tellWhatWillBeLeft(suite: Suite): void {
  const profile = loadProfile(process.env, embeddedFromEnvironment(process.env, ''));
  if (profile.embedded || process.argv.includes('merge-reports')) return;
  const chosen: Record<string, number> = {};
  for (const { location } of suite.allTests()) {
    const file = specOf(location.file);
    chosen[file] = (chosen[file] ?? 0) + 1;
  }
  for (const line of willLeave(chosen, profile, depthOf() === 'quick')) ownOutput().write(`${line}\n`);
}
