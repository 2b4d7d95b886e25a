import { inlined, type Schema } from '../server/contract-schemas.ts';
import type { Bound } from '../world/world.ts';
import { presentOwnership } from './accounts/operations.ts';
import * as accounts from './accounts/rules.ts';
import * as agents from './agents/rules.ts';
import * as auth from './auth/rules.ts';
import * as conventionsError from './conventions/error-rules.ts';
import { contentType, finishReply, handleCall, presentRefusal } from './conventions/operations.ts';
import * as conventions from './conventions/rules.ts';
import * as credentialsChallenge from './credentials/challenge-rules.ts';
import * as credentialsOauth from './credentials/oauth-rules.ts';
import { revocationReply } from './credentials/operations.ts';
import * as credentialsOtp from './credentials/otp-rules.ts';
import * as credentialsPasskey from './credentials/passkey-rules.ts';
import * as signedRequests from './credentials/request-rules.ts';
import * as credentials from './credentials/rules.ts';
import * as sessions from './credentials/session-rules.ts';
import { askForSignature, completeSigned } from './credentials/signed-operation.ts';
import * as signedRequestsStamp from './credentials/stamp-rules.ts';
import * as wallets from './credentials/wallet-rules.ts';
import { presentStartedVerification } from './customers/operations.ts';
import * as customers from './customers/rules.ts';
import * as eventsRefund from './events/refund-rules.ts';
import * as events from './events/rules.ts';
import * as limits from './limits/rules.ts';
import * as cards from './platform/card-rules.ts';
import { presentIssued, presentRegisteredCoin, presentUpdatedConfig } from './platform/operations.ts';
import * as platform from './platform/rules.ts';
import * as stablecoins from './platform/stablecoin-rules.ts';
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
import * as scaChallenge from './sca/challenge-rules.ts';
import { presentLogin } from './sca/operations.ts';
import * as sca from './sca/rules.ts';
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
  ...conventions,
  ...credentialsChallenge,
  ...credentialsOauth,
  ...credentialsOtp,
  ...credentialsPasskey,
  ...credentials,
  ...customers,
  ...eventsRefund,
  ...events,
  ...limits,
  ...platform,
  ...quotesCreation,
  ...quotesExecution,
  ...quotesPrice,
  ...quotesShowing,
  ...scaChallenge,
  ...sca,
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

declare module '../world/world.ts' {
  interface Rules extends Bound<RuleSet> {
    orderList<T>(rows: readonly T[]): readonly T[];
  }
}

/** Rule functions to put in place of others; each gets the one it replaces. */
export type Replacements = { readonly [Name in keyof RuleSet]?: (original: RuleSet[Name]) => RuleSet[Name] };

/** The base rules with each set of replacements wrapped around what came before it. */
export function rulesWith(sets: readonly Replacements[]): RuleSet {
  const rules: Record<string, unknown> = { ...baseRules };
  for (const set of sets) {
    for (const [name, replace] of Object.entries(set)) {
      rules[name] = (replace as (original: unknown) => unknown)(rules[name]);
    }
  }
  return rules as RuleSet;
}

/** A schema that can be taken apart: properties by name. */
export interface LooseSchema {
  [keyword: string]: unknown;
  required?: string[];
  properties: Record<string, LooseSchema>;
}

/** Request bodies held against another schema than the contract's. */
export function loosened(
  component: string,
  change: (schema: LooseSchema) => void,
): NonNullable<Replacements['requestSchema']> {
  return (original) => {
    let changed: Schema | undefined;
    return (world, name) => {
      if (name !== component) return original(world, name);
      if (!changed) {
        const copy = structuredClone(inlined(original(world, name))) as LooseSchema;
        change(copy);
        changed = copy;
      }
      return changed;
    };
  };
}

/** A transfer-out body held against another schema than the contract's. */
export const transferSchema = (
  change: (schema: LooseSchema) => void,
): NonNullable<Replacements['requestSchema']> => loosened('TransferOutRequest', change);

/** Whatever was asked of this property is asked no more. */
export function anything(schema: LooseSchema, name: string): void {
  schema.required = schema.required?.filter((required) => required !== name) ?? [];
  schema.properties[name] = { properties: {} };
}
