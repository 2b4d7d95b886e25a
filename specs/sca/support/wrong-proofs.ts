import { KeyPair, type CeremonyOptions } from '../../../client/crypto/index.ts';

/** A code that is not the right one, of the same form. */
export function otherCode(code: string): string {
  return code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
}

/** Wrong proofs of a code. */
export const WRONG_CODES: readonly { readonly says: string; readonly make: (code: string) => object }[] = [
  { says: 'another code', make: (code) => ({ code: otherCode(code) }) },
  { says: 'a code one digit short', make: (code) => ({ code: code.slice(0, -1) }) },
  { says: 'a code with a digit too many', make: (code) => ({ code: `${code}0` }) },
  { says: 'an empty code', make: () => ({ code: '' }) },
  { says: 'no proof at all', make: () => ({}) },
];

const random = () => crypto.getRandomValues(new Uint8Array(32));

/** Wrong assertions, signed over exactly what they say. */
export const WRONG_ASSERTIONS: readonly { readonly says: string; readonly make: () => CeremonyOptions }[] = [
  { says: 'an assertion over another challenge', make: () => ({ challenge: random() }) },
  { says: 'an assertion signed by another key', make: () => ({ signingKey: KeyPair.generate() }) },
  { says: 'an assertion for another relying party', make: () => ({ rpId: 'phishing.example' }) },
];
