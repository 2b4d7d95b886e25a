import type { Json } from '../../server/json.ts';

/** An amount as a body says it, once its schema has made sure that it is an int64. */
export function readAmount(value: Json | undefined): bigint {
  return BigInt(value as number | bigint);
}
