/**
 * What a spec imports, and nothing else of this folder: its words are the files at the top. Below, `answers/` sends, records
 * and judges, `run/` is what a test, a worker and a run share, `watch/` follows whether the target is there, and `api/` has
 * who acts: agents, platforms, wallets, customers.
 */
export { test } from './test.ts';
export { expect } from './matchers.ts';
export { since, takenBetween } from './taken.ts';
export { verifies } from './verifies.ts';
export { explore } from './explore.ts';
export { survey, type Walk } from './survey.ts';
export { ORDINARY_AMOUNT } from './api/agent.ts';
export { succeeded, type Answer } from './answers/answer.ts';
export { Unanswered } from '../doubt/check.ts';
export type { Agent } from './api/agent.ts';
export { MOMENT_SECONDS, movesClock } from './clock.ts';
export { afterwards, eventually } from './eventually.ts';
export type { Need } from './need.ts';
export type { Given } from './given.ts';
export { sendRequest, type Platform, type StateRequest } from './api/platform.ts';
export type { OtpType } from '../target/states/types.ts';
export type { Profile } from '../target/profile.ts';
export { isPromised, isShared } from '../target/providers/ladder.ts';
export type { Authorization } from '../client/authorization.ts';
export { inTime, type Check, type Observe } from './check.ts';
export { Wallet, type PreparedRequest, type ReadBack, type SignedOperation } from './api/wallet.ts';
export type { Mistake } from './api/wallet/signer.ts';
export {
  isRefusedUnsigned,
  credentialRequests,
  entriesOf,
  idsOf,
  loggingIn,
  lower,
  newEmail,
  ownIds,
  registering,
  sessionRequests,
  walletRequests,
  type Credential,
  type CredentialType,
  type Draft,
  type WalletRequest,
  type WalletSession,
} from './api/wallet/requests.ts';
export type { Login } from './api/wallet/logins.ts';
export {
  readEmail,
  readPrivacy,
  sessionSigned,
  signedCases,
  signedOperation,
  signedOperations,
} from './api/wallet/signed-operations.ts';
export {
  isExecuted,
  pay,
  type Payment,
  type QuoteCustomer,
  type QuoteSighting,
  type SeenQuote,
} from './api/quotes/quote-customer.ts';
export { actionIn, quoteIn, type QuotingAgent } from './api/quotes/quoting-agent.ts';
export { WAITING, type ScaCustomer, type ScaLoop } from './api/quotes/sca-customer.ts';
export type { Proof, SeenChallenge } from './api/quotes/proofs.ts';
export { typesOf, type Delivery, type EventFilter, type Webhook } from './webhooks.ts';
export { Ownership, ownershipOf } from './api/ownership.ts';
