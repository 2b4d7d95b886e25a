import type { Replacements } from '../areas/behaviour.ts';
import type { Refund } from '../areas/events/records.ts';
import { customers } from '../areas/customers/records.ts';
import {
  type CardStep,
  configOf,
  mainPlatform,
  type PlatformFee,
  type ProviderAccount,
  providerAccounts,
  readFee,
  type StablecoinOperation,
  stablecoinOperations,
  supplyOf,
} from '../areas/platform/records.ts';
import type { Json, JsonObject } from '../server/json.ts';
import { refuse, Refusal } from '../server/refusal.ts';
import { giving, asking, coded, nothing, telling, where } from '../areas/replacements.ts';
import type { World } from '../world/world.ts';
import { breaking, fault, within } from './fault.ts';

const refusing =
  (status = 400, code = 'INVALID_INPUT') =>
  (): never => {
    throw new Refusal(status, code, 'No.');
  };

/** The event of one state of a card transaction shows something else. */
const cardTold = (step: CardStep, change: (shown: JsonObject) => JsonObject): Replacements => ({
  tellCardChange: (original) => (world, one) => {
    const { customerId, status } = one;
    if (status !== step) return original(world, one);
    const shown = change(world.behaviour.presentCardTransaction(one));
    world.behaviour.tell(customerId, `CARD_TRANSACTION.${status}`, shown);
  },
});

/** Events are called otherwise. */
const named = (rename: (type: string) => string): Replacements => ({
  tell: asking((id, type, data) => [id, rename(type), data]),
});

/** Some mints or burns are refused. @param refused given the kind, and what is in circulation (smallest unit of the coin) */
function issues(refused: (type: StablecoinOperation['type'], supply: bigint) => boolean): Replacements {
  return {
    issueStablecoin: (original) => (world, coin, type, amount) =>
      refused(type, supplyOf(world, coin)) ? refusing()() : original(world, coin, type, amount),
  };
}

/** Operations of one kind are left out of their list. */
function operationsWithout(kind: StablecoinOperation['type']): Replacements {
  return {
    operationsOf: (original) => (world, coin) => original(world, coin).filter(({ type }) => type !== kind),
  };
}

/** Some fees of a configuration are refused. */
function fees(refused: (fee: PlatformFee) => boolean): Replacements {
  return {
    updateConfig: (original) => (world, config, body) => {
      if (((body['feeConfigs'] ?? []) as JsonObject[]).map(readFee).some(refused)) refusing()();
      original(world, config, body);
    },
  };
}

/** Whether a platform has more than one usable link, so that it has to select one. */
function severalFor(world: World, platformId: string): boolean {
  return linksOf(world, platformId).filter(({ status }) => status === 'ACTIVE').length > 1;
}

function linksOf(world: World, platformId: string): readonly ProviderAccount[] {
  return providerAccounts.all(world).filter((account) => account.platformId === platformId);
}

/** Rates that move with every read. */
function uncached(): Replacements {
  let reads = 0;
  return { rateShown: giving((shown) => ({ ...shown, rate: shown.rate * (1 + ++reads / 1000) })) };
}

