import type { Bound } from '../world/rules.ts';
import { presentOwnership } from './accounts/operations.ts';
import * as accounts from './accounts/rules.ts';
import * as agents from './agents/rules.ts';
import * as auth from './auth/rules.ts';
import * as cards from './cards/rules.ts';
import * as conventionsError from './conventions/error-rules.ts';
import * as conventionsLife from './conventions/life-rules.ts';
import * as conventionsMessage from './conventions/message-rules.ts';
import { contentType, finishReply, handleCall, presentRefusal } from './conventions/operations.ts';
import { revocationReply } from './credentials/operations.ts';
import * as credentials from './credentials/rules.ts';
import { presentStartedVerification } from './customers/operations.ts';
import * as customers from './customers/rules.ts';
import * as eventsDelivery from './events/delivery-rules.ts';
import * as eventsRefund from './events/refund-rules.ts';
import * as events from './events/rules.ts';
import * as limits from './limits/rules.ts';
import * as loginsChallenge from './logins/challenge-rules.ts';
import * as loginsOauth from './logins/oauth-rules.ts';
import * as loginsOtp from './logins/otp-rules.ts';
import * as loginsPasskey from './logins/passkey-rules.ts';
import { presentUpdatedConfig } from './platform/operations.ts';
import * as platformCurrency from './platform/currency-rules.ts';
import * as platform from './platform/rules.ts';
import * as quotesCreation from './quotes/creation-rules.ts';
import * as quotesExecution from './quotes/execution-rules.ts';
import {
  presentAuthorizedQuote,
  presentCreatedQuote,
  presentExecutedQuote,
  presentQuoteAction,
} from './quotes/operations.ts';
import * as quotesPrice from './quotes/price-rules.ts';
import * as quotesShowing from './quotes/showing-rules.ts';
import * as quotesTime from './quotes/time-rules.ts';
import * as scaAuthorization from './sca/authorization-rules.ts';
import * as scaChallenge from './sca/challenge-rules.ts';
import * as scaLogin from './sca/login-rules.ts';
import { presentLogin } from './sca/operations.ts';
import * as sessions from './sessions/rules.ts';
import { askForSignature, completeSigned } from './signed-requests/operations.ts';
import * as signedRequests from './signed-requests/rules.ts';
import * as signedRequestsStamp from './signed-requests/stamp-rules.ts';
import { presentIssued, presentRegisteredCoin } from './stablecoins/operations.ts';
import * as stablecoins from './stablecoins/rules.ts';
import * as transfersExecution from './transfers/execution-rules.ts';
import * as transfersIdempotency from './transfers/idempotency.ts';
import {
  presentApproval,
  presentRejection,
  presentTransferIn,
  presentTransferOut,
} from './transfers/operations.ts';
import * as transfersShowing from './transfers/showing-rules.ts';
import * as transfersSubmission from './transfers/submission-rules.ts';
import * as wallets from './wallets/rules.ts';

/**
 * Every rule of the service under its name: each exported function of a rules module, and those answers of operations
 * that are left open. Each takes its world first. Whoever calls one calls it through `world.rules`, where the world is
 * bound, so that a fault or a variant can stand in for any of them.
 */
export const baseRules = {
  ...accounts,
  ...agents,
  ...auth,
  ...cards,
  ...conventionsError,
  ...conventionsLife,
  ...conventionsMessage,
  ...credentials,
  ...customers,
  ...eventsDelivery,
  ...eventsRefund,
  ...events,
  ...limits,
  ...loginsChallenge,
  ...loginsOauth,
  ...loginsOtp,
  ...loginsPasskey,
  ...platform,
  ...platformCurrency,
  ...quotesCreation,
  ...quotesExecution,
  ...quotesPrice,
  ...quotesShowing,
  ...quotesTime,
  ...scaAuthorization,
  ...scaChallenge,
  ...scaLogin,
  ...sessions,
  ...signedRequests,
  ...signedRequestsStamp,
  ...stablecoins,
  ...transfersExecution,
  ...transfersIdempotency,
  ...transfersShowing,
  ...transfersSubmission,
  ...wallets,
  // How operations answer.
  presentOwnership,
  handleCall,
  presentRefusal,
  finishReply,
  contentType,
  revocationReply,
  presentStartedVerification,
  presentUpdatedConfig,
  presentCreatedQuote,
  presentExecutedQuote,
  presentQuoteAction,
  presentAuthorizedQuote,
  presentLogin,
  askForSignature,
  completeSigned,
  presentRegisteredCoin,
  presentIssued,
  presentTransferOut,
  presentTransferIn,
  presentApproval,
  presentRejection,
};

/** Rules as they are defined and replaced: with their world first. */
export type RuleSet = typeof baseRules;

declare module '../world/rules.ts' {
  interface Rules extends Bound<RuleSet> {
    orderList<T>(rows: readonly T[]): readonly T[];
  }
}
