import type { Json, JsonObject } from '../../server/json.ts';
import { Refusal } from '../../server/refusal.ts';
import { mintId, newRecord, shownTimes, type World } from '../../world/world.ts';
import {
  bookIssue,
  ISSUE_LIFE,
  type ProviderAccount,
  providerAccounts,
  type Stablecoin,
  type StablecoinOperation,
  stablecoinOperations,
  stablecoins,
  supplyOf,
} from './records.ts';
import { changeStatus } from '../../world/table.ts';

/** An int64 shows no more. */
const MOST = 2n ** 63n - 1n;

/** Registers a coin with the platform's account at a provider. @throws Refusal */
export function registerStablecoin(world: World, platformId: string, body: JsonObject): Stablecoin {
  const account = world.behaviour.providerAccountFor(platformId, body['stablecoinProviderAccountId']);
  const id = mintId(world, 'Stablecoin');
  const coin: Stablecoin = {
    id,
    platformId,
    name: String(body['name'] ?? 'Coin'),
    symbol: String(body['symbol'] ?? body['ticker'] ?? 'COIN'),
    providerAccountId: account.id,
    createdAt: world.clock.now(),
  };
  return stablecoins.put(world, id, coin);
}

/** The link that a request uses: the one it names, or the only active one. @throws Refusal */
export function providerAccountFor(
  world: World,
  platformId: string,
  named: Json | undefined,
): ProviderAccount {
  const mine = providerAccounts.all(world).filter((account) => account.platformId === platformId);
  if (named !== undefined && named !== null) {
    const account = mine.find((one) => one.id === named);
    if (!account) throw world.behaviour.refuseUnknownProvider(String(named));
    return usableProvider(world, account);
  }
  const active = mine.filter((account) => account.status === 'ACTIVE');
  if (active.length > 1) return world.behaviour.severalProviders(active);
  const only = active[0] ?? mine[0];
  // A platform that was prepared without links has the sandbox's own.
  if (!only) return { id: 'StablecoinProviderAccount:sandbox', platformId, status: 'ACTIVE' };
  return usableProvider(world, only);
}

/** @throws Refusal */
function usableProvider(world: World, account: ProviderAccount): ProviderAccount {
  if (account.status === 'REVOKED') return world.behaviour.revokedProvider(account);
  if (account.status === 'INVALID') return world.behaviour.invalidProvider(account);
  return account;
}

/** Mints or burns; the operation is on its way. @throws Refusal */
export function issueStablecoin(
  world: World,
  coin: Stablecoin,
  type: StablecoinOperation['type'],
  amount: bigint,
): StablecoinOperation {
  const supply = supplyOf(world, coin);
  if (type === 'BURN' && amount > supply)
    throw new Refusal(400, 'AMOUNT_OUT_OF_RANGE', 'So many coins are not in circulation.');
  if (type === 'MINT' && supply + amount > MOST)
    throw new Refusal(400, 'AMOUNT_OUT_OF_RANGE', 'So many coins cannot be in circulation.');
  const operation = recordIssue(world, coin, type, amount);
  bookIssue(world, coin, type, amount, operation.id);
  return operation;
}

/** Puts a mint or burn on record, so that it can be followed. */
function recordIssue(
  world: World,
  coin: Stablecoin,
  type: StablecoinOperation['type'],
  amount: bigint,
): StablecoinOperation {
  const born = newRecord(world, 'StablecoinOperation');
  return stablecoinOperations.put(world, born.id, {
    ...born,
    stablecoinId: coin.id,
    type,
    status: 'PENDING',
    amount,
  });
}

/** What a coin's list of operations shows. */
export function operationsOf(world: World, coin: Stablecoin): readonly StablecoinOperation[] {
  return stablecoinOperations.all(world).filter((operation) => operation.stablecoinId === coin.id);
}

/** Ends a mint or a burn. */
export function settleIssue(world: World, operation: StablecoinOperation): void {
  changeStatus(world, ISSUE_LIFE, operation, 'SETTLED');
  operation.updatedAt = world.clock.now();
}

/** A mint or a burn as the answers show it. */
export function presentIssue(world: World, operation: StablecoinOperation): JsonObject {
  const { id, stablecoinId, type, status, amount } = operation;
  return { id, stablecoinId, type, status, amount, ...shownTimes(world, operation) };
}