/** Configuration, stablecoins, cards and rates. */
export const platformFaults = [
  fault('configured-fees-are-forgotten', 'QUOTE-PLATFORM-FEE-APPLIED', {
    updateConfig:
      (original) =>
      (world, config, { feeConfigs: _, ...body }) =>
        original(world, config, body),
  }),
  fault('variable-fees-are-never-taken', 'QUOTE-PLATFORM-FEE-APPLIED', {
    updateConfig: (original) => (world, config, body) => {
      original(world, config, body);
      for (const [currency, fee] of config.fees) config.fees.set(currency, { ...fee, basisPoints: 0 });
    },
  }),
  fault('configured-fees-cannot-be-taken-away', 'QUOTE-PLATFORM-FEE-ZERO', {
    updateConfig: (original) => (world, config, body) => {
      const fees = [...config.fees];
      original(world, config, body);
      if (config.fees.size === 0) for (const [currency, fee] of fees) config.fees.set(currency, fee);
    },
  }),
  fault('variable-fee-refused', 'CONFIG-FEE-VARIABLE', {
    ...fees((fee) => fee.basisPoints > 0 && fee.fixed === 0n),
  }),
  fault('fixed-fee-refused', 'CONFIG-FEE-FIXED', {
    ...fees((fee) => fee.basisPoints === 0 && fee.fixed > 0n),
  }),
  fault('both-fees-refused', 'CONFIG-FEE-BOTH', { ...fees((fee) => fee.basisPoints > 0 && fee.fixed > 0n) }),
  fault('card-tokenization-refused', 'CONFIG-CARD-TOKENIZATION-2FA', {
    updateConfig: (original) => (world, config, body) =>
      body['cardTokenization2faConfig'] === undefined ? original(world, config, body) : refusing()(),
  }),
  fault('stablecoin-registration-refused', 'STABLECOIN-REGISTER', { registerStablecoin: () => refusing() }),
  ...breaking('STABLECOIN-MINT', {
    'mint-refused': issues((type, supply) => type === 'MINT' && supply > 0n),
    'first-mint-refused': issues((type, supply) => type === 'MINT' && supply === 0n),
  }),
  fault('burn-refused', 'STABLECOIN-BURN', { ...issues((type) => type === 'BURN') }),
  fault('operations-forget-burns', 'STABLECOIN-OPERATIONS-TRACKED', operationsWithout('BURN')),
  fault('operations-of-every-coin', 'STABLECOIN-OPERATIONS-TRACKED', {
    operationsOf: () => (world) => stablecoinOperations.all(world),
  }),
  fault('operations-forget-mints', 'STABLECOIN-OPERATIONS-TRACKED', operationsWithout('MINT')),
  fault('operations-never-settle', 'STABLECOIN-OPERATIONS-TRACKED', { settleIssue: nothing }),
  ...breaking('STABLECOIN-PROVIDER-ACCOUNT-INVALID', {
    'invalid-provider-taken': { invalidProvider: () => (_world, account) => account },
    'invalid-provider-called-input': { invalidProvider: () => refusing() },
  }),
  ...breaking('STABLECOIN-PROVIDER-ACCOUNT-REVOKED', {
    'revoked-provider-taken': { revokedProvider: () => (_world, account) => account },
    'revoked-provider-called-invalid': {
      revokedProvider: () => refusing(400, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID'),
    },
  }),
  fault('first-of-several-providers-taken', 'STABLECOIN-PROVIDER-ACCOUNT-SELECTION', {
    severalProviders: () => (_world, active) => active[0]!,
  }),
  fault('selection-among-revoked-providers', 'STABLECOIN-PROVIDER-ACCOUNT-SELECTION', {
    providerAccountFor: (original) => (world, platformId, named) =>
      named === undefined && linksOf(world, platformId).length > 1
        ? world.behaviour.severalProviders(linksOf(world, platformId))
        : original(world, platformId, named),
  }),
  fault('selected-provider-refused', 'STABLECOIN-PROVIDER-ACCOUNT-SELECTED', {
    providerAccountFor: (original) => (world, platformId, named) =>
      original(world, platformId, severalFor(world, platformId) ? undefined : named),
  }),
  fault('unknown-provider-called-reference', 'STABLECOIN-PROVIDER-ACCOUNT-UNKNOWN', {
    refuseUnknownProvider: coded('REFERENCE_NOT_FOUND', 404),
  }),
  fault('provider-account-of-any-platform', 'STABLECOIN-PROVIDER-ACCOUNT-UNKNOWN', {
    providerAccountFor: (original) => (world, platformId, named) => {
      const account = providerAccounts.all(world).find(({ id }) => id === named);
      return original(world, account?.platformId ?? platformId, named);
    },
  }),
  ...breaking('CARD-KYC-REQUIRED', {
    'card-without-kyc': { kycApproved: nothing },
    'card-without-kyc-answers-403': { refuseWithoutKyc: coded('FORBIDDEN', 403) },
    'card-without-kyc-called-input': { refuseWithoutKyc: coded('INVALID_INPUT', 400) },
  }),
  fault('no-card-even-with-kyc', 'CARD-KYC-APPROVED', {
    kycApproved: () => (world) => refuse(world.behaviour.refuseWithoutKyc()),
  }),
  fault('rates-not-cached', 'RATES-CACHED', uncached()),

  // Events and their delivery.
  fault('active-account-not-told', 'EVENT-ACCOUNT-ACTIVE', {
    tellAccountStatus: where(({ status }) => status === 'ACTIVE', undefined),
  }),
  fault('events-go-to-the-main-platform', ['EVENT-ACCOUNT-ACTIVE', 'EVENT-ACCOUNT-UNVERIFIED'], {
    tellAccountStatus: (original) => (world, account) => {
      const customer = customers.get(world, account.customerId)!;
      const main = mainPlatform(world).id;
      if (customer.platformId === main) return original(world, account);
      const url = configOf(world, main).webhookEndpoint;
      // What the others have configured is theirs again afterwards.
      const own = configOf(world, customer.platformId);
      const theirs = own.webhookEndpoint;
      Object.assign(own, { webhookEndpoint: url });
      original(world, account);
      Object.assign(own, { webhookEndpoint: theirs });
    },
  }),
  fault('passed-liveness-not-told', 'EVENT-ACCOUNT-ACTIVE', {
    ...within('endLiveness', { tellAccountStatus: nothing }, (_account: unknown, passed: boolean) => passed),
  }),
  fault('failed-liveness-not-told', 'EVENT-ACCOUNT-UNVERIFIED', {
    ...within('endLiveness', { tellAccountStatus: nothing }, (_account: unknown, passed: boolean) => !passed),
  }),
  fault('active-account-told-by-another-name', 'EVENT-ACCOUNT-ACTIVE', {
    tell: asking((id, type, data) => [id, isActive(type, data) ? 'EXTERNAL_ACCOUNT.VERIFIED' : type, data]),
  }),
  fault('unverified-account-not-told', 'EVENT-ACCOUNT-UNVERIFIED', {
    tellAccountStatus: where(({ status }) => status === 'UNVERIFIED', undefined),
  }),
  fault('account-event-with-old-status', 'EVENT-ACCOUNT-PAYLOAD', {
    ...telling(/^EXTERNAL_ACCOUNT/, (account) => ({ ...account, status: 'PENDING_OWNERSHIP_VERIFICATION' })),
  }),
  fault('account-event-of-another-account', 'EVENT-ACCOUNT-PAYLOAD', {
    ...telling(/^EXTERNAL_ACCOUNT/, (account) => ({
      ...account,
      id: 'ExternalAccount:00000000-0000-4000-8000-000000000000',
    })),
  }),
  fault('account-event-at-challenge', 'EVENT-ACCOUNT-ONLY-ON-CHANGE', {
    afterOwnershipChallenge: () => (world, one) => world.behaviour.tellAccountStatus(one),
  }),
  ...breaking('EVENT-CARD-STATES', {
    'card-events-by-another-name': named((type) => type.replace('CARD_TRANSACTION', 'CARD')),
  }),
  ...breaking('EVENT-CARD-PAYLOAD', {
    'card-refund-told-with-old-status': cardTold('REFUNDED', (shown) => ({ ...shown, status: 'SETTLED' })),
    'settled-card-told-as-outgoing': cardTold('SETTLED', (card) => ({ ...card, type: 'OUTGOING' })),
    'settled-card-told-by-its-id': cardTold('SETTLED', ({ id }) => ({ id: id! })),
    'settled-card-told-by-id-and-status': cardTold('SETTLED', ({ id, status }) => ({
      id: id!,
      status: status!,
    })),
    'card-refund-told-without-type': cardTold('REFUNDED', ({ type: _, ...rest }) => rest),
    'authorized-card-told-without-type': cardTold('AUTHORIZED', ({ type: _, ...rest }) => rest),
  }),
  fault('pending-refund-not-told', 'EVENT-REFUND-PENDING', refund('PENDING')),
  fault('pending-refund-told-by-another-name', 'EVENT-REFUND-PENDING', {
    ...named((type) => type.replace('REFUND_PENDING', 'REFUND_INITIATED')),
  }),
  fault('completed-refund-not-told', 'EVENT-REFUND-COMPLETED', refund('COMPLETED')),
  fault('failed-refund-not-told', 'EVENT-REFUND-FAILED', refund('FAILED')),
  fault('pending-outgoing-refund-event-without-information', 'EVENT-OUTGOING-REFUND', {
    presentRefundEvent: where(
      ({ direction, status }) => direction === 'OUTGOING' && status === 'PENDING',
      {},
    ),
  }),
  fault('refund-event-without-information', 'EVENT-REFUND-COMPLETED', {
    presentRefundEvent: (original) => (world, one) =>
      one.status === 'COMPLETED' && one.direction === 'INCOMING' ? {} : original(world, one),
  }),
  ...(['COMPLETED', 'FAILED'] as const).map((status) =>
    fault(`${status.toLowerCase()}-refund-told-as-pending`, `EVENT-REFUND-${status}`, {
      presentRefundEvent: (original) => (world, one) =>
        original(
          world,
          one.status === status && one.direction === 'INCOMING' ? { ...one, status: 'PENDING' } : one,
        ),
    }),
  ),
  ...breaking('EVENT-OUTGOING-REFUND', {
    'outgoing-refunds-not-told': {
      tellRefund: where(({ direction }) => direction === 'OUTGOING', undefined),
    },
    'outgoing-refund-stays-pending-in-events': {
      tellRefund: (original) => (world, refund) =>
        original(world, refund.direction === 'OUTGOING' ? { ...refund, status: 'PENDING' } : refund),
    },
  }),
  ...breaking('EVENT-ENDPOINT-NOT-SET', {
    'missing-endpoint-ignored': {
      sendTestEvent: (original) => (world, id, endpoint) =>
        endpoint === undefined ? Promise.resolve({}) : original(world, id, endpoint),
    },
    'missing-endpoint-called-input': { refuseWithoutEndpoint: coded('INVALID_INPUT', 400) },
  }),
  ...breaking('EVENT-DELIVERY-ERROR', {
    'failed-delivery-ignored': {
      sendTestEvent: (original) => async (world, id, endpoint) => {
        try {
          return await original(world, id, endpoint);
        } catch (error) {
          if (endpoint === undefined) throw error;
          return {};
        }
      },
    },
    'failed-delivery-answers-500': { refuseFailedDelivery: coded('INTERNAL_ERROR', 500) },
    'failed-delivery-called-not-set': {
      refuseFailedDelivery: () => (world) => world.behaviour.refuseWithoutEndpoint(),
    },
  }),
];

function isActive(type: string, data: Json): boolean {
  return type === 'EXTERNAL_ACCOUNT.STATUS_UPDATED' && (data as { status?: string }).status === 'ACTIVE';
}

/** Refunds of incoming payments are not told in this state. */
function refund(silent: Refund['status']): Replacements {
  return {
    tellRefund: where(({ direction, status }) => direction === 'INCOMING' && status === silent, undefined),
  };
}
