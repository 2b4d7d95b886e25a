import { KeyPair, type CeremonyOptions } from '../../../client/crypto/index.ts';
import type { Proof } from '../../../suite/index.ts';

/** A right proof with a code that is not the right one, of the same form. */
export function withAnotherCode(proof: Proof): Proof {
  return bent(proof, (code) => code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)));
}

/** Wrong proofs, made from the right one by a code. */
export const WRONG_CODES: readonly { readonly says: string; readonly make: (proof: Proof) => Proof }[] = [
  { says: 'another code', make: withAnotherCode },
  { says: 'a code one digit short', make: (proof) => bent(proof, (code) => code.slice(0, -1)) },
  { says: 'a code with a digit too many', make: (proof) => bent(proof, (code) => `${code}0`) },
  { says: 'an empty code', make: (proof) => bent(proof, () => '') },
  { says: 'no proof at all', make: () => ({}) },
];

/** The field of a code is the target's to name; ids keep what they are. */
function bent(proof: Proof, bend: (code: string) => string): Proof {
  return Object.fromEntries(
    Object.entries(proof).map(([name, value]) => [
      name,
      typeof value === 'string' && /^\d+$/.test(value) ? bend(value) : value,
    ]),
  );
}

const random = () => crypto.getRandomValues(new Uint8Array(32));

/** Wrong assertions, signed over exactly what they say. */
export const WRONG_ASSERTIONS: readonly { readonly says: string; readonly make: () => CeremonyOptions }[] = [
  { says: 'an assertion over another challenge', make: () => ({ challenge: random() }) },
  { says: 'an assertion signed by another key', make: () => ({ signingKey: KeyPair.generate() }) },
  { says: 'an assertion for another relying party', make: () => ({ rpId: 'phishing.example' }) },
];
