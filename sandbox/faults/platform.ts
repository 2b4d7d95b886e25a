import {
  type PlatformFee,
  type ProviderAccount,
  providerAccounts,
  type StablecoinOperation,
  supplyOf,
} from '../areas/platform/records.ts';
import type { Replacements } from '../areas/behaviour.ts';
import { refuse, Refusal } from '../server/refusal.ts';
import { faultsOf } from './fault.ts';

const refusing =
  (status = 400, code = 'INVALID_INPUT') =>
  (): never => {
    throw new Refusal(status, code, 'No.');
  };

/** Configuration, stablecoins, cards and rates. */
export const platformFaults = faultsOf([
  [
    'configured-fees-are-forgotten',
    'QUOTE-PLATFORM-FEE-APPLIED',
    'A change of feeConfigs is accepted, and no quote knows it.',
    {
      updateConfig:
        (original) =>
        (world, config, { feeConfigs: _, ...body }) =>
          original(world, config, body),
    },
  ],
  [
    'variable-fees-are-never-taken',
    'QUOTE-PLATFORM-FEE-APPLIED',
    'Of the fees that a platform configures the variable one is not taken.',
    {
      updateConfig: (original) => (world, config, body) => {
        original(world, config, body);
        for (const [currency, fee] of config.fees) config.fees.set(currency, { ...fee, basisPoints: 0 });
      },
    },
  ],
  [
    'configured-fees-cannot-be-taken-away',
    'QUOTE-PLATFORM-FEE-ZERO',
    'Fees that were configured stay in force.',
    {
      updateConfig: (original) => (world, config, body) => {
        const fees = [...config.fees];
        original(world, config, body);
        if (config.fees.size === 0) for (const [currency, fee] of fees) config.fees.set(currency, fee);
      },
    },
  ],
  [
    'variable-fee-refused',
    'CONFIG-FEE-VARIABLE',
    'A variable fee alone is refused.',
    fees((fee) => fee.basisPoints > 0 && fee.fixed === 0n),
  ],
  [
    'fixed-fee-refused',
    'CONFIG-FEE-FIXED',
    'A fixed fee alone is refused.',
    fees((fee) => fee.basisPoints === 0 && fee.fixed > 0n),
  ],
  [
    'both-fees-refused',
    'CONFIG-FEE-BOTH',
    'A variable and a fixed fee together are refused.',
    fees((fee) => fee.basisPoints > 0 && fee.fixed > 0n),
  ],
  [
    'card-tokenization-refused',
    'CONFIG-CARD-TOKENIZATION-2FA',
    'cardTokenization2faConfig is refused.',
    { setCardTokenization: () => refusing() },
  ],
  [
    'stablecoin-registration-refused',
    'STABLECOIN-REGISTER',
    'No stablecoin can be registered.',
    { registerStablecoin: () => refusing() },
  ],
  [
    'mint-refused',
    'STABLECOIN-MINT',
    'Of a stablecoin that is in circulation no more can be minted.',
    issues((type, supply) => type === 'MINT' && supply > 0n),
  ],
  [
    'first-mint-refused',
    'STABLECOIN-MINT',
    'A stablecoin of which nothing is in circulation cannot be minted.',
    issues((type, supply) => type === 'MINT' && supply === 0n),
  ],
  ['burn-refused', 'STABLECOIN-BURN', 'No stablecoin can be burned.', issues((type) => type === 'BURN')],
  [
    'operations-forget-burns',
    'STABLECOIN-OPERATIONS-TRACKED',
    'Burns are not among the operations.',
    operationsWithout('BURN'),
  ],
  [
    'operations-forget-mints',
    'STABLECOIN-OPERATIONS-TRACKED',
    'Mints are not among the operations.',
    operationsWithout('MINT'),
  ],
  [
    'operations-never-settle',
    'STABLECOIN-OPERATIONS-TRACKED',
    'Operations stay pending for ever.',
    { settleIssue: () => () => undefined },
  ],
  [
    'invalid-provider-taken',
    'STABLECOIN-PROVIDER-ACCOUNT-INVALID',
    'A link that is not usable is used.',
    { invalidProvider: () => (_world, account) => account },
  ],
  [
    'invalid-provider-called-input',
    'STABLECOIN-PROVIDER-ACCOUNT-INVALID',
    'A link that is not usable has the code INVALID_INPUT.',
    { invalidProvider: () => refusing() },
  ],
  [
    'revoked-provider-taken',
    'STABLECOIN-PROVIDER-ACCOUNT-REVOKED',
    'A revoked link is used.',
    { revokedProvider: () => (_world, account) => account },
  ],
  [
    'revoked-provider-called-invalid',
    'STABLECOIN-PROVIDER-ACCOUNT-REVOKED',
    'A revoked link is told as one that is not usable.',
    { revokedProvider: () => refusing(400, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID') },
  ],
  [
    'first-of-several-providers-taken',
    'STABLECOIN-PROVIDER-ACCOUNT-SELECTION',
    'Of several links the first is used unasked.',
    { severalProviders: () => (_world, active) => active[0]! },
  ],
  [
    'selected-provider-refused',
    'STABLECOIN-PROVIDER-ACCOUNT-SELECTED',
    'With several links a selection is not read.',
    {
      providerAccountFor: (original) => (world, platformId, named) =>
        original(world, platformId, severalFor(world, platformId) ? undefined : named),
    },
  ],
  [
    'unknown-provider-called-reference',
    'STABLECOIN-PROVIDER-ACCOUNT-UNKNOWN',
    'An unknown link answers REFERENCE_NOT_FOUND.',
    { refuseUnknownProvider: () => (world, id) => world.behaviour.refuseNotFound('provider account', id) },
  ],
  [
    'card-without-kyc',
    'CARD-KYC-REQUIRED',
    'Cards are issued without KYC.',
    { kycApproved: () => () => undefined },
  ],
  [
    'card-without-kyc-answers-403',
    'CARD-KYC-REQUIRED',
    'A card without KYC answers 403.',
    { refuseWithoutKyc: () => (world) => world.behaviour.refuseForbidden('No KYC.') },
  ],
  [
    'card-without-kyc-called-input',
    'CARD-KYC-REQUIRED',
    'A card without KYC has the code INVALID_INPUT.',
    { refuseWithoutKyc: () => () => new Refusal(400, 'INVALID_INPUT', 'No KYC.') },
  ],
  [
    'no-card-even-with-kyc',
    'CARD-KYC-APPROVED',
    'Nobody has the KYC that a card needs.',
    { kycApproved: () => (world) => refuse(world.behaviour.refuseWithoutKyc()) },
  ],
  ['rates-not-cached', 'RATES-CACHED', 'Exchange rates are taken anew at every read.', uncached()],
]);

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
