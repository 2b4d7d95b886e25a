import { fromHex, toHex, utf8 } from './bytes.ts';
import { hpkeSeal, SealedKeyError, settingsOf, type SealForm } from './hpke.ts';
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
async function sealText(targetPublic: string, plaintext: string, form: SealForm): Promise<string> {
  const sealed = await hpkeSeal(targetPublic, utf8(plaintext), settingsOf(form));
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
  return sealText(readOtpTargetBundle(targetBundle).targetPublic, otpPlaintext(proof), form);
}

/** One way to get an `encryptedOtpBundle` wrong although the code in it is right. A wrong code is no row: seal another code. */
interface BadOtpBundle {
  readonly rule: string;
  /** What is wrong, to follow "the bundle …". */
  readonly says: string;
  /** The bundle, for the target bundle of a challenge and the proof it should have carried. */
  make(targetBundle: unknown, proof: OtpProof, form: SealForm): Promise<string>;
}

interface Parts {
  readonly encappedPublic: string;
  readonly ciphertext: string;
}

/** A good bundle of which something cannot be read. */
function unreadable(says: string, change: (good: Parts, proof: OtpProof) => unknown): BadOtpBundle {
  const make: BadOtpBundle['make'] = async (target, proof, form) => {
    const good = JSON.parse(await sealOtpBundle(target, proof, form)) as Parts;
    const changed = change(good, proof);
    return typeof changed === 'string' ? changed : JSON.stringify(changed);
  };
  return { rule: 'VERIFY-EMAIL-OTP-UNREADABLE', says, make };
}

/** The last hexadecimal digit changed: in a ciphertext that is the tag. */
const flipped = (hex: string): string =>
  hex.slice(0, -1) + (Number.parseInt(hex.slice(-1), 16) ^ 1).toString(16);
const notHex = (hex: string): string => `zz${hex.slice(2)}`;

/** Every wrong bundle of which the interface speaks. */
export const badOtpBundles: readonly BadOtpBundle[] = [
  unreadable('is not JSON', () => 'not a bundle'),
  unreadable('is a JSON array', (good) => Object.values(good)),
  unreadable('has no encappedPublic', ({ ciphertext }) => ({ ciphertext })),
  unreadable('has an encappedPublic that is not hexadecimal', (good) => ({
    ...good,
    encappedPublic: notHex(good.encappedPublic),
  })),
  unreadable('has an encappedPublic that is no point of the curve', (good) => ({
    ...good,
    encappedPublic: `04${'1'.padStart(128, '0')}`,
  })),
  unreadable('has no ciphertext', ({ encappedPublic }) => ({ encappedPublic })),
  unreadable('has a ciphertext that is not hexadecimal', (good) => ({
    ...good,
    ciphertext: notHex(good.ciphertext),
  })),
  unreadable('has an empty ciphertext', (good) => ({ ...good, ciphertext: '' })),
  unreadable('has a ciphertext that was changed', (good) => ({
    ...good,
    ciphertext: flipped(good.ciphertext),
  })),
  unreadable('carries the plaintext unsealed', (good, proof) => ({
    ...good,
    ciphertext: toHex(utf8(otpPlaintext(proof))),
  })),
  {
    rule: 'VERIFY-EMAIL-OTP-OTHER-TARGET',
    says: 'is sealed to another key',
    make: (_, proof, form) => sealText(KeyPair.generate().uncompressed, otpPlaintext(proof), form),
  },
  {
    rule: 'VERIFY-EMAIL-OTP-WRONG-CODE',
    says: 'holds no otp_code',
    make: (target, { publicKey }, form) =>
      sealText(readOtpTargetBundle(target).targetPublic, JSON.stringify({ public_key: publicKey }), form),
  },
];
