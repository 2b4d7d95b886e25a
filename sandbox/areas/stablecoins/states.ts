import { param, type State, Unpreparable } from '../../server/area.ts';
import type { JsonObject } from '../../server/json.ts';
import { mintId } from '../../world/world.ts';
import { amountParam, newPlatform } from '../customers/states.ts';
import type { ProviderAccount } from './records.ts';

/** A platform of its own with links to stablecoin providers. */
export const stablecoinState: State = {
  name: 'stablecoin',
  params: {
    providerAccounts: { type: 'array', items: { enum: ['ACTIVE', 'REVOKED', 'INVALID'] } },
    registered: { type: 'boolean' },
    minted: amountParam,
  },
  setup(world, params) {
    const { rules } = world;
    const platform = newPlatform(world);
    const statuses = param<readonly ProviderAccount['status'][]>(params, 'providerAccounts', ['ACTIVE']);
    const ids = statuses.map((status) => rules.linkProvider(platform.id, status).id);
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
    const stablecoinProviderAccountId = ids[statuses.indexOf('ACTIVE')];
    const coin = rules.registerStablecoin(platform.id, { ...register, stablecoinProviderAccountId });
    if (minted > 0n) rules.settleIssue(rules.issueStablecoin(coin, 'MINT', minted));
    const operations = { method: 'GET', path: `/stablecoins/${coin.id}/operations` };
    return { ...values, stablecoinId: coin.id, operations };
  },
};
