import { test, expect } from '@playwright/test';
import fc from 'fast-check';
import { SealedKeyError } from '../../../client/crypto/hpke.ts';
import { KeyPair } from '../../../client/crypto/key-pair.ts';
import { badOtpBundles, readOtpTargetBundle, sealOtpBundle } from '../../../client/crypto/otp-bundle.ts';
import { DIALECT } from '../../../target/dialect/keys.ts';
import { Enclave } from './other-side/enclave.ts';

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
