import { code as iso4217 } from 'currency-codes';
import type { JsonObject } from '../../server/json.ts';
import type { World } from '../../world/world.ts';

/** What ISO 4217 does not know, under its ticker. */
const CRYPTO: Readonly<Record<string, readonly [name: string, symbol: string, decimals: number]>> = {
  BTC: ['Bitcoin', '₿', 8],
  USDC: ['USD Coin', 'USDC', 6],
  USDT: ['Tether', 'USDT', 6],
};

/** A currency as an object (interface.md > Currency). */
export function presentCurrency(_world: World, code: string): JsonObject {
  const crypto = CRYPTO[code];
  if (crypto) return { code, name: crypto[0], symbol: crypto[1], decimals: crypto[2] };
  const known = iso4217(code);
  if (!known) return { code, name: code, symbol: code, decimals: 2 };
  return { code, name: known.currency, symbol: symbolOf(code), decimals: known.digits };
}

const symbols = new Map<string, string>();

/** As people write it; the code where they write that. A format takes long to make, so each is made once. */
function symbolOf(currency: string): string {
  const known = symbols.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  const symbol = format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
  symbols.set(currency, symbol);
  return symbol;
}
