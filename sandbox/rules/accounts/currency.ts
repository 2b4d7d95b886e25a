import type { JsonObject } from '../../core/json.ts';
import type { World } from '../../core/world.ts';

const KNOWN: Readonly<Record<string, readonly [name: string, symbol: string, decimals: number]>> = {
  USD: ['United States Dollar', '$', 2],
  EUR: ['Euro', '€', 2],
  GBP: ['Pound Sterling', '£', 2],
  INR: ['Indian Rupee', '₹', 2],
  BRL: ['Brazilian Real', 'R$', 2],
  MXN: ['Mexican Peso', '$', 2],
  BTC: ['Bitcoin', '₿', 8],
  USDC: ['USD Coin', 'USDC', 6],
};

/** A currency as an object (interface.md > Currency). */
export function presentCurrency(_world: World, code: string): JsonObject {
  const [name, symbol, decimals] = KNOWN[code] ?? [code, code, 2];
  return { code, name, symbol, decimals };
}
