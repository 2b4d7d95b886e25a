import { sha256 } from '@noble/hashes/sha2.js';
import { encode } from 'cbor2';
import { concat, fromBase64Url, toBase64Url, utf8, fromHex } from './bytes.ts';
import { KeyPair, type SignOptions } from './key-pair.ts';

/** A registration in the interface's spelling: `challenge` and `attestation` of POST /auth/credentials. */
export interface PasskeyRegistration {
  /** The registration challenge, base64url. */
  challenge: string;
  attestation: {
    credentialId: string;
    clientDataJson: string;
    attestationObject: string;
    transports: string[];
  };
}

/** An assertion in the interface's spelling: `assertion` of POST /auth/credentials/{id}/verify. */
export interface PasskeyAssertion {
  credentialId: string;
  clientDataJson: string;
  authenticatorData: string;
  signature: string;
  userHandle?: string;
}

/** What a passkey is made of; everything but the relying party has a random or usual default. */
interface PasskeySettings {
  rpId: string;
  origin: string;
  key?: KeyPair;
  /** Base64url; 32 random bytes unless given. */
  credentialId?: string;
  /** 16 bytes; zero unless given, as platforms do for attestation `none`. */
  aaguid?: Uint8Array;
  /** Bytes, base64url. Assertions carry it only if given: the field is optional. */
  userHandle?: string;
  /** The counter of the registration. Default 10, so that it can go backwards and still not be 0 ("no counter"). */
  counter?: number;
  flags?: AuthenticatorFlags;
}

/** What one ceremony may do differently from what it should. */
export interface CeremonyOptions extends SignOptions {
  challenge?: Uint8Array;
  origin?: string;
  rpId?: string;
  type?: 'webauthn.create' | 'webauthn.get';
  crossOrigin?: boolean;
  flags?: AuthenticatorFlags;
  /** A number to send instead of the next one; the passkey's own counter then stands still. */
  counter?: number;
  /** Base64url. */
  credentialId?: string;
  /** Signs instead of the passkey's own key. */
  signingKey?: KeyPair;
  extraClientData?: Readonly<Record<string, unknown>>;
}

/** A passkey in software: one ES256 credential for one relying party, that registers once and asserts often. */
export class SoftwarePasskey {
  readonly rpId: string;
  readonly origin: string;
  readonly credentialId: string;
  readonly userHandle: string | undefined;
  readonly #key: KeyPair;
  readonly #aaguid: Uint8Array;
  readonly #flags: AuthenticatorFlags;
  #counter: number;

  constructor(settings: PasskeySettings) {
    this.rpId = settings.rpId;
    this.origin = settings.origin;
    this.credentialId = settings.credentialId ?? toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
    this.userHandle = settings.userHandle;
    this.#key = settings.key ?? KeyPair.generate();
    this.#aaguid = settings.aaguid ?? new Uint8Array(16);
    this.#flags = settings.flags ?? { userPresent: true, userVerified: true };
    this.#counter = settings.counter ?? 10;
  }

  /** The counter of the last ceremony. */
  get counter(): number {
    return this.#counter;
  }

