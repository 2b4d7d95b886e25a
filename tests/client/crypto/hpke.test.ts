import { Aes128Gcm, CipherSuite as ClientSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import { test, expect } from '@playwright/test';
import * as other from 'hpke';
import fc from 'fast-check';
import { base58 } from '@scure/base';
import { fromHex, toHex, utf8 } from '../../../client/crypto/bytes.ts';
import { SealedKeyError, hpkeOpen, hpkeSeal, openSessionSigningKey } from '../../../client/crypto/hpke.ts';
import { KeyPair } from '../../../client/crypto/key-pair.ts';
import { badOtpBundles, readOtpTargetBundle, sealOtpBundle } from '../../../client/crypto/otp-bundle.ts';
import { DIALECT } from '../../../target/dialect/keys.ts';
import { stamp } from '../../../client/crypto/stamp.ts';
import { rfc9180 } from './vectors.ts';
import { Enclave, base58check } from './other-side.ts';
import { judgeStamp } from './other-side.ts';

const bytes = (hex: string): Uint8Array<ArrayBuffer> => new Uint8Array(fromHex(hex));

test('AES-256-GCM: the client seals the published message', async () => {
  const v = rfc9180.aes256Gcm;
  const sealed = await hpkeSeal(v.recipientPublic, bytes(v.plaintext), {
    info: bytes(v.info),
    aad: bytes(v.aad),
    ephemeralSeed: bytes(v.ephemeralSeed),
  });
  expect(toHex(sealed.enc)).toBe(v.enc);
  expect(toHex(sealed.ciphertext)).toBe(v.ciphertext);
});

test('AES-256-GCM: the client opens the published message', async () => {
  const v = rfc9180.aes256Gcm;
  const key = KeyPair.fromScalar(v.recipientScalar);
  expect(key.uncompressed).toBe(v.recipientPublic);
  const sealed = { enc: bytes(v.enc), ciphertext: bytes(v.ciphertext) };
  const opened = await hpkeOpen(key, sealed, { info: bytes(v.info), aad: bytes(v.aad) });
  expect(toHex(opened)).toBe(v.plaintext);
});

test("RFC 9180 A.3.1, AES-128-GCM: the client's library seals and opens the published message", async () => {
  const v = rfc9180.aes128Gcm;
  const suite = new ClientSuite({
    kem: new DhkemP256HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes128Gcm(),
  });
  const recipientPublicKey = await suite.kem.deserializePublicKey(bytes(v.recipientPublic));
  const ekm = bytes(v.ephemeralSeed);
  const sealed = await suite.seal(
    { recipientPublicKey, info: bytes(v.info), ekm },
    bytes(v.plaintext),
    bytes(v.aad),
  );
  expect(toHex(new Uint8Array(sealed.enc))).toBe(v.enc);
  expect(toHex(new Uint8Array(sealed.ct))).toBe(v.ciphertext);
  const recipientKey = await suite.kem.deserializePrivateKey(bytes(v.recipientScalar));
  const opened = await suite.open(
    { recipientKey, info: bytes(v.info), enc: sealed.enc },
    sealed.ct,
    bytes(v.aad),
  );
  expect(toHex(new Uint8Array(opened))).toBe(v.plaintext);
});

for (const [name, aead] of [
  ['aes128Gcm', other.AEAD_AES_128_GCM],
  ['aes256Gcm', other.AEAD_AES_256_GCM],
] as const) {
  test(`the library of the other side opens the published message, ${name}`, async () => {
    const v = rfc9180[name];
    const suite = new other.CipherSuite(other.KEM_DHKEM_P256_HKDF_SHA256, other.KDF_HKDF_SHA256, aead);
    const key = await suite.DeserializePrivateKey(bytes(v.recipientScalar), true);
    const options = { info: bytes(v.info), aad: bytes(v.aad) };
    const opened = await suite.Open(key, bytes(v.enc), bytes(v.ciphertext), options);
    expect(toHex(opened)).toBe(v.plaintext);
  });
}

const SEAL = DIALECT.otpSeal.default;

test('the other side opens the bundle and finds the code and the key', async () => {
  const enclave = await Enclave.create();
  const target = enclave.targetBundle();
  const publicKey = KeyPair.generate().uncompressed;
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 20 }), async (otpCode) => {
      const bundle = await sealOtpBundle(target, { otpCode, publicKey }, SEAL);
      const opened = JSON.parse(await enclave.openOtpBundle(bundle)) as unknown;
      expect(opened).toEqual({ otp_code: otpCode, public_key: publicKey });
    }),
    { numRuns: 25 },
  );
});

test('a bundle has exactly its two fields, in the published form', async () => {
  const enclave = await Enclave.create();
  const proof = { otpCode: '000000', publicKey: KeyPair.generate().uncompressed };
  const bundle = JSON.parse(await sealOtpBundle(enclave.targetBundle(), proof, SEAL)) as Record<
    string,
    string
  >;
  expect(Object.keys(bundle)).toEqual(['encappedPublic', 'ciphertext']);
  expect(bundle['encappedPublic']).toMatch(/^04[0-9a-f]{128}$/);
  expect(bundle['ciphertext']).toMatch(/^([0-9a-f]{2})+$/);
});

