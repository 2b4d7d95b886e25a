import fc from 'fast-check';

const LONGEST = 64;
const UNITS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_';

/**
 * Keys that every service can take: UUIDs, and short tokens of letters, digits, dash and underscore. The interface names
 * no form; tokens are long enough not to meet again.
 */
export function idempotencyKeys(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.uuid(),
    fc.string({ unit: fc.constantFrom(...UNITS), minLength: 16, maxLength: LONGEST }),
  );
}
