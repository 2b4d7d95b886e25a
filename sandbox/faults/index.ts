import { accessFaults } from './agents/access.ts';
import { actionFieldFaults } from './agents/action-fields.ts';
import { bodyFaults } from './agents/bodies.ts';
import { decisionFaults } from './agents/decisions.ts';
import { idempotencyFaults } from './agents/idempotency.ts';
import { policyFaults } from './agents/policy.ts';
import { policyAfterwardsFaults } from './agents/policy-afterwards.ts';
import { callFaults } from './calls.ts';
import { conventionFaults } from './conventions.ts';
import { loginFaults } from './credentials/logins.ts';
import { passkeyFaults } from './credentials/passkey.ts';
import { refusedRetryFaults } from './credentials/refused-retries.ts';
import { registrationFaults } from './credentials/registration.ts';
import { retryFaults } from './credentials/retry.ts';
import { sessionFaults } from './credentials/sessions.ts';
import { shapeFaults } from './credentials/shapes.ts';
import { customerFaults } from './customers.ts';
import { eachFaults } from './each.ts';
import { laterTimesFaults } from './later-times.ts';
import { platformFaults } from './platform.ts';
import { agentQuoteFaults } from './quotes/agents.ts';
import { quoteFieldFaults } from './quotes/fields.ts';
import { quoteFlowFaults } from './quotes/flow.ts';
import { quoteRefusalFaults } from './quotes/refusals.ts';
import { refusedFaults } from './refused.ts';
import { scaFaults } from './sca.ts';
import type { Fault } from './fault.ts';

/** Every planted breach, by area. */
export const faults: readonly Fault[] = [
  accessFaults,
  policyFaults,
  policyAfterwardsFaults,
  bodyFaults,
  idempotencyFaults,
  decisionFaults,
  actionFieldFaults,
  conventionFaults,
  callFaults,
  registrationFaults,
  loginFaults,
  passkeyFaults,
  retryFaults,
  refusedRetryFaults,
  sessionFaults,
  shapeFaults,
  quoteFieldFaults,
  quoteFlowFaults,
  quoteRefusalFaults,
  agentQuoteFaults,
  scaFaults,
  customerFaults,
  platformFaults,
  eachFaults,
  laterTimesFaults,
  refusedFaults,
].flat();

const byName = new Map(faults.map((fault) => [fault.name, fault]));

/** The fault of this name, if there is one. */
export function faultNamed(name: string): Fault | undefined {
  return byName.get(name);
}
