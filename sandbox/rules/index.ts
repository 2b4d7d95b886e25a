import * as accountRules from './accounts/accounts.ts';
import * as currencyRules from './accounts/currency.ts';
import * as customerRules from './accounts/customers.ts';
import * as ownershipRules from './accounts/ownership.ts';
import * as decideRules from './agents/decide.ts';
import * as executeRules from './agents/execute.ts';
import * as idempotencyRules from './agents/idempotency.ts';
import * as managingRules from './agents/managing.ts';
import * as policyRules from './agents/policy.ts';
import * as actionRules from './agents/present.ts';
import * as submitRules from './agents/submit.ts';
import * as transferAccountRules from './agents/transfer-accounts.ts';
import * as transferAmountRules from './agents/transfer-amount.ts';
import * as transferInRules from './agents/transfer-in.ts';
import * as agentAuthRules from './auth/agent.ts';
import * as callerRules from './auth/caller.ts';
import * as platformAuthRules from './auth/platform.ts';
import * as challengeRules from './credentials/challenges.ts';
import * as credentialRules from './credentials/credentials.ts';
import * as oidcRules from './credentials/oidc.ts';
import * as otpLoginRules from './credentials/otp-login.ts';
import * as passkeyLoginRules from './credentials/passkey-login.ts';
import * as passkeyRules from './credentials/passkeys.ts';
import * as credentialRefusalRules from './credentials/refusals.ts';
import * as registrationRules from './credentials/registration.ts';
import * as requestRules from './credentials/requests.ts';
import * as retryRules from './credentials/retry.ts';
import * as sessionRules from './credentials/sessions.ts';
import * as stampRules from './credentials/stamp.ts';
import * as walletRules from './credentials/wallets.ts';
import * as contactRules from './customers/contact.ts';
import * as termsRules from './customers/terms.ts';
import * as verificationRules from './customers/verification.ts';
import * as errorRules from './errors/present.ts';
import * as refusalRules from './errors/refusals.ts';
import * as eventChangeRules from './events/changes.ts';
import * as deliveryRules from './events/deliver.ts';
import * as bodyRules from './general/bodies.ts';
import * as formatRules from './general/formats.ts';
import * as replyRules from './general/reply.ts';
import * as limitRules from './limits/limits.ts';
import * as cardRules from './platform/cards.ts';
import * as configRules from './platform/config.ts';
import * as rateListRules from './platform/rates.ts';
import * as stablecoinRules from './platform/stablecoins.ts';
import * as agentQuoteRules from './quotes/agent-quotes.ts';
import * as quoteCreateRules from './quotes/create.ts';
import * as quoteExecuteRules from './quotes/execute.ts';
import * as instructionRules from './quotes/instructions.ts';
import * as quotePartyRules from './quotes/parties.ts';
import * as quoteRules from './quotes/present.ts';
import * as priceRules from './quotes/price.ts';
import * as rateRules from './quotes/rates.ts';
import * as scaAuthorizeRules from './sca/authorize.ts';
import * as scaChallengeRules from './sca/challenge.ts';
import * as scaLoginRules from './sca/login.ts';
import * as scaProofRules from './sca/proof.ts';

/**
 * Every rule of the service under its name: each exported function of a rules module. Handlers and rules call each other
 * through `world.rules`, never directly, so that a fault or a variant can stand in for any of them.
 */
export const baseRules = {
  ...formatRules,
  ...replyRules,
  ...bodyRules,
  ...errorRules,
  ...refusalRules,
  ...callerRules,
  ...platformAuthRules,
  ...agentAuthRules,
  ...accountRules,
  ...currencyRules,
  ...customerRules,
  ...managingRules,
  ...policyRules,
  ...transferAccountRules,
  ...transferAmountRules,
  ...idempotencyRules,
  ...submitRules,
  ...executeRules,
  ...decideRules,
  ...actionRules,
  ...credentialRules,
  ...credentialRefusalRules,
  ...stampRules,
  ...requestRules,
  ...retryRules,
  ...sessionRules,
  ...oidcRules,
  ...passkeyRules,
  ...challengeRules,
  ...otpLoginRules,
  ...passkeyLoginRules,
  ...registrationRules,
  ...walletRules,
  ...ownershipRules,
  ...transferInRules,
  ...contactRules,
  ...termsRules,
  ...verificationRules,
  ...eventChangeRules,
  ...deliveryRules,
  ...limitRules,
  ...cardRules,
  ...configRules,
  ...rateListRules,
  ...stablecoinRules,
  ...agentQuoteRules,
  ...quoteCreateRules,
  ...quoteExecuteRules,
  ...instructionRules,
  ...quotePartyRules,
  ...quoteRules,
  ...priceRules,
  ...rateRules,
  ...scaAuthorizeRules,
  ...scaChallengeRules,
  ...scaLoginRules,
  ...scaProofRules,
};

export type Rules = typeof baseRules;
