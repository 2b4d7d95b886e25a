import { Aes128Gcm, CipherSuite as ClientSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import { test, expect } from '@playwright/test';
import * as other from 'hpke';
import { fromHex, toHex } from '../../../client/crypto/bytes.ts';
import { hpkeOpen, hpkeSeal } from '../../../client/crypto/hpke.ts';
import { KeyPair } from '../../../client/crypto/key-pair.ts';
import { rfc9180 } from './vectors/specifications.ts';

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
