import { toHex, utf8 } from '../bytes.ts';
import { hpkeSeal, settingsOf, type SealForm, type SealSettings } from './hpke.ts';
import { readOtpTargetBundle } from './otp-target-bundle.ts';

/** What is sealed in an `encryptedOtpBundle`. */
export interface OtpProof {
  /** The code that the customer received. */
  otpCode: string;
  /** The point of the new session key, uncompressed, in hexadecimal digits. */
  publicKey: string;
}

/** Writes one sealed message as the JSON text that an `encryptedOtpBundle` is. */
export async function sealText(
  targetPublic: string,
  plaintext: string,
  settings: SealSettings,
): Promise<string> {
  const sealed = await hpkeSeal(targetPublic, utf8(plaintext), settings);
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
  return sealText(readOtpTargetBundle(targetBundle).targetPublic, otpPlaintext(proof), settingsOf(form));
}
