/** Fields of requests in which money is named, in the smallest unit of the currency. */
const AMOUNT_FIELDS = new Set(['amount', 'lockedCurrencyAmount']);
const DEEPEST = 8;

/**
 * An amount of money in a request's body that is larger than the user allows, or undefined.
 *
 * @param body value or JSON text; text that is no JSON names no amount
 * @param largest smallest unit of the currency
 */
export function amountBeyond(body: unknown, largest: number | undefined): number | bigint | undefined {
  if (largest === undefined) return undefined;
  return find(typeof body === 'string' ? parsed(body) : body, largest, 0);
}

function find(node: unknown, largest: number, depth: number): number | bigint | undefined {
  if (typeof node !== 'object' || node === null || depth > DEEPEST) return undefined;
  for (const [key, value] of Object.entries(node)) {
    const amount = AMOUNT_FIELDS.has(key) ? numberIn(value) : undefined;
    if (amount !== undefined && amount > largest) return amount;
    const deeper = find(value, largest, depth + 1);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

/** A lenient service takes "100" for 100: so does this guard. */
function numberIn(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value !== 'string' || value.trim() === '' || Number.isNaN(Number(value))) return undefined;
  return Number(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