  /** Registers on a challenge of the integrator's backend. Attestation is `none`, so nothing is signed. */
  register(challenge: Uint8Array, options: CeremonyOptions = {}): PasskeyRegistration {
    const credentialId = options.credentialId ?? this.credentialId;
    const authData = authenticatorData({
      rpId: options.rpId ?? this.rpId,
      flags: { ...this.#flags, ...options.flags },
      counter: options.counter ?? this.#counter,
      attested: {
        aaguid: this.#aaguid,
        credentialId: fromBase64Url(credentialId),
        coseKey: coseKey(this.#key),
      },
    });
    return {
      challenge: toBase64Url(challenge),
      attestation: {
        credentialId,
        clientDataJson: toBase64Url(this.#clientData('webauthn.create', challenge, options)),
        attestationObject: toBase64Url(attestationObject(authData)),
        transports: ['internal', 'hybrid'],
      },
    };
  }

  /**
   * Asserts on the challenge of a PasskeyAuthChallenge. Its hexadecimal text is used as UTF-8 as it is, not decoded
   * (interface.md, PasskeyAuthChallenge); bytes are taken as they are.
   */
  assert(challenge: string | Uint8Array, options: CeremonyOptions = {}): PasskeyAssertion {
    const bytes = typeof challenge === 'string' ? utf8(challenge) : challenge;
    const clientData = this.#clientData('webauthn.get', bytes, options);
    const authData = authenticatorData({
      rpId: options.rpId ?? this.rpId,
      flags: { ...this.#flags, ...options.flags },
      counter: options.counter ?? ++this.#counter,
    });
    const signed = concat(authData, sha256(clientData));
    return {
      credentialId: options.credentialId ?? this.credentialId,
      clientDataJson: toBase64Url(clientData),
      authenticatorData: toBase64Url(authData),
      signature: toBase64Url((options.signingKey ?? this.#key).sign(signed, options)),
      ...(this.userHandle === undefined ? {} : { userHandle: this.userHandle }),
    };
  }

  #clientData(type: 'webauthn.create' | 'webauthn.get', challenge: Uint8Array, options: CeremonyOptions) {
    return clientDataJson({
      type: options.type ?? type,
      challenge: options.challenge ?? challenge,
      origin: options.origin ?? this.origin,
      crossOrigin: options.crossOrigin ?? false,
      ...(options.extraClientData ? { extra: options.extraClientData } : {}),
    });
  }
}

/** The three binary structures of a WebAuthn ceremony, as an authenticator writes them. */

/** What the browser collects about a ceremony. */
interface ClientData {
  type: 'webauthn.create' | 'webauthn.get';
  challenge: Uint8Array;
  origin: string;
  crossOrigin?: boolean;
  /** Further members, written last and in order; the standard allows them. */
  extra?: Readonly<Record<string, unknown>>;
}

/** The bytes of `clientDataJSON`, in the order of members that WebAuthn prescribes (section 5.8.1.1). */
function clientDataJson(data: ClientData): Uint8Array {
  const collected = {
    type: data.type,
    challenge: toBase64Url(data.challenge),
    origin: data.origin,
    crossOrigin: data.crossOrigin ?? false,
    ...data.extra,
  };
  return utf8(JSON.stringify(collected));
}

/** The bits of the flags byte that a software passkey can set (WebAuthn section 6.1). */
export interface AuthenticatorFlags {
  userPresent?: boolean;
  userVerified?: boolean;
  backupEligible?: boolean;
  backedUp?: boolean;
}

const BITS = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10 } as const;
const ATTESTED_CREDENTIAL = 0x40;

/** The parts of authenticator data. */
interface AuthenticatorDataParts {
  rpId: string;
  flags: AuthenticatorFlags;
  /** The signature counter, an unsigned 32-bit number. */
  counter: number;
  /** Only at registration. */
  attested?: { aaguid: Uint8Array; credentialId: Uint8Array; coseKey: Uint8Array };
}

/** The bytes of authenticator data (WebAuthn section 6.1). */
function authenticatorData(parts: AuthenticatorDataParts): Uint8Array {
  const { attested } = parts;
  const head = new Uint8Array(5);
  let bits = attested ? ATTESTED_CREDENTIAL : 0;
  for (const [name, bit] of Object.entries(BITS)) {
    if (parts.flags[name as keyof typeof BITS]) bits |= bit;
  }
  head[0] = bits;
  new DataView(head.buffer).setUint32(1, parts.counter);
  const hash = sha256(utf8(parts.rpId));
  if (!attested) return concat(hash, head);
  const length = new Uint8Array(2);
  new DataView(length.buffer).setUint16(0, attested.credentialId.length);
  return concat(hash, head, attested.aaguid, length, attested.credentialId, attested.coseKey);
}

/** COSE labels and values (RFC 9053) of an ES256 key. */
const KTY = 1;
const ALG = 3;
const CRV = -1;
const X = -2;
const Y = -3;
const EC2 = 2;
const ES256 = -7;
const P256 = 1;

/** The public key as a COSE_Key, in CTAP2 canonical order. */
function coseKey(key: KeyPair): Uint8Array {
  const point = fromHex(key.uncompressed);
  const labels = new Map<number, number | Uint8Array>([
    [KTY, EC2],
    [ALG, ES256],
    [CRV, P256],
    [X, point.slice(1, 33)],
    [Y, point.slice(33)],
  ]);
  return encode(labels);
}

/** An attestation object of format `none` around authenticator data. */
function attestationObject(authData: Uint8Array): Uint8Array {
  const members = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ]);
  return encode(members);
}
