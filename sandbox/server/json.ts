import { parse, stringify } from 'lossless-json';

/** JSON as the sandbox holds it: integers beyond 2^53 are bigint, so that no amount loses a digit. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

export type JsonObject = { readonly [key: string]: Json | undefined };

/** Strict JSON, read without losing digits. @throws SyntaxError when the text is not JSON, or says two things under one key */
export function parseJson(text: string): Json {
  try {
    return parse(text, null, exactNumber) as Json;
  } catch (error) {
    // The recursive parser runs out of stack on absurd nesting; for the caller that is malformed input too.
    throw error instanceof SyntaxError ? error : new SyntaxError('not readable as JSON');
  }
}

/** JSON text; bigint is written as a number, members that are undefined are left out. */
export function printJson(value: Json): string {
  return stringify(value) ?? 'null';
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A copy in which every bigint is a double, for validators that know nothing else. What lies outside int64 is pushed
 * far outside, so that rounding never brings 2^63 back to the upper bound.
 */
export function withDoubles(value: Json): Json {
  if (typeof value === 'bigint')
    return BigInt.asIntN(64, value) === value ? Number(value) : value < 0n ? -(2 ** 70) : 2 ** 70;
  if (Array.isArray(value)) return value.map(withDoubles);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, item === undefined ? item : withDoubles(item)]),
  );
}

function exactNumber(text: string): number | bigint {
  const approximate = Number(text);
  if (/^-?\d+$/.test(text)) return Number.isSafeInteger(approximate) ? approximate : BigInt(text);
  const [, sign, whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === undefined || !Number.isInteger(approximate) || Math.abs(Number(exponent)) > 400)
    return approximate;
  const zeros = Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  const exact = zeros >= 0 ? digits * 10n ** BigInt(zeros) : divided(digits, 10n ** BigInt(-zeros));
  // A fraction that a double rounds away is still a fraction: NaN fails every numeric type.
  if (exact === undefined) return Number.NaN;
  const signed = sign === '-' ? -exact : exact;
  return Number.isSafeInteger(approximate) ? Number(signed) : signed;
}

function divided(value: bigint, by: bigint): bigint | undefined {
  return value % by === 0n ? value / by : undefined;
}

/** The value where it is text, else an empty one. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** An amount as a body says it, once its schema has made sure that it is an int64. */
export function readAmount(value: Json | undefined): bigint {
  return BigInt(value as number | bigint);
}
