import { fromHex, toHex, utf8 } from './bytes.ts';
import { hpkeSeal, SealedKeyError, settingsOf, type SealForm } from './hpke.ts';
import { KeyPair } from './key-pair.ts';

/**
 * Reads the `otpEncryptionTargetBundle` of a challenge (a JSON-encoded string). Who signs it is not shown, so that nobody insists
 * on the signature in it.
 *
 * @returns the point to seal to: 130 lower-case hexadecimal digits
 * @throws SealedKeyError where no key to seal to can be read
 */
export function readOtpTargetBundle(text: unknown): { readonly targetPublic: string } {
  if (typeof text !== 'string') throw new SealedKeyError('not-text', 'The target bundle is not a text.');
  const data = hex(
    field(object(text, 'The target bundle'), 'data', 'The target bundle'),
    "The target bundle's data",
  );
  const inner = object(new TextDecoder().decode(data), "The target bundle's data, decoded,");
  const targetPublic = field(inner, 'targetPublic', "The target bundle's data");
  hex(targetPublic, 'targetPublic');
  if (!KeyPair.isPublicKey(targetPublic) || targetPublic.length !== 130) {
    throw new SealedKeyError('not-on-curve', 'targetPublic is not an uncompressed P-256 point.');
  }
  return { targetPublic: targetPublic.toLowerCase() };
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
