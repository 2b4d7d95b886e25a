import { test, expect } from '@playwright/test';
import { base58 } from '@scure/base';
import { toHex, utf8 } from '../../../client/crypto/bytes.ts';
import { SealedKeyError } from '../../../client/crypto/hpke.ts';
import { KeyPair } from '../../../client/crypto/key-pair.ts';
import { openSessionSigningKey } from '../../../client/crypto/session-key.ts';
import { stamp } from '../../../client/crypto/stamp.ts';
import { DIALECT } from '../../../target/dialect/keys.ts';
import { base58check, Enclave } from './other-side/enclave.ts';
import { judgeStamp } from './other-side/judge-stamp.ts';

const SEAL = DIALECT.sessionKeySeal.default;

test('a key sealed by the other side opens, and signs', async () => {
  for (let turn = 0; turn < 20; turn += 1) {
    const [client, session] = [KeyPair.generate(), KeyPair.generate()];
    const sealed = await Enclave.sealSessionKey(session.scalar, client.uncompressed);
    const opened = await openSessionSigningKey(sealed, client, SEAL);
    expect(opened.compressed).toBe(session.compressed);
    expect(judgeStamp(stamp('payload', opened, DIALECT.stamp.default), 'payload', session.compressed)).toBe(
      'valid',
    );
  }
});

const client = KeyPair.generate();
const good = (): Promise<string> => Enclave.sealSessionKey(KeyPair.generate().scalar, client.uncompressed);

/** The good one with its bytes changed and the checksum made right again. */
async function changed(change: (bytes: Buffer) => Uint8Array): Promise<string> {
  return base58check(change(Buffer.from(base58.decode(await good()).slice(0, -4))));
}

const bad: [problem: string, says: string, make: () => Promise<unknown>][] = [
  ['not-text', 'absent', () => Promise.resolve(undefined)],
  ['not-base58check', 'not base58', () => Promise.resolve('0OIl')],
  ['not-base58check', 'one character short', async () => (await good()).slice(0, -1)],
  ['wrong-length', 'a byte too long', () => changed((bytes) => Buffer.concat([bytes, Buffer.of(0)]))],
  ['wrong-length', 'empty inside', () => Promise.resolve(base58check(new Uint8Array()))],
  [
    'not-on-curve',
    'without a point',
    () => changed((bytes) => Buffer.concat([Buffer.alloc(33), bytes.subarray(33)])),
  ],
  ['does-not-open', 'tampered', () => changed((bytes) => bytes.fill(0, 40, 60))],
  [
    'does-not-open',
    'for another key',
    () => Enclave.sealSessionKey(client.scalar, KeyPair.generate().uncompressed),
  ],
  ['not-a-private-key', 'around zero', () => Enclave.sealSessionKey(new Uint8Array(32), client.uncompressed)],
];

for (const [problem, says, make] of bad) {
  test(`a sealed key that is ${says} is ${problem}`, async () => {
    const error: unknown = await openSessionSigningKey(await make(), client, SEAL).catch(
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(SealedKeyError);
    expect(error).toMatchObject({ problem });
  });
}

test('no message shows what was sealed, or the key', async () => {
  const secret = utf8('a plaintext of thirty-two bytes!');
  const sealed = await Enclave.sealSessionKey(secret, KeyPair.generate().uncompressed);
  const error: unknown = await openSessionSigningKey(sealed, client, SEAL).catch((caught: unknown) => caught);
  const shown = String(error) + JSON.stringify(error);
  for (const part of [sealed, toHex(client.scalar), toHex(secret)]) expect(shown).not.toContain(part);
});
