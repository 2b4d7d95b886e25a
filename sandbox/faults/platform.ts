import {
  type PlatformFee,
  type ProviderAccount,
  providerAccounts,
  type StablecoinOperation,
  supplyOf,
} from '../areas/platform/records.ts';
import type { Replacements } from '../areas/behaviour.ts';
import { refuse, Refusal } from '../server/refusal.ts';
import { fault } from './fault.ts';

const refusing =
  (status = 400, code = 'INVALID_INPUT') =>
  (): never => {
    throw new Refusal(status, code, 'No.');
  };

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
  fault(
    'variable-fee-refused',
    'CONFIG-FEE-VARIABLE',
    fees((fee) => fee.basisPoints > 0 && fee.fixed === 0n),
  ),
  fault(
    'fixed-fee-refused',
    'CONFIG-FEE-FIXED',
    fees((fee) => fee.basisPoints === 0 && fee.fixed > 0n),
  ),
  fault(
    'both-fees-refused',
    'CONFIG-FEE-BOTH',
    fees((fee) => fee.basisPoints > 0 && fee.fixed > 0n),
  ),
  fault('card-tokenization-refused', 'CONFIG-CARD-TOKENIZATION-2FA', {
    setCardTokenization: () => refusing(),
  }),
  fault('stablecoin-registration-refused', 'STABLECOIN-REGISTER', { registerStablecoin: () => refusing() }),
  fault(
    'mint-refused',
    'STABLECOIN-MINT',
    issues((type, supply) => type === 'MINT' && supply > 0n),
  ),
  fault(
    'first-mint-refused',
    'STABLECOIN-MINT',
    issues((type, supply) => type === 'MINT' && supply === 0n),
  ),
  fault(
    'burn-refused',
    'STABLECOIN-BURN',
    issues((type) => type === 'BURN'),
  ),
  fault('operations-forget-burns', 'STABLECOIN-OPERATIONS-TRACKED', operationsWithout('BURN')),
  fault('operations-forget-mints', 'STABLECOIN-OPERATIONS-TRACKED', operationsWithout('MINT')),
  fault('operations-never-settle', 'STABLECOIN-OPERATIONS-TRACKED', { settleIssue: () => () => undefined }),
  fault('invalid-provider-taken', 'STABLECOIN-PROVIDER-ACCOUNT-INVALID', {
    invalidProvider: () => (_world, account) => account,
  }),
  fault('invalid-provider-called-input', 'STABLECOIN-PROVIDER-ACCOUNT-INVALID', {
    invalidProvider: () => refusing(),
  }),
  fault('revoked-provider-taken', 'STABLECOIN-PROVIDER-ACCOUNT-REVOKED', {
    revokedProvider: () => (_world, account) => account,
  }),
  fault('revoked-provider-called-invalid', 'STABLECOIN-PROVIDER-ACCOUNT-REVOKED', {
    revokedProvider: () => refusing(400, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID'),
  }),
  fault('first-of-several-providers-taken', 'STABLECOIN-PROVIDER-ACCOUNT-SELECTION', {
    severalProviders: () => (_world, active) => active[0]!,
  }),
  fault('selected-provider-refused', 'STABLECOIN-PROVIDER-ACCOUNT-SELECTED', {
    providerAccountFor: (original) => (world, platformId, named) =>
      original(world, platformId, severalFor(world, platformId) ? undefined : named),
  }),
  fault('unknown-provider-called-reference', 'STABLECOIN-PROVIDER-ACCOUNT-UNKNOWN', {
    refuseUnknownProvider: () => (world, id) => world.behaviour.refuseNotFound('provider account', id),
  }),
  fault('card-without-kyc', 'CARD-KYC-REQUIRED', { kycApproved: () => () => undefined }),
  fault('card-without-kyc-answers-403', 'CARD-KYC-REQUIRED', {
    refuseWithoutKyc: () => (world) => world.behaviour.refuseForbidden('No KYC.'),
  }),
  fault('card-without-kyc-called-input', 'CARD-KYC-REQUIRED', {
    refuseWithoutKyc: () => () => new Refusal(400, 'INVALID_INPUT', 'No KYC.'),
  }),
  fault('no-card-even-with-kyc', 'CARD-KYC-APPROVED', {
    kycApproved: () => (world) => refuse(world.behaviour.refuseWithoutKyc()),
  }),
  fault('rates-not-cached', 'RATES-CACHED', uncached()),
];

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
function fees(refused: (fee: PlatformFee) => boolean) {
  return {
    acceptFeeConfig: () => (_world: unknown, fee: PlatformFee) => {
      if (refused(fee)) refusing()();
    },
  };
}

/** Whether a platform has more than one usable link, so that it has to select one. */
function severalFor(world: Parameters<typeof providerAccounts.all>[0], platformId: string): boolean {
  const active = (account: ProviderAccount) =>
    account.platformId === platformId && account.status === 'ACTIVE';
  return providerAccounts.all(world).filter(active).length > 1;
}

/** Rates that move with every read. */
function uncached(): Replacements {
  let reads = 0;
  return {
    rateShown:
      (original) =>
      (...args) => {
        const shown = original(...args);
        return { ...shown, rate: shown.rate * (1 + ++reads / 1000) };
      },
  };
}
