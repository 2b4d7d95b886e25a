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
export async function sealText(targetPublic: string, plaintext: string, form: SealForm): Promise<string> {
  const sealed = await hpkeSeal(targetPublic, utf8(plaintext), settingsOf(form));
  return JSON.stringify({ encappedPublic: toHex(sealed.enc), ciphertext: toHex(sealed.ciphertext) });
}

/** The plaintext of an `encryptedOtpBundle`. */
export function otpPlaintext(proof: OtpProof): string {
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
