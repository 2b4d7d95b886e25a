export const RECEIVING = ['EUR', 'GBP', 'INR', 'BRL', 'MXN', 'BTC', 'USDC'];

/** Worth of one main unit in US dollars. */
const WORTH: Readonly<Record<string, number>> = {
  USD: 1,
  EUR: 1.08,
  GBP: 1.27,
  INR: 0.012,
  BRL: 0.2,
  MXN: 0.055,
  BTC: 65_000,
  USDC: 1,
  USDT: 1,
};

/** Smallest unit of the sending currency. */
export const SERVICE_FIXED_FEE = 5n;

/** In percent of the sending amount. */
export const VARIABLE_FEE_RATE = 0.5;

/** The variable fee of a sending amount, rounded to the smallest unit. */
export function variableFee(sending: bigint): bigint {
  return BigInt(Math.round((Number(sending) * VARIABLE_FEE_RATE) / 100));
}

/** Worth of one main unit of a currency, in US dollars, before it moves. */
export function worthOf(currency: string): number {
  return WORTH[currency] ?? 0.5;
}
