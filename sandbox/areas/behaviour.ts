import { inlined, type Schema } from '../server/contract-schemas.ts';
import type { Bound } from '../world/world.ts';
import * as accounts from './accounts/behaviour.ts';
import * as agents from './agents/behaviour.ts';
import * as auth from './auth/behaviour.ts';
import * as conventions from './conventions/behaviour.ts';
import * as credentials from './credentials/behaviour.ts';
import * as challenges from './credentials/challenge-behaviour.ts';
import * as oauth from './credentials/oauth-behaviour.ts';
import * as otp from './credentials/otp-behaviour.ts';
import * as passkeys from './credentials/passkey-behaviour.ts';
import * as signedRequests from './credentials/request-behaviour.ts';
import * as sessions from './credentials/session-behaviour.ts';
import * as customers from './customers/behaviour.ts';
import * as events from './events/behaviour.ts';
import * as platform from './platform/behaviour.ts';
import * as stablecoins from './platform/stablecoin-behaviour.ts';
import * as quoteCreation from './quotes/creation-behaviour.ts';
import * as quoteExecution from './quotes/execution-behaviour.ts';
import * as prices from './quotes/price-behaviour.ts';
import * as shownQuotes from './quotes/showing-behaviour.ts';
import { refusals } from './refusals.ts';
import * as sca from './sca/behaviour.ts';
import * as scaChallenges from './sca/challenge-behaviour.ts';
import * as execution from './transfers/execution-behaviour.ts';
import * as idempotency from './transfers/idempotency.ts';
import * as shownActions from './transfers/showing-behaviour.ts';
import * as submission from './transfers/submission-behaviour.ts';

/**
 * What a fault or a variant replaces, under its name: each exported function of a behaviour module, and the refusals. Each takes
 * its world first. Whoever calls one calls it through `world.behaviour`, where the world is bound; all else is imported and
 * called by its name.
 */
export const baseBehaviour = {
  ...refusals,
  ...accounts,
  ...agents,
  ...auth,
  ...conventions,
  ...credentials,
  ...challenges,
  ...oauth,
  ...otp,
  ...passkeys,
  ...signedRequests,
  ...sessions,
  ...customers,
  ...events,
  ...platform,
  ...stablecoins,
  ...quoteCreation,
  ...quoteExecution,
  ...prices,
  ...shownQuotes,
  ...sca,
  ...scaChallenges,
  ...execution,
  ...idempotency,
  ...shownActions,
  ...submission,
};

/** Behaviour as it is defined and replaced: its functions with their world first. */
export type BehaviourSet = typeof baseBehaviour;

declare module '../world/world.ts' {
  interface Behaviour extends Bound<BehaviourSet> {
    orderList<T>(rows: readonly T[]): readonly T[];
  }
}

/** Functions to put in place of others; each gets the one it replaces. */
export type Replacements = {
  readonly [Name in keyof BehaviourSet]?: (original: BehaviourSet[Name]) => BehaviourSet[Name];
};

/** The base behaviour with each set of replacements wrapped around what came before it. */
export function behaviourWith(sets: readonly Replacements[]): BehaviourSet {
  const behaviour: Record<string, unknown> = { ...baseBehaviour };
  for (const set of sets) {
    for (const [name, replace] of Object.entries(set)) {
      behaviour[name] = (replace as (original: unknown) => unknown)(behaviour[name]);
    }
  }
  return behaviour as BehaviourSet;
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
