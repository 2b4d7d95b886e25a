import { toHex, utf8 } from '../bytes.ts';
import { KeyPair } from '../key-pair.ts';
import { settingsOf, type SealForm } from './hpke.ts';
import { otpPlaintext, readOtpTargetBundle, sealOtpBundle, sealText, type OtpProof } from './otp-bundle.ts';

/** One way to get an `encryptedOtpBundle` wrong although the code in it is right. */
export interface BadOtpBundle {
  /** Kebab-case, unique in the table. */
  readonly name: string;
  /** `form`: it cannot be parsed. `seal`: it does not open. `content`: it opens, and what it holds is unusable. */
  readonly part: 'form' | 'seal' | 'content';
  /** What is wrong, to follow "the bundle …". */
  readonly says: string;
  /** The bundle, for the target bundle of a challenge and the proof it should have carried. */
  make(targetBundle: unknown, proof: OtpProof, form: SealForm): Promise<string>;
}

interface Parts {
  encappedPublic: string;
  ciphertext: string;
}

async function good(targetBundle: unknown, proof: OtpProof, form: SealForm): Promise<Parts> {
  const text = await sealOtpBundle(targetBundle, proof, form);
  return JSON.parse(text) as Parts;
}

function form(name: string, says: string, change: (parts: Parts) => unknown): BadOtpBundle {
  const make: BadOtpBundle['make'] = async (target, proof, form) => {
    const changed = change(await good(target, proof, form));
    return typeof changed === 'string' ? changed : JSON.stringify(changed);
  };
  return { name, part: 'form', says, make };
}

function seal(
  name: string,
  says: string,
  make: (target: string, text: string, form: SealForm) => Promise<string>,
): BadOtpBundle {
  return {
    name,
    part: 'seal',
    says,
    make: (target, proof, form) => make(readOtpTargetBundle(target).targetPublic, otpPlaintext(proof), form),
  };
}

function content(name: string, says: string, write: (proof: OtpProof) => string): BadOtpBundle {
  return {
    name,
    part: 'content',
    says,
    make: (target, proof, form) =>
      sealText(readOtpTargetBundle(target).targetPublic, write(proof), settingsOf(form)),
  };
}

/** The last hexadecimal digit changed: in a ciphertext that is the tag. */
const flipped = (hex: string): string =>
  hex.slice(0, -1) + (Number.parseInt(hex.slice(-1), 16) ^ 1).toString(16);

/** Every wrong bundle. A wrong code is no row of its own: seal another code. */
export const badOtpBundles: readonly BadOtpBundle[] = [
  form('bundle-not-json', 'is not JSON', () => 'not a bundle'),
  form('bundle-json-array', 'is a JSON array', (parts) => Object.values(parts)),
  form('encapped-public-missing', 'has no encappedPublic', ({ ciphertext }) => ({ ciphertext })),
  form('encapped-public-not-hex', 'has an encappedPublic that is not hexadecimal', (parts) => ({
    ...parts,
    encappedPublic: `zz${parts.encappedPublic.slice(2)}`,
  })),
  form('encapped-public-not-on-curve', 'has an encappedPublic that is no point of the curve', (parts) => ({
    ...parts,
    encappedPublic: `04${'1'.padStart(128, '0')}`,
  })),
  form('ciphertext-missing', 'has no ciphertext', ({ encappedPublic }) => ({ encappedPublic })),
  form('ciphertext-not-hex', 'has a ciphertext that is not hexadecimal', (parts) => ({
    ...parts,
    ciphertext: `zz${parts.ciphertext.slice(2)}`,
  })),
  form('ciphertext-empty', 'has an empty ciphertext', (parts) => ({ ...parts, ciphertext: '' })),

  seal('sealed-to-another-key', 'is sealed to another key', (_, text, form) =>
    sealText(KeyPair.generate().uncompressed, text, settingsOf(form)),
  ),
  seal('sealed-with-another-info', 'is sealed under another info', (target, text, form) =>
    sealText(target, text, { ...settingsOf(form), info: utf8('another info') }),
  ),
  seal('sealed-with-another-aad', 'is sealed with other additional data', (target, text, form) =>
    sealText(target, text, settingsOf({ ...form, aad: form.aad === 'keys' ? 'none' : 'keys' })),
  ),
  seal('ciphertext-tampered', 'has a ciphertext that was changed', async (target, text, form) => {
    const parts = JSON.parse(await sealText(target, text, settingsOf(form))) as Parts;
    return JSON.stringify({ ...parts, ciphertext: flipped(parts.ciphertext) });
  }),
  seal('ciphertext-in-clear', 'carries the plaintext unsealed', async (target, text, form) => {
    const parts = JSON.parse(await sealText(target, text, settingsOf(form))) as Parts;
    return JSON.stringify({ ...parts, ciphertext: toHex(utf8(text)) });
  }),

  content('plaintext-not-json', 'holds text that is not JSON', (proof) => proof.otpCode),
  content('plaintext-without-code', 'holds no otp_code', (proof) =>
    JSON.stringify({ public_key: proof.publicKey }),
  ),
  content('plaintext-without-key', 'holds no public_key', (proof) =>
    JSON.stringify({ otp_code: proof.otpCode }),
  ),
  content('plaintext-key-not-on-curve', 'holds a public_key that is no point of the curve', (proof) =>
    JSON.stringify({ otp_code: proof.otpCode, public_key: `04${'1'.padStart(128, '0')}` }),
  ),
];
