import { KeyPair } from '../../../client/crypto/index.ts';

/** Texts that are no P-256 public key in hex. */
export const badClientKeys: readonly { readonly says: string; readonly make: () => string }[] = [
  { says: 'empty', make: () => '' },
  { says: 'not hexadecimal', make: () => `zz${KeyPair.generate().uncompressed.slice(2)}` },
  { says: 'one byte short', make: () => KeyPair.generate().uncompressed.slice(0, -2) },
  { says: 'no point of the curve', make: () => `04${'1'.padStart(128, '0')}` },
  {
    says: 'base64 instead of hex',
    make: () => Buffer.from(KeyPair.generate().uncompressed, 'hex').toString('base64'),
  },
];
