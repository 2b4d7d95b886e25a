import { fromHex, toHex, utf8 } from './bytes.ts';
import { hpkeSeal, SealedKeyError, settingsOf, type SealForm, type SealSettings } from './hpke.ts';
import { KeyPair, verifyDer } from './key-pair.ts';

/** What an `otpEncryptionTargetBundle` says: the key to seal to, and who vouches for it. */
interface OtpTargetBundle {
  /** The point to seal to, 130 lower-case hexadecimal digits. */
  targetPublic: string;
  /**
   * Whether `dataSignature` is a signature of `enclaveQuorumPublic` over the data; undefined where either is absent.
   * Verified when it is asked for: few callers insist on it, and it takes longer than all else here.
   */
  readonly dataSigned: boolean | undefined;
  /** The signing key, where the bundle names one: a caller that pins it compares it. */
  enclaveQuorumPublic: string | undefined;
}

/**
 * Reads the `otpEncryptionTargetBundle` of a challenge (a JSON-encoded string).
 * A wrong `dataSignature` is reported, not thrown: whether to insist on it is the caller's choice.
 * @throws SealedKeyError where no key to seal to can be read
 */
export function readOtpTargetBundle(text: unknown): OtpTargetBundle {
  if (typeof text !== 'string') throw new SealedKeyError('not-text', 'The target bundle is not a text.');
  const bundle = object(text, 'The target bundle');
  const dataHex = field(bundle, 'data', 'The target bundle');
  const data = hex(dataHex, "The target bundle's data");
  const inner = object(new TextDecoder().decode(data), "The target bundle's data, decoded,");
  const targetPublic = field(inner, 'targetPublic', "The target bundle's data");
  hex(targetPublic, 'targetPublic');
  if (!KeyPair.isPublicKey(targetPublic) || targetPublic.length !== 130) {
    throw new SealedKeyError('not-on-curve', 'targetPublic is not an uncompressed P-256 point.');
  }
  const { dataSignature, enclaveQuorumPublic } = bundle;
  const signed = typeof dataSignature === 'string' && typeof enclaveQuorumPublic === 'string';
  return {
    targetPublic: targetPublic.toLowerCase(),
    get dataSigned() {
      return signed ? isSigned(data, dataSignature, enclaveQuorumPublic) : undefined;
    },
    enclaveQuorumPublic: typeof enclaveQuorumPublic === 'string' ? enclaveQuorumPublic : undefined,
  };
}

function isSigned(data: Uint8Array, signature: string, publicKey: string): boolean {
  try {
    return verifyDer(fromHex(signature), data, publicKey);
  } catch {
    return false;
  }
}

function object(text: string, subject: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Said below, in the same words as for JSON of another kind.
  }
  throw new SealedKeyError('not-json', `${subject} is not a JSON object.`);
}

function field(from: Record<string, unknown>, name: string, subject: string): string {
  const value = from[name];
  if (typeof value === 'string') return value;
  throw new SealedKeyError('field-missing', `${subject} has no text called ${name}.`);
}

function hex(text: string, subject: string): Uint8Array {
  try {
    return fromHex(text);
  } catch {
    throw new SealedKeyError('not-hex', `${subject} is not hexadecimal.`);
  }
}

/** What is sealed in an `encryptedOtpBundle`. */
export interface OtpProof {
  /** The code that the customer received. */
  otpCode: string;
  /** The point of the new session key, uncompressed, in hexadecimal digits. */
  publicKey: string;
}

/** Writes one sealed message as the JSON text that an `encryptedOtpBundle` is. */
async function sealText(targetPublic: string, plaintext: string, settings: SealSettings): Promise<string> {
  const sealed = await hpkeSeal(targetPublic, utf8(plaintext), settings);
  return JSON.stringify({ encappedPublic: toHex(sealed.enc), ciphertext: toHex(sealed.ciphertext) });
}

/** The plaintext of an `encryptedOtpBundle`. */
function otpPlaintext(proof: OtpProof): string {
  return JSON.stringify({ otp_code: proof.otpCode, public_key: proof.publicKey });
}

/**
 * The `encryptedOtpBundle` for a challenge: code and session key, sealed to the challenge's target bundle
 * (interface.md, Credential flows 1).
 * @throws SealedKeyError where the target bundle cannot be sealed to
 */
export async function sealOtpBundle(targetBundle: unknown, proof: OtpProof, form: SealForm): Promise<string> {
  return sealText(readOtpTargetBundle(targetBundle).targetPublic, otpPlaintext(proof), settingsOf(form));
}

/** One way to get an `encryptedOtpBundle` wrong although the code in it is right. */
interface BadOtpBundle {
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
