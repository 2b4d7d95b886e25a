import { accountFaults, limitFaults } from './accounts.ts';
import { accessFaults, refusingFaults } from './agents/access.ts';
import { referenceFaults, textFaults } from './agents/accounts-and-texts.ts';
import { actionFieldFaults } from './agents/action-fields.ts';
import { amountFaults, transferFieldFaults } from './agents/amounts.ts';
import { decisionFaults, executionFaults } from './agents/decisions.ts';
import { fullRequestFaults } from './agents/full-requests.ts';
import { idempotencyFaults } from './agents/idempotency.ts';
import { approvalNeededFaults, policyFaults } from './agents/policy.ts';
import { brokenFaults } from './broken.ts';
import { authFaults, conventionFaults } from './conventions.ts';
import { keptAnswerFaults } from './kept-answers.ts';
import { listingFaults } from './credentials/listing.ts';
import { loginShapeFaults } from './credentials/login-shapes.ts';
import { oauthFaults } from './credentials/oauth.ts';
import { otpFaults } from './credentials/otp.ts';
import { otherPathFaults } from './credentials/other-paths.ts';
import { passkeyFaults } from './credentials/passkey.ts';
import { registrationFaults } from './credentials/registration.ts';
import { retryFaults } from './credentials/retry.ts';
import { sessionFaults } from './credentials/sessions.ts';
import { shapeFaults } from './credentials/shapes.ts';
import { stampFaults } from './credentials/stamps.ts';
import { customerFaults } from './customers.ts';
import { errorFaults } from './errors.ts';
import { eventFaults } from './events.ts';
import type { Fault } from './fault.ts';
import { platformFaults } from './platform.ts';
import { agentQuoteFaults } from './quotes/agents.ts';
import { quoteFlowFaults } from './quotes/flow.ts';
import { quotePartFaults } from './quotes/part-fields.ts';
import { quoteFieldFaults } from './quotes/quote-fields.ts';
import { receivedSideFaults } from './quotes/received.ts';
import { quoteRefusalFaults } from './quotes/refusals.ts';
import { raceFaults, surroundingsFaults } from './timing.ts';
import { scaFieldFaults } from './sca/fields.ts';
import { scaFlowFaults } from './sca/flow.ts';

/** Planted breaches of the agents area. */
const agentFaults: readonly Fault[] = [
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
];

/** Breaches of the credential operations, the signed retry, sessions and wallets. */
const credentialFaults: readonly Fault[] = [
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
];

const quoteFaults = [
  ...quoteFieldFaults,
  ...quotePartFaults,
  ...quoteFlowFaults,
  ...quoteRefusalFaults,
  ...receivedSideFaults,
  ...agentQuoteFaults,
];

const scaFaults = [...scaFieldFaults, ...scaFlowFaults];

/** Every planted breach, by area. */
export const faults: readonly Fault[] = [
  ...agentFaults,
  ...authFaults,
  ...brokenFaults,
  ...keptAnswerFaults,
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
  ...surroundingsFaults,
  ...raceFaults,
];

const byName = new Map(faults.map((fault) => [fault.name, fault]));

/** The fault of this name, if there is one. */
export function faultNamed(name: string): Fault | undefined {
  return byName.get(name);
}
