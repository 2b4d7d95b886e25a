import { accessFaults, refusingFaults } from './agents/access.ts';
import { actionFieldFaults } from './agents/action-fields.ts';
import { referenceFaults, textFaults, amountFaults, transferFieldFaults } from './agents/bodies.ts';
import { decisionFaults, executionFaults } from './agents/decisions.ts';
import { idempotencyFaults } from './agents/idempotency.ts';
import { fullRequestFaults, approvalNeededFaults, policyFaults } from './agents/policy.ts';
import { brokenFaults, keptAnswerFaults, raceFaults, surroundingsFaults } from './calls.ts';
import { authFaults, conventionFaults, errorFaults } from './conventions.ts';
import { oauthFaults, otpFaults } from './credentials/logins.ts';
import { passkeyFaults } from './credentials/passkey.ts';
import { listingFaults, registrationFaults } from './credentials/registration.ts';
import { retryFaults, stampFaults } from './credentials/retry.ts';
import { otherPathFaults, sessionFaults } from './credentials/sessions.ts';
import { loginShapeFaults, shapeFaults } from './credentials/shapes.ts';
import { accountFaults, limitFaults, customerFaults } from './customers.ts';
import { eachFaults } from './each.ts';
import { eventFaults, platformFaults } from './platform.ts';
import { agentQuoteFaults } from './quotes/agents.ts';
import { quotePartFaults, quoteFieldFaults } from './quotes/fields.ts';
import { quoteFlowFaults } from './quotes/flow.ts';
import { receivedSideFaults, quoteRefusalFaults } from './quotes/refusals.ts';
import { scaFieldFaults, scaFlowFaults } from './sca.ts';
import type { Fault } from './fault.ts';

/** Every planted breach, by area. */
export const faults: readonly Fault[] = [
  ...refusingFaults,
  ...fullRequestFaults,
  ...policyFaults,
  ...approvalNeededFaults,
  ...referenceFaults,
  ...textFaults,
  ...amountFaults,
  ...idempotencyFaults,
  ...decisionFaults,
  ...executionFaults,
  ...accessFaults,
  ...actionFieldFaults,
  ...transferFieldFaults,
  ...authFaults,
  ...brokenFaults,
  ...keptAnswerFaults,
  ...errorFaults,
  ...registrationFaults,
  ...listingFaults,
  ...otpFaults,
  ...oauthFaults,
  ...passkeyFaults,
  ...retryFaults,
  ...stampFaults,
  ...sessionFaults,
  ...otherPathFaults,
  ...shapeFaults,
  ...loginShapeFaults,
  ...quoteFieldFaults,
  ...quotePartFaults,
  ...quoteFlowFaults,
  ...quoteRefusalFaults,
  ...receivedSideFaults,
  ...agentQuoteFaults,
  ...scaFieldFaults,
  ...scaFlowFaults,
  ...limitFaults,
  ...accountFaults,
  ...customerFaults,
  ...platformFaults,
  ...eventFaults,
  ...conventionFaults,
  ...surroundingsFaults,
  ...raceFaults,
  ...eachFaults,
];

const byName = new Map(faults.map((fault) => [fault.name, fault]));

/** The fault of this name, if there is one. */
export function faultNamed(name: string): Fault | undefined {
  return byName.get(name);
}
