import {
  createHash,
  ECDH,
  generateKeyPairSync,
  sign,
  createPublicKey,
  verify,
  type KeyObject,
} from 'node:crypto';
import { AEAD_AES_256_GCM, CipherSuite, KDF_HKDF_SHA256, KEM_DHKEM_P256_HKDF_SHA256 } from 'hpke';
import { base58 } from '@scure/base';
import {
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from '@simplewebauthn/server';
import type { PasskeyAssertion, PasskeyRegistration } from '../../../client/crypto/software-passkey.ts';

/** The suite of the interface, from a library that the client does not use. */
const suite = new CipherSuite(KEM_DHKEM_P256_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_256_GCM);
const info = Buffer.from('turnkey_hpke', 'utf8');
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const plain = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'hex'));

type TargetKey = Awaited<ReturnType<typeof suite.GenerateKeyPair>>;

/** The far side of the sealed messages: what holds the target key and seals session keys. */
export class Enclave {
  readonly #target: TargetKey;
  readonly targetPublic: string;

  private constructor(target: TargetKey, targetPublic: string) {
    this.#target = target;
    this.targetPublic = targetPublic;
  }

  static async create(): Promise<Enclave> {
    const target = await suite.GenerateKeyPair();
    return new Enclave(target, hex(await suite.SerializePublicKey(target.publicKey)));
  }

  /** A signed `otpEncryptionTargetBundle`. */
  targetBundle(signedData?: Buffer): string {
    const quorum = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = quorum.publicKey.export({ format: 'jwk' });
    const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
    const data = Buffer.from(
      JSON.stringify({ targetPublic: this.targetPublic, organizationId: 'any' }),
      'utf8',
    );
    return JSON.stringify({
      version: 'v1.0.0',
      data: hex(data),
      dataSignature: hex(sign('sha256', signedData ?? data, { key: quorum.privateKey, dsaEncoding: 'der' })),
      enclaveQuorumPublic: hex(point),
    });
  }

  /** Opens an `encryptedOtpBundle`; rejects where it does not open. */
  async openOtpBundle(bundle: string): Promise<string> {
    const { encappedPublic, ciphertext } = JSON.parse(bundle) as Record<string, string>;
    const enc = plain(encappedPublic ?? '');
    const aad = Buffer.concat([enc, plain(this.targetPublic)]);
    const opened = await suite.Open(this.#target, enc, plain(ciphertext ?? ''), { info, aad });
    return Buffer.from(opened).toString('utf8');
  }

  /** An `encryptedSessionSigningKey` around a plaintext, sealed to an uncompressed point. */
  static async sealSessionKey(plaintext: Uint8Array, clientPublicKey: string): Promise<string> {
    const recipient = await suite.DeserializePublicKey(plain(clientPublicKey));
    // The additional data holds the encapsulated key, so a context is set up first and the message sealed after.
    const { encapsulatedSecret, ctx } = await suite.SetupSender(recipient, { info });
    const aad = Buffer.concat([encapsulatedSecret, plain(clientPublicKey)]);
    const ciphertext = await ctx.Seal(plaintext, aad);
    const compressed = ECDH.convertKey(hex(encapsulatedSecret), 'prime256v1', 'hex', 'hex', 'compressed');
    return base58check(Buffer.concat([Buffer.from(compressed as string, 'hex'), ciphertext]));
  }
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** base58check with the checksum from node:crypto. */
export function base58check(bytes: Uint8Array): string {
  return base58.encode(Buffer.concat([bytes, sha256(sha256(bytes)).subarray(0, 4)]));
}

/** How a strict service sees a header value. */
export type StampVerdict = 'missing' | 'malformed' | 'invalid' | 'valid';

/** A strict verifier of wallet signatures that shares nothing with the client: node:crypto and its own parsing. */
export function judgeStamp(header: string, payloadToSign: string, registeredKey: string): StampVerdict {
  if (header === '') return 'missing';
  if (!/^[A-Za-z0-9_-]+$/.test(header)) return 'malformed';
  let fields: unknown;
  try {
    fields = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
  } catch {
    return 'malformed';
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return 'malformed';
  const { publicKey, scheme, signature } = fields as Record<string, unknown>;
  if (typeof publicKey !== 'string' || !/^0[23][0-9a-f]{64}$/i.test(publicKey)) return 'malformed';
  if (scheme !== 'SIGNATURE_SCHEME_TK_API_P256') return 'malformed';
  if (typeof signature !== 'string' || !/^([0-9a-f]{2})+$/i.test(signature)) return 'malformed';
  try {
    nodePublicKey(publicKey);
  } catch {
    return 'malformed';
  }
  if (
    !signature.startsWith('30') ||
    Number.parseInt(signature.slice(2, 4), 16) * 2 + 4 !== signature.length
  ) {
    return 'malformed';
  }
  if (publicKey !== registeredKey) return 'invalid';
  const good = nodeVerify(Buffer.from(signature, 'hex'), Buffer.from(payloadToSign, 'utf8'), publicKey);
  return good ? 'valid' : 'invalid';
}

/** The point, compressed or not, as a key of node:crypto; throws where it is no point of P-256. */
export function nodePublicKey(hex: string): KeyObject {
  const point = Buffer.from(
    ECDH.convertKey(hex, 'prime256v1', 'hex', 'hex', 'uncompressed') as string,
    'hex',
  );
  return createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
}

/** Verifies a DER signature over the SHA-256 of the bytes with node:crypto. */
export function nodeVerify(signature: Uint8Array, bytes: Uint8Array, publicKey: string): boolean {
  try {
    return verify('sha256', bytes, { key: nodePublicKey(publicKey), dsaEncoding: 'der' }, signature);
  } catch {
    return false;
  }
}

/** Where a ceremony is expected to have run. */
export interface RelyingParty {
  rpId: string;
  origin: string;
}

/** The registered credential, or undefined where the registration is refused. */
export async function verifyRegistration(
  sent: PasskeyRegistration,
  party: RelyingParty,
): Promise<WebAuthnCredential | undefined> {
  const { credentialId, clientDataJson, attestationObject } = sent.attestation;
  try {
    const verified = await verifyRegistrationResponse({
      response: {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: clientDataJson, attestationObject },
      },
      expectedChallenge: sent.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.rpId,
      requireUserVerification: false,
    });
    // The library attests a credential; that it is the one named beside it is for its caller to check.
    const credential = verified.registrationInfo?.credential;
    return credential?.id === credentialId ? credential : undefined;
  } catch {
    return undefined;
  }
}

/** The new counter, or undefined where the assertion is refused. */
export async function verifyAssertion(
  sent: PasskeyAssertion,
  challenge: string,
  credential: WebAuthnCredential,
  party: RelyingParty,
): Promise<number | undefined> {
  const { credentialId, clientDataJson, authenticatorData, signature } = sent;
  if (credentialId !== credential.id) return undefined;
  try {
    const verified = await verifyAuthenticationResponse({
      response: {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: clientDataJson, authenticatorData, signature },
      },
      expectedChallenge: Buffer.from(challenge, 'utf8').toString('base64url'),
      expectedOrigin: party.origin,
      expectedRPID: party.rpId,
      credential,
      requireUserVerification: false,
    });
    return verified.verified ? verified.authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
