import { accountFaults } from './accounts.ts';
import { agentFaults } from './agents/index.ts';
import { authFaults } from './auth.ts';
import { conventionFaults } from './conventions.ts';
import { credentialFaults } from './credentials/index.ts';
import { customerFaults } from './customers.ts';
import { errorFaults } from './errors.ts';
import { eventFaults } from './events.ts';
import type { Fault } from './fault.ts';
import { limitFaults } from './limits.ts';
import { platformFaults } from './platform.ts';
import { quoteFaults } from './quotes/index.ts';
import { scaFaults } from './sca/index.ts';

/** Every planted breach, by area. */
export const faults: readonly Fault[] = [
  ...agentFaults,
  ...authFaults,
  ...errorFaults,
  ...credentialFaults,
  ...quoteFaults,
  ...scaFaults,
  ...limitFaults,
  ...accountFaults,
  ...customerFaults,
  ...platformFaults,
  ...eventFaults,
  ...conventionFaults,
];

const byName = new Map(faults.map((fault) => [fault.name, fault]));

/** The fault of this name, if there is one. */
export function faultNamed(name: string): Fault | undefined {
  return byName.get(name);
}
