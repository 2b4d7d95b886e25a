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

/** RFC 6979, appendix A.2.5: ECDSA on P-256 with SHA-256, deterministic nonces. */
const rfc6979 = {
  scalar: 'c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721',
  x: '60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6',
  y: '7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299',
  signatures: [
    {
      message: 'sample',
      r: 'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716',
      s: 'f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8',
    },
    {
      message: 'test',
      r: 'f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367',
      s: '019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083',
    },
  ],
} as const;

/**
 * RFC 9180, mode base, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM, first encryption. Not printed in the RFC, but
 * part of its published vector file (github.com/cfrg/draft-irtf-cfrg-hpke, test-vectors.json); keys as in Go's
 * src/crypto/hpke/testdata/rfc9180.json, ciphertext as in Tink's HPKE test vectors.
 */
const rfc9180 = {
  info: '4f6465206f6e2061204772656369616e2055726e',
  plaintext: '4265617574792069732074727574682c20747275746820626561757479',
  aad: '436f756e742d30',
  ephemeralSeed: 'a90d3417c3da9cb6c6ae19b4b5dd6cc9529a4cc24efb7ae0ace1f31887a8cd6c',
  recipientScalar: '317f915db7bc629c48fe765587897e01e282d3e8445f79f27f65d031a88082b2',
  recipientPublic:
    '04abc7e49a4c6b3566d77d0304addc6ed0e98512ffccf505e6a8e3eb25c685136f853148544876de76c0f2ef99cdc3a05ccf5ded7860c7c021238f9e2073d2356c',
  enc: '04c06b4f6bebc7bb495cb797ab753f911aff80aefb86fd8b6fcc35525f3ab5f03e0b21bd31a86c6048af3cb2d98e0d3bf01da5cc4c39ff5370d331a4f1f7d5a4e0',
  ciphertext: '58c61a45059d0c5704560e9d88b564a8b63f1364b8d1fcb3c4c6ddc1d291742465e902cd216f8908da49f8f96f',
} as const;

/** WebAuthn Level 3, section 16 "Test Vectors": attestation `none` with ES256. Hexadecimal, relying party example.org. */
const webauthn = {
  origin: 'https://example.org',
  rpId: 'example.org',
  scalar: '6e68e7a58484a3264f66b77f5d6dc5bc36a47085b615c9727ab334e8c369c2ee',
  aaguid: '8446ccb9ab1db374750b2367ff6f3a1f',
  credentialId: 'f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4',
  /** The registration's client data carries this member, as the standard allows. */
  extraData:
    'clientDataJSON may be extended with additional fields in the future, such as this: BkQeDjdcTBrXBiAwJTLE5Q',
  registration: {
    challenge: '00c30fb78531c464d2b6771dab8d7b603c01162f2fa486bea70f283ae556e130',
    clientDataJson:
      '7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a22414d4d507434557878475453746e63647134313759447742466938767049612d7077386f4f755657345441222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73652c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a20426b5165446a646354427258426941774a544c453551227d',
    attestationObject:
      'a363666d74646e6f6e656761747453746d74a068617574684461746158a4bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b559000000008446ccb9ab1db374750b2367ff6f3a1f0020f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4a5010203262001215820afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61225820930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220',
  },
  assertion: {
    challenge: '39c0e7521417ba54d43e8dc95174f423dee9bf3cd804ff6d65c857c9abf4d408',
    authenticatorData: 'bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b51900000000',
    clientDataJson:
      '7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a224f63446e55685158756c5455506f334a5558543049393770767a7a59425039745a63685879617630314167222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73657d',
    signature:
      '3046022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd380221008480ac0f0b93538174f575bf11a1dd5d78c6e486013f937295ea13653e331e87',
  },
} as const;

/**
 * A selection from Project Wycheproof (Apache-2.0), github.com/C2SP/wycheproof,
 * testvectors_v1/ecdsa_secp256r1_sha256_test.json: ECDSA on P-256 with SHA-256, DER signatures over "123400".
 */
const R = '2ba3a8be6b94d5ec80a6d9d1190a436effe50d85a1eee859b8cc6af9bd5c2e18';
const S = '00b329f479a2bbd0a5c384ee1493b1f5186a87139cac5df4087c134b49156847db';

const wycheproof = {
  publicKey:
    '042927b10512bae3eddcfe467828128bad2903269919f7086069c8c4df6c732838c7787964eaac00e5921fb1498a60f4606766b3d9685001558d1a974e7341513e',
  message: '313233343030',
  /** The file's tcId, what is special, whether it is valid, and the signature. */
  cases: [
    [
      5,
      'signature malleability',
      true,
      `30440220${R}02204cd60b855d442f5b3c7b11eb6c4e0ae7525fe710fab9aa7c77a67f79e6fadd76`,
    ],
    [7, 'valid', true, `30450220${R}0221${S}`],
    [6, 'encoding of s misses its leading zero', false, `30440220${R}0220${S.slice(2)}`],
    [8, 'length of the sequence in long form', false, `3081450220${R}0221${S}`],
    [10, 'length of the sequence one too many', false, `30460220${R}0221${S}`],
    [11, 'length of the sequence one too few', false, `30440220${R}0221${S}`],
    [109, 'r replaced by zero', false, `30260201000221${S}`],
    [126, 'indefinite length without an end', false, `30450220${R}0280${S}`],
    [285, 'r and s are lists', false, '300a30030201003003020100'],
  ],
} as const;

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
