import { KeyPair } from '../../../client/crypto/index.ts';

/** Texts to which no session key can be sealed, however they are read. */
export const badClientKeys: readonly { readonly says: string; readonly make: () => string }[] = [
  { says: 'empty', make: () => '' },
  { says: 'not hexadecimal', make: () => `zz${KeyPair.generate().uncompressed.slice(2)}` },
  { says: 'one byte short', make: () => KeyPair.generate().uncompressed.slice(0, -2) },
  { says: 'no point of the curve', make: () => `04${'1'.padStart(128, '0')}` },
];
