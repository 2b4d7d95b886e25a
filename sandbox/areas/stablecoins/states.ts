import { param, type State, Unpreparable } from '../../server/area.ts';
import type { Json, JsonObject } from '../../server/json.ts';
import { mintId } from '../../world/world.ts';
import { amountParam, newPlatform } from '../customers/states.ts';
import { bookIssue, type ProviderAccount, providerAccounts, stablecoins } from './records.ts';

/** A platform of its own with links to stablecoin providers. */
export const stablecoinState: State = {
  name: 'stablecoin',
  params: {
    providerAccounts: { type: 'array', items: { enum: ['ACTIVE', 'REVOKED', 'INVALID'] } },
    registered: { type: 'boolean' },
    minted: amountParam,
  },
  setup(world, params) {
    const platform = newPlatform(world);
    const statuses = param<readonly ProviderAccount['status'][]>(params, 'providerAccounts', ['ACTIVE']);
    const ids = statuses.map((status) => {
      const id = mintId(world, 'StablecoinProviderAccount');
      return providerAccounts.put(world, id, { id, platformId: platform.id, status }).id;
    });
    const register = { name: 'Sandbox Dollar', symbol: 'SBD', currency: 'USD', network: 'SOLANA' };
    const minted = BigInt(param<number | bigint>(params, 'minted', 0));
    const values: JsonObject = {
      clientId: platform.clientId,
      clientSecret: platform.clientSecret,
      providerAccountIds: ids,
      unknownProviderAccountId: mintId(world, 'StablecoinProviderAccount'),
      register,
      mint: { amount: 100_000 },
      burn: { amount: 40_000 },
    };
    if (params['registered'] !== true && minted === 0n) return values;
    if (!statuses.includes('ACTIVE'))
      throw new Unpreparable('a coin is registered with an ACTIVE link only.');
    const id = mintId(world, 'Stablecoin');
    const coin = stablecoins.put(world, id, {
      id,
      platformId: platform.id,
      name: register.name,
      symbol: register.symbol,
      providerAccountId: ids[statuses.indexOf('ACTIVE')]!,
      createdAt: world.clock.now(),
    });
    bookIssue(world, coin, 'MINT', minted, id);
    const operations: Json = { method: 'GET', path: `/stablecoins/${id}/operations` };
    return { ...values, stablecoinId: id, operations };
  },
};
