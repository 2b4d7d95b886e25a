import { createHash, createPrivateKey, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base, chromium, expect, type Browser, type CDPSession, type Page } from '@playwright/test';
import { decode } from 'cbor2';
import { concat, fromBase64Url, fromHex, toHex } from '../../client/crypto/bytes.ts';
import {
  KeyPair,
  SoftwarePasskey,
  verifyDer,
  type PasskeyAssertion,
  type PasskeyRegistration,
} from '../../client/crypto/index.ts';
import { chromiumPath } from './playwright.config.ts';

/**
 * The software authenticator of `client/` against Chromium's own WebAuthn with its virtual authenticator, over the DevTools
 * protocol. (Playwright's `context.credentials` answers in the browser's place, and would only compare two imitations.)
 */

const RP_ID = 'localhost';
/** Both functions are for what crosses into the page, which is JSON. */
const HTML = `<!doctype html><meta charset="utf-8"><title>Wallet</title><script>
  window.bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
  window.base64url = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
</script>`;

declare global {
  interface Window {
    bytes(base64url: string): Uint8Array<ArrayBuffer>;
    base64url(bytes: ArrayBuffer): string;
  }
}

interface Each {
  /** Passkeys of a page of the integrator, in a browser context of their own. */
  readonly passkeys: BrowserPasskeys;
}
interface Shared {
  /** Where that page is, which browsers count as a secure context without TLS: on localhost. */
  readonly origin: string;
  readonly chromiumHere: Browser;
}

const test = base.extend<Each, Shared>({
  origin: [
    async ({}, use) => {
      const server = createServer((_request, response) =>
        response.setHeader('content-type', 'text/html; charset=utf-8').end(HTML),
      );
      // Both halves must agree on what localhost is: it may resolve to ::1 first.
      await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
      await use(`http://localhost:${(server.address() as AddressInfo).port}`);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    { scope: 'worker' },
  ],
  chromiumHere: [
    async ({}, use) => {
      const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
      const browser = await chromium.launch({ executablePath: chromiumPath(), args });
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  passkeys: async ({ chromiumHere, origin }, use) => {
    const context = await chromiumHere.newContext();
    const page = await context.newPage();
    await page.goto(origin);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
        ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
    await use(new BrowserPasskeys(page, devtools, authenticatorId));
    await context.close();
  },
});

class BrowserPasskeys {
  readonly #page: Page;
  readonly #devtools: CDPSession;
  readonly #authenticatorId: string;

  constructor(page: Page, devtools: CDPSession, authenticatorId: string) {
    this.#page = page;
    this.#devtools = devtools;
    this.#authenticatorId = authenticatorId;
  }

  /** `navigator.credentials.create`, attestation `none`, ES256. */
  register(challenge: Uint8Array): Promise<PasskeyRegistration> {
    const ceremony = { rpId: RP_ID, challenge: Buffer.from(challenge).toString('base64url') };
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
  assert(challenge: string, credentialId: string): Promise<PasskeyAssertion> {
    const ceremony = { rpId: RP_ID, challenge, credentialId };
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

  /** The key of a passkey as the authenticator keeps it. */
  async keyOf(credentialId: string): Promise<KeyPair> {
    const { credential } = await this.#devtools.send('WebAuthn.getCredential', {
      authenticatorId: this.#authenticatorId,
      credentialId: Buffer.from(credentialId, 'base64url').toString('base64'),
    });
    const der = Buffer.from(credential.privateKey, 'base64');
    const { d = '' } = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' });
    return KeyPair.fromScalar(new Uint8Array(Buffer.from(d, 'base64url')));
  }
}

const sha256 = (bytes: Uint8Array | string) => new Uint8Array(createHash('sha256').update(bytes).digest());

/** What `clientDataJSON` says beyond what WebAuthn prescribes: Chromium adds a member at random, so that nobody relies on the text. */
function saidIn(base64url: string) {
  const all = JSON.parse(Buffer.from(base64url, 'base64url').toString()) as Record<string, unknown>;
  const { type, challenge, origin, crossOrigin, ...extraClientData } = all;
  return { said: { type, challenge, origin, crossOrigin }, extraClientData };
}

/** What authenticator data say that a software authenticator is told (WebAuthn section 6.1). */
function read(bytes: Uint8Array) {
  const flags = bytes[32] ?? 0;
  expect(toHex(bytes.subarray(0, 32))).toBe(toHex(sha256(RP_ID)));
  return {
    flags: {
      userPresent: (flags & 0x01) !== 0,
      userVerified: (flags & 0x04) !== 0,
      backupEligible: (flags & 0x08) !== 0,
      backedUp: (flags & 0x10) !== 0,
    },
    counter: new DataView(bytes.buffer, bytes.byteOffset).getUint32(33),
  };
}

const authDataOf = ({ attestation }: PasskeyRegistration) =>
  (decode(fromBase64Url(attestation.attestationObject)) as { authData: Uint8Array }).authData;

test('the software authenticator registers as the browser does, byte for byte', async ({
  passkeys,
  origin,
}) => {
  const challenge = randomBytes(32);
  const browser = await passkeys.register(challenge);
  const { credentialId, clientDataJson, attestationObject, transports } = browser.attestation;
  const { said, extraClientData } = saidIn(clientDataJson);
  const data = authDataOf(browser);
  expect(said).toEqual({
    ...{ type: 'webauthn.create', challenge: challenge.toString('base64url'), origin, crossOrigin: false },
  });
  expect(read(data).flags).toMatchObject({ userPresent: true, userVerified: true });
  expect(transports).toContain('internal');

  const key = await passkeys.keyOf(credentialId);
  const aaguid = fromHex(toHex(data.subarray(37, 53)));
  const software = new SoftwarePasskey({ rpId: RP_ID, origin, key, credentialId, aaguid, ...read(data) });
  const same = software.register(challenge, { extraClientData });
  expect(same.challenge).toBe(browser.challenge);
  expect(same.attestation.clientDataJson).toBe(clientDataJson);
  expect(same.attestation.attestationObject).toBe(attestationObject);
});

test('the software authenticator asserts as the browser does', async ({ passkeys, origin }) => {
  const registration = await passkeys.register(randomBytes(32));
  const { credentialId } = registration.attestation;
  const challenge = randomBytes(32).toString('hex');
  const browser = await passkeys.assert(challenge, credentialId);

  const data = fromBase64Url(browser.authenticatorData);
  const { said, extraClientData } = saidIn(browser.clientDataJson);
  expect(said).toEqual({
    ...{ type: 'webauthn.get', challenge: Buffer.from(challenge).toString('base64url') },
    ...{ origin, crossOrigin: false },
  });
  const { counter } = read(authDataOf(registration));
  expect(read(data).counter).toBeGreaterThan(counter);

  const key = await passkeys.keyOf(credentialId);
  const { flags } = read(data);
  const { userHandle } = browser;
  const software = new SoftwarePasskey({
    ...{ rpId: RP_ID, origin, key, credentialId, flags, counter },
    ...(userHandle === undefined ? {} : { userHandle }),
  });
  const same = software.assert(challenge, { extraClientData });
  // ECDSA may take another random number each time: signatures are compared by what they prove.
  expect({ ...same, signature: '' }).toEqual({ ...browser, signature: '' });
  for (const one of [browser, same]) {
    const bytes = concat(fromBase64Url(one.authenticatorData), sha256(fromBase64Url(one.clientDataJson)));
    expect(verifyDer(fromBase64Url(one.signature), bytes, key.uncompressed)).toBe(true);
  }
});
