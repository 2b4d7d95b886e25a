import { randomUUID } from 'node:crypto';
import { type Json, type JsonObject, readAmount } from '../../server/json.ts';
import { outside } from '../../world/ledger.ts';
import { type Life, Table } from '../../world/table.ts';
import { mintId, type World } from '../../world/world.ts';

/** A business that calls the service with a client id and a client secret. */
export interface Platform {
  readonly kind: 'platform';
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Platforms by client id, besides the one that every world has. */
export const platforms = new Table<Platform>();

/** The platform whose credentials are printed when the sandbox starts. */
export function mainPlatform(world: World): Platform {
  const { clientId, clientSecret } = world.config;
  return (
    platforms.get(world, clientId) ??
    platforms.put(world, clientId, { kind: 'platform', id: 'Platform:main', clientId, clientSecret })
  );
}

/** A platform's share of the price. */
export interface PlatformFee {
  readonly basisPoints: number;
  /** Smallest unit of the sending currency. */
  readonly fixed: bigint;
}

/** Settings of one platform. */
export interface PlatformConfig {
  readonly platformId: string;
  /** As it sent them. */
  feeConfigs: Json;
  /** What they mean, by the currency of the source. */
  readonly fees: Map<string, PlatformFee>;
  cardTokenization2faConfig: Json;
  webhookEndpoint: string | null;
}

const configs = new Table<PlatformConfig>();

/** The settings of a platform, made when they are first asked for. */
export function configOf(world: World, platformId: string): PlatformConfig {
  return (
    configs.get(world, platformId) ??
    configs.put(world, platformId, {
      platformId,
      feeConfigs: [],
      fees: new Map(),
      cardTokenization2faConfig: { enabled: false },
      webhookEndpoint: null,
    })
  );
}

/** The fee for a source in this currency; none is zero. */
export function feeFor({ fees }: PlatformConfig, currency: string): PlatformFee {
  let fee = fees.get(currency);
  if (!fee) fees.set(currency, (fee = { basisPoints: 0, fixed: 0n }));
  return fee;
}

/** A platform's link to an account with a stablecoin provider. */
export interface ProviderAccount {
  readonly id: string;
  readonly platformId: string;
  readonly status: 'ACTIVE' | 'REVOKED' | 'INVALID';
}

/** A coin that a platform has registered. */
export interface Stablecoin {
  readonly id: string;
  readonly platformId: string;
  readonly name: string;
  readonly symbol: string;
  readonly providerAccountId: string;
  readonly createdAt: number;
}

/** A mint or a burn on its way to settlement; the amount in the smallest unit of the coin. */
export interface StablecoinOperation {
  readonly id: string;
  readonly stablecoinId: string;
  readonly type: 'MINT' | 'BURN';
  readonly status: 'PENDING' | 'SETTLED';
  readonly amount: bigint;
  readonly createdAt: number;
  updatedAt: number;
}

export const providerAccounts = new Table<ProviderAccount>();

export const stablecoins = new Table<Stablecoin>();

export const stablecoinOperations = new Table<StablecoinOperation>();

/** What is settled stays so. */
export const ISSUE_LIFE: Life<StablecoinOperation['status']> = {
  kind: 'stablecoin operation',
  moves: { PENDING: ['SETTLED'], SETTLED: [] },
};

/** Coins in circulation, in the smallest unit of the coin. The ledger knows each coin as a currency of its own. */
export function supplyOf(world: World, coin: Stablecoin): bigint {
  return world.ledger.balance(circulation(coin), coin.id);
}

/** Books a mint or a burn. @param amount smallest unit of the coin @param reason id of the operation that moves it */
export function bookIssue(
  world: World,
  coin: Stablecoin,
  type: StablecoinOperation['type'],
  amount: bigint,
  reason: string,
): void {
  const [from, to] =
    type === 'MINT' ? [outside('issuer'), circulation(coin)] : [circulation(coin), outside('issuer')];
  world.ledger.post({ from, to, amount, currency: coin.id, reason });
}

const circulation = ({ id }: Stablecoin): string => `circulation:${id}`;

/** A card of a customer. */
export interface Card {
  readonly id: string;
  readonly customerId: string;
  /** The internal account that pays. */
  readonly accountId: string;
  readonly last4: string;
  readonly createdAt: number;
}

export const CARD_STEPS = ['AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REFUNDED', 'EXCEPTION'] as const;

export type CardStep = (typeof CARD_STEPS)[number];

/** A payment with a card; the amount in the smallest unit of the currency. */
export interface CardTransaction {
  readonly id: string;
  readonly cardId: string;
  readonly customerId: string;
  readonly status: CardStep;
  readonly accountId: string;
  readonly amount: bigint;
  /** What has left for good. */
  settled: bigint;
  readonly currency: string;
  readonly createdAt: number;
  updatedAt: number;
}

/** interface.md > Events names the states; their order is that of cards everywhere. */
export const CARD_LIFE: Life<CardStep> = {
  kind: 'card transaction',
  moves: {
    AUTHORIZED: ['PARTIALLY_SETTLED', 'SETTLED', 'EXCEPTION'],
    PARTIALLY_SETTLED: ['SETTLED', 'REFUNDED', 'EXCEPTION'],
    SETTLED: ['REFUNDED', 'EXCEPTION'],
    REFUNDED: [],
    EXCEPTION: [],
  },
};

export const cards = new Table<Card>();

export const cardTransactions = new Table<CardTransaction>();

/** The fee that a configuration or an override of the shape that feeSchema describes means. */
export function readFee({ variableFeeBps = 0, fixedFee = 0 }: JsonObject): PlatformFee {
  return { basisPoints: Number(variableFeeBps), fixed: readAmount(fixedFee) };
}

/** Links a platform to an account with a provider. */
export function linkProvider(
  world: World,
  platformId: string,
  status: ProviderAccount['status'],
): ProviderAccount {
  const id = mintId(world, 'StablecoinProviderAccount');
  return providerAccounts.put(world, id, { id, platformId, status });
}

/** As the answers show it. */
export function presentConfig(config: PlatformConfig): JsonObject {
  const { feeConfigs, cardTokenization2faConfig, webhookEndpoint } = config;
  return { feeConfigs, cardTokenization2faConfig, webhookEndpoint };
}

/** A platform besides the main one, with a secret of its own. */
export function registerPlatform(world: World, clientId: string): Platform {
  return platforms.put(world, clientId, {
    kind: 'platform',
    id: `Platform:${clientId}`,
    clientId,
    clientSecret: randomUUID(),
  });
}
