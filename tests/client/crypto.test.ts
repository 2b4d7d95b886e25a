import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { test, expect } from '@playwright/test';
import { base58, createBase58check } from '@scure/base';
import { fromBase64Url, fromHex, toBase64Url, toHex, utf8 } from '../../client/crypto/bytes.ts';
import {
  hpkeOpen,
  hpkeSeal,
  SealedKeyError,
  openSessionSigningKey,
  settingsOf,
} from '../../client/crypto/hpke.ts';
import { KeyPair, verifyDer } from '../../client/crypto/key-pair.ts';
import { SoftwarePasskey } from '../../client/crypto/software-passkey.ts';
import { DIALECT } from '../../target/dialect/keys.ts';
import { rfc6979, rfc9180, webauthn, wycheproof } from './vectors.ts';

/** r or s as a DER integer. */
function integer(hex: string): string {
  const digits = Number.parseInt(hex.slice(0, 2), 16) > 0x7f ? `00${hex}` : hex;
  return `02${(digits.length / 2).toString(16).padStart(2, '0')}${digits}`;
}

for (const { message, r, s } of rfc6979.signatures)
  test(`RFC 6979 A.2.5: the signature of "${message}" is the published one`, () => {
    const key = KeyPair.fromScalar(rfc6979.scalar);
    expect(key.uncompressed).toBe(`04${rfc6979.x}${rfc6979.y}`);
    const body = integer(r) + integer(s);
    const der = `30${(body.length / 2).toString(16)}${body}`;
    expect(toHex(key.sign(utf8(message), { s: 'as-is' }))).toBe(der);
  });

for (const [id, says, isValid, signature] of wycheproof.cases)
  test(`Wycheproof ${id}, ${says}: ${isValid ? 'accepted' : 'refused'}`, () => {
    const message = fromHex(wycheproof.message);
    expect(verifyDer(fromHex(signature), message, wycheproof.publicKey)).toBe(isValid);
  });

test('RFC 9180, AES-256-GCM: the published message is sealed, and opened', async () => {
  const { info, aad } = { info: fromHex(rfc9180.info), aad: fromHex(rfc9180.aad) };
  const sealed = await hpkeSeal(rfc9180.recipientPublic, fromHex(rfc9180.plaintext), {
    info,
    aad,
    ephemeralSeed: fromHex(rfc9180.ephemeralSeed),
  });
  expect(toHex(sealed.enc)).toBe(rfc9180.enc);
  expect(toHex(sealed.ciphertext)).toBe(rfc9180.ciphertext);
  const key = KeyPair.fromScalar(rfc9180.recipientScalar);
  expect(toHex(await hpkeOpen(key, sealed, { info, aad }))).toBe(rfc9180.plaintext);
});

test('WebAuthn, "none attestation with ES256": registration and assertion are the same, byte for byte', () => {
  const hex = (base64url: string) => toHex(fromBase64Url(base64url));
  const passkey = new SoftwarePasskey({
    rpId: webauthn.rpId,
    origin: webauthn.origin,
    key: KeyPair.fromScalar(webauthn.scalar),
    credentialId: toBase64Url(fromHex(webauthn.credentialId)),
    aaguid: fromHex(webauthn.aaguid),
    flags: { userPresent: true, backupEligible: true, backedUp: true },
    counter: 0,
  });
  const { attestation } = passkey.register(fromHex(webauthn.registration.challenge), {
    extraClientData: { extraData: webauthn.extraData },
  });
  expect(hex(attestation.clientDataJson)).toBe(webauthn.registration.clientDataJson);
  expect(hex(attestation.attestationObject)).toBe(webauthn.registration.attestationObject);
  const made = passkey.assert(fromHex(webauthn.assertion.challenge), { counter: 0, s: 'as-is' });
  expect(hex(made.clientDataJson)).toBe(webauthn.assertion.clientDataJson);
  expect(hex(made.authenticatorData)).toBe(webauthn.assertion.authenticatorData);
  expect(hex(made.signature)).toBe(webauthn.assertion.signature);
});

test('the private half appears in no rendering', () => {
  const key = KeyPair.generate();
  const shown = inspect(key, { depth: 5, showHidden: true }) + JSON.stringify(key);
  expect(shown).not.toContain(toHex(key.scalar));
});

const SEAL = DIALECT.sessionKeySeal.default;
const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());
const device = KeyPair.generate();

async function sealed(scalar: Uint8Array, to = device): Promise<string> {
  const { enc, ciphertext } = await hpkeSeal(to.uncompressed, scalar, settingsOf(SEAL));
  const compressed = Buffer.concat([Buffer.of(2 + ((enc[64] as number) & 1)), enc.subarray(1, 33)]);
  return base58check.encode(Buffer.concat([compressed, ciphertext]));
}

/** A good one with its bytes changed and the checksum made right again. */
async function changed(change: (bytes: Buffer) => Uint8Array): Promise<string> {
  return base58check.encode(change(Buffer.from(base58check.decode(await sealed(KeyPair.generate().scalar)))));
}

const KEYS: readonly (readonly [problem: string, says: string, make: () => unknown])[] = [
  ['not-text', 'absent', () => undefined],
  ['not-base58check', 'not base58', () => '0OIl'],
  [
    'not-base58check',
    'mistyped',
    async () => base58.encode(base58.decode(await sealed(device.scalar)).fill(0, -4)),
  ],
  ['wrong-length', 'a byte too long', () => changed((bytes) => Buffer.concat([bytes, Buffer.of(0)]))],
  ['not-on-curve', 'without a point', () => changed((bytes) => bytes.fill(0, 0, 33))],
  ['does-not-open', 'tampered', () => changed((bytes) => bytes.fill(0, 40, 60))],
  ['does-not-open', 'for another key', () => sealed(device.scalar, KeyPair.generate())],
  ['not-a-private-key', 'around zero', () => sealed(new Uint8Array(32))],
  [
    'not-a-private-key',
    'around the order of the group',
    () => sealed(fromHex('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')),
  ],
];

for (const [problem, says, make] of KEYS)
  test(`a sealed key that is ${says} is ${problem}, and the message shows neither it nor the key`, async () => {
    const text = (await make()) as string;
    const error: unknown = await openSessionSigningKey(text, device, SEAL).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(SealedKeyError);
    expect(error).toMatchObject({ problem });
    const shown = String(error) + JSON.stringify(error);
    for (const part of [text ?? 'undefined', toHex(device.scalar)]) expect(shown).not.toContain(part);
  });
