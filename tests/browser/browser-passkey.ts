import { createPrivateKey } from 'node:crypto';
import type { CDPSession, Page } from '@playwright/test';
import { decode } from 'cbor2';
import { fromBase64Url, toHex } from '../../client/crypto/bytes.ts';
import type { PasskeyAssertion, PasskeyRegistration, AuthenticatorFlags } from '../../client/crypto/index.ts';

/**
 * Passkeys of a page: Chromium's own WebAuthn with its virtual authenticator, over the DevTools protocol. (Playwright's
 * `context.credentials` answers in the browser's place, and would only compare two imitations.)
 */
export class BrowserPasskeys {
  readonly #page: Page;
  readonly #devtools: CDPSession;
  readonly #authenticatorId: string;

  private constructor(page: Page, devtools: CDPSession, authenticatorId: string) {
    this.#page = page;
    this.#devtools = devtools;
    this.#authenticatorId = authenticatorId;
  }

  /** Plugs a platform authenticator, whose user is present and verified, into the page. */
  static async plugInto(page: Page): Promise<BrowserPasskeys> {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return new BrowserPasskeys(page, devtools, authenticatorId);
  }

  /** `navigator.credentials.create`, attestation `none`, ES256. */
  register(rpId: string, challenge: Uint8Array): Promise<PasskeyRegistration> {
    // What crosses into the page is JSON.
    const ceremony = { rpId, challenge: Buffer.from(challenge).toString('base64url') };
    return this.#page.evaluate(async ({ rpId, challenge }) => {
      const created = (await navigator.credentials.create({
        publicKey: {
          rp: { id: rpId, name: 'Wallet' },
          user: { id: crypto.getRandomValues(new Uint8Array(16)), name: 'customer', displayName: 'Customer' },
          challenge: window.bytes(challenge),
          pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
          attestation: 'none',
        },
      })) as PublicKeyCredential;
      const response = created.response as AuthenticatorAttestationResponse;
      return {
        challenge,
        attestation: {
          credentialId: window.base64url(created.rawId),
          clientDataJson: window.base64url(response.clientDataJSON),
          attestationObject: window.base64url(response.attestationObject),
          transports: response.getTransports(),
        },
      };
    }, ceremony);
  }

  /** `navigator.credentials.get`. @param challenge the text of a PasskeyAuthChallenge, used as UTF-8 as it is */
  assert(rpId: string, challenge: string, credentialId: string): Promise<PasskeyAssertion> {
    const ceremony = { rpId, challenge, credentialId };
    return this.#page.evaluate(async ({ rpId, challenge, credentialId }) => {
      const got = (await navigator.credentials.get({
        publicKey: {
          rpId,
          challenge: new TextEncoder().encode(challenge),
          allowCredentials: [{ type: 'public-key', id: window.bytes(credentialId) }],
          userVerification: 'required',
        },
      })) as PublicKeyCredential;
      const response = got.response as AuthenticatorAssertionResponse;
      return {
        credentialId: window.base64url(got.rawId),
        clientDataJson: window.base64url(response.clientDataJSON),
        authenticatorData: window.base64url(response.authenticatorData),
        signature: window.base64url(response.signature),
        ...(response.userHandle ? { userHandle: window.base64url(response.userHandle) } : {}),
      };
    }, ceremony);
  }

  /** A passkey as the authenticator keeps it: its private scalar of 32 bytes, and the counter of its last ceremony. */
  async stored(credentialId: string) {
    const { credential } = await this.#devtools.send('WebAuthn.getCredential', {
      authenticatorId: this.#authenticatorId,
      credentialId: Buffer.from(credentialId, 'base64url').toString('base64'),
    });
    const key = createPrivateKey({
      key: Buffer.from(credential.privateKey, 'base64'),
      format: 'der',
      type: 'pkcs8',
    });
    const { d = '' } = key.export({ format: 'jwk' });
    return { scalar: new Uint8Array(Buffer.from(d, 'base64url')), counter: credential.signCount };
  }
}

declare global {
  interface Window {
    /** Both are defined by the page, see fixtures.ts. */
    bytes(base64url: string): Uint8Array<ArrayBuffer>;
    base64url(bytes: ArrayBuffer): string;
  }
}

/**
 * What `clientDataJSON` says.
 *
 * @param base64url it in the interface's spelling
 * @returns members in the order in which they stand, and as `extra` those beyond what WebAuthn prescribes: Chromium adds
 *   one at random so that nobody relies on the text
 */
export function readClientData(base64url: string) {
  const text = Buffer.from(base64url, 'base64url').toString('utf8');
  const all = JSON.parse(text) as Record<string, unknown>;
  const { type, challenge, origin, crossOrigin, ...extra } = all;
  return { text, members: Object.keys(all), values: { type, challenge, origin, crossOrigin }, extra };
}

/** What authenticator data say (WebAuthn section 6.1); byte strings as hexadecimal digits. */
export function readAuthenticatorData(bytes: Uint8Array) {
  const flags = bytes[32] ?? 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const attestedCredential = (flags & 0x40) !== 0;
  return {
    rpIdHash: toHex(bytes.subarray(0, 32)),
    flags: {
      userPresent: (flags & 0x01) !== 0,
      userVerified: (flags & 0x04) !== 0,
      backupEligible: (flags & 0x08) !== 0,
      backedUp: (flags & 0x10) !== 0,
    } satisfies AuthenticatorFlags,
    attestedCredential,
    counter: view.getUint32(33),
    length: bytes.length,
    aaguid: attestedCredential ? toHex(bytes.subarray(37, 53)) : '',
    credentialIdLength: attestedCredential ? view.getUint16(53) : 0,
  };
}

/** The members of an attestation object. */
export function readAttestation(base64url: string): { fmt: string; attStmt: object; authData: Uint8Array } {
  return decode(fromBase64Url(base64url));
}
