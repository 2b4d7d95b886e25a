import type { JsonObject } from '../../core/json.ts';
import { Refusal } from '../../core/refusal.ts';
import { ok, type Reply } from '../../core/reply.ts';
import type { World } from '../../core/world.ts';

const RECEIVING = ['EUR', 'GBP', 'INR', 'BRL', 'MXN', 'BTC', 'USDC'];

/** Exchange rates as they are cached now. @throws Refusal */
export function readRates(world: World, sending: string | undefined, receiving: string | undefined): Reply {
  const from = sending ?? 'USD';
  for (const code of [from, receiving]) {
    if (code !== undefined && !/^[A-Z0-9]{3,12}$/.test(code))
      throw new Refusal(400, 'INVALID_CURRENCY', `${code} is no currency.`);
  }
  const wanted = receiving === undefined ? RECEIVING.filter((code) => code !== from) : [receiving];
  return ok({ data: wanted.map((code) => world.rules.presentRate(world, from, code)) });
}

export function presentRate(world: World, sending: string, receiving: string): JsonObject {
  const { rate, takenAt } = world.rules.rateShown(world, sending, receiving);
  return {
    sourceCurrency: sending,
    destinationCurrency: receiving,
    exchangeRate: rate,
    updatedAt: world.rules.presentTime(world, takenAt),
    expiresAt: world.rules.presentTime(world, takenAt + world.rules.rateCacheTime(world)),
  };
}

/** The rate of the list: the same cache as that of quotes. */
export function rateShown(
  world: World,
  sending: string,
  receiving: string,
): { readonly rate: number; readonly takenAt: number } {
  return world.rules.cachedRate(world, sending, receiving, world.clock.now());
}
