import { agentFaults } from './agents/index.ts';
import { authFaults } from './auth.ts';
import { credentialFaults } from './credentials/index.ts';
import { errorFaults } from './errors.ts';
import type { Fault } from './fault.ts';

/** Every planted breach, by area. */
export const faults: readonly Fault[] = [...agentFaults, ...authFaults, ...errorFaults, ...credentialFaults];

const byName = new Map(faults.map((fault) => [fault.name, fault]));

/** The fault of this name, if there is one. */
export function faultNamed(name: string): Fault | undefined {
  return byName.get(name);
}
