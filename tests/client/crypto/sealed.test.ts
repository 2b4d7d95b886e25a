import { createHash } from 'node:crypto';
import { test, expect } from '@playwright/test';
import { base58, createBase58check } from '@scure/base';
import { fromHex, toHex } from '../../../client/crypto/bytes.ts';
import { SealedKeyError, hpkeSeal, openSessionSigningKey, settingsOf } from '../../../client/crypto/hpke.ts';
import { KeyPair } from '../../../client/crypto/key-pair.ts';
import { readOtpTargetBundle } from '../../../client/crypto/otp-bundle.ts';
import { DIALECT } from '../../../target/dialect/keys.ts';

const data = (inner: unknown): string =>
  JSON.stringify({ data: Buffer.from(JSON.stringify(inner)).toString('hex') });

/** What a service may send for a bundle. The problem decides which rule is blamed. */
const BUNDLES: readonly (readonly [problem: string, says: string, bundle: unknown])[] = [
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
];

for (const [problem, says, bundle] of BUNDLES)
  test(`a target bundle with ${says} is ${problem}`, () => {
    const read = () => readOtpTargetBundle(bundle);
    expect(read).toThrow(SealedKeyError);
    expect(read).toThrow(expect.objectContaining({ problem }));
  });

const FORM = DIALECT.sessionKeySeal.default;
const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());
const device = KeyPair.generate();

async function sealed(scalar: Uint8Array, to = device): Promise<string> {
  const { enc, ciphertext } = await hpkeSeal(to.uncompressed, scalar, settingsOf(FORM));
  const compressed = Buffer.concat([Buffer.of(2 + ((enc[64] as number) & 1)), enc.subarray(1, 33)]);
  return base58check.encode(Buffer.concat([compressed, ciphertext]));
}

/** A good one with its bytes changed and the checksum made right again. */
async function changed(change: (bytes: Buffer) => Uint8Array): Promise<string> {
  return base58check.encode(change(Buffer.from(base58check.decode(await sealed(KeyPair.generate().scalar)))));
}

test('a key that was sealed to the device opens', async () => {
  const session = KeyPair.generate();
  const opened = await openSessionSigningKey(await sealed(session.scalar), device, FORM);
  expect(opened.compressed).toBe(session.compressed);
});

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
    const error: unknown = await openSessionSigningKey(text, device, FORM).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(SealedKeyError);
    expect(error).toMatchObject({ problem });
    const shown = String(error) + JSON.stringify(error);
    for (const part of [text ?? 'undefined', toHex(device.scalar)]) expect(shown).not.toContain(part);
  });