test("the target bundle's signature is checked, and a wrong one is reported and not thrown", async () => {
  const enclave = await Enclave.create();
  const read = readOtpTargetBundle(enclave.targetBundle());
  expect(read).toMatchObject({ targetPublic: enclave.targetPublic, dataSigned: true });
  expect(readOtpTargetBundle(enclave.targetBundle(Buffer.from('other'))).dataSigned).toBe(false);
  const { data } = JSON.parse(enclave.targetBundle()) as { data: string };
  expect(readOtpTargetBundle(JSON.stringify({ data }))).toMatchObject({ dataSigned: undefined });
});

const data = (inner: unknown): string =>
  JSON.stringify({ data: Buffer.from(JSON.stringify(inner)).toString('hex') });
for (const [problem, says, text] of [
  ['not-text', 'no text', { data: '' }],
  ['not-json', 'no JSON', 'x'],
  ['not-json', 'a JSON array', '[]'],
  ['field-missing', 'no data', '{}'],
  ['not-hex', 'data that is not hexadecimal', '{"data":"xyz"}'],
  ['not-json', 'data that is not JSON', '{"data":"00"}'],
  ['field-missing', 'no targetPublic', data({})],
  ['not-hex', 'a targetPublic that is not hexadecimal', data({ targetPublic: 'zz' })],
  ['not-on-curve', 'a targetPublic that is no point', data({ targetPublic: `04${'00'.repeat(64)}` })],
  ['not-on-curve', 'a compressed targetPublic', data({ targetPublic: KeyPair.generate().compressed })],
] as const) {
  test(`a target bundle with ${says} is ${problem}`, () => {
    const read = (): unknown => readOtpTargetBundle(text);
    expect(read).toThrow(SealedKeyError);
    expect(read).toThrow(expect.objectContaining({ problem }));
  });
}

for (const row of badOtpBundles) {
  test(`the bundle ${row.says}`, async () => {
    const enclave = await Enclave.create();
    const proof = { otpCode: '000000', publicKey: KeyPair.generate().uncompressed };
    const bundle = await row.make(enclave.targetBundle(), proof, SEAL);
    const opened = await enclave.openOtpBundle(bundle).catch(() => undefined);
    if (row.part !== 'content') return expect(opened).toBeUndefined();
    expect(opened).toBeDefined();
    expect(opened).not.toBe(JSON.stringify({ otp_code: proof.otpCode, public_key: proof.publicKey }));
  });
}

test('names of wrong bundles are kebab-case and unique', () => {
  const names = badOtpBundles.map((row) => row.name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
});

const KEY_SEAL = DIALECT.sessionKeySeal.default;

test('a key sealed by the other side opens, and signs', async () => {
  for (let turn = 0; turn < 20; turn += 1) {
    const [device, session] = [KeyPair.generate(), KeyPair.generate()];
    const sealed = await Enclave.sealSessionKey(session.scalar, device.uncompressed);
    const opened = await openSessionSigningKey(sealed, device, KEY_SEAL);
    expect(opened.compressed).toBe(session.compressed);
    expect(judgeStamp(stamp('payload', opened, DIALECT.stamp.default), 'payload', session.compressed)).toBe(
      'valid',
    );
  }
});

const device = KeyPair.generate();
const goodKey = (): Promise<string> => Enclave.sealSessionKey(KeyPair.generate().scalar, device.uncompressed);

/** The good one with its bytes changed and the checksum made right again. */
async function changedKey(change: (bytes: Buffer) => Uint8Array): Promise<string> {
  return base58check(change(Buffer.from(base58.decode(await goodKey()).slice(0, -4))));
}

const badKeys: [problem: string, says: string, make: () => Promise<unknown>][] = [
  ['not-text', 'absent', () => Promise.resolve(undefined)],
  ['not-base58check', 'not base58', () => Promise.resolve('0OIl')],
  ['not-base58check', 'one character short', async () => (await goodKey()).slice(0, -1)],
  ['wrong-length', 'a byte too long', () => changedKey((bytes) => Buffer.concat([bytes, Buffer.of(0)]))],
  ['wrong-length', 'empty inside', () => Promise.resolve(base58check(new Uint8Array()))],
  [
    'not-on-curve',
    'without a point',
    () => changedKey((bytes) => Buffer.concat([Buffer.alloc(33), bytes.subarray(33)])),
  ],
  ['does-not-open', 'tampered', () => changedKey((bytes) => bytes.fill(0, 40, 60))],
  [
    'does-not-open',
    'for another key',
    () => Enclave.sealSessionKey(device.scalar, KeyPair.generate().uncompressed),
  ],
  ['not-a-private-key', 'around zero', () => Enclave.sealSessionKey(new Uint8Array(32), device.uncompressed)],
];

for (const [problem, says, make] of badKeys) {
  test(`a sealed key that is ${says} is ${problem}`, async () => {
    const error: unknown = await openSessionSigningKey(await make(), device, KEY_SEAL).catch(
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(SealedKeyError);
    expect(error).toMatchObject({ problem });
  });
}

test('no message shows what was sealed, or the key', async () => {
  const secret = utf8('a plaintext of thirty-two bytes!');
  const sealed = await Enclave.sealSessionKey(secret, KeyPair.generate().uncompressed);
  const error: unknown = await openSessionSigningKey(sealed, device, KEY_SEAL).catch(
    (caught: unknown) => caught,
  );
  const shown = String(error) + JSON.stringify(error);
  for (const part of [sealed, toHex(device.scalar), toHex(secret)]) expect(shown).not.toContain(part);
});
