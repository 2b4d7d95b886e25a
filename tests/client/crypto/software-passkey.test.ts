import { test, expect } from '@playwright/test';
import { fromBase64Url, fromHex, toBase64Url, toHex } from '../../../client/crypto/bytes.ts';
import { KeyPair } from '../../../client/crypto/key-pair.ts';
import { SoftwarePasskey } from '../../../client/crypto/software-passkey.ts';
import { tamperedAssertions, tamperedRegistrations } from '../../../client/crypto/tampered-ceremonies.ts';
import { verifyAssertion, verifyRegistration } from './other-side.ts';
import { webauthn } from './vectors.ts';

const hex = (base64url: string): string => toHex(fromBase64Url(base64url));

test.describe('the WebAuthn test vector "none attestation with ES256"', () => {
  const passkey = new SoftwarePasskey({
    rpId: webauthn.rpId,
    origin: webauthn.origin,
    key: KeyPair.fromScalar(webauthn.scalar),
    credentialId: toBase64Url(fromHex(webauthn.credentialId)),
    aaguid: fromHex(webauthn.aaguid),
    flags: { userPresent: true, backupEligible: true, backedUp: true },
    counter: 0,
  });

  test('registration is the same, byte for byte', () => {
    const { attestation } = passkey.register(fromHex(webauthn.registration.challenge), {
      extraClientData: { extraData: webauthn.extraData },
    });
    expect(hex(attestation.clientDataJson)).toBe(webauthn.registration.clientDataJson);
    expect(hex(attestation.attestationObject)).toBe(webauthn.registration.attestationObject);
    expect(hex(attestation.credentialId)).toBe(webauthn.credentialId);
  });

  test('assertion is the same, byte for byte, signature included', () => {
    const made = passkey.assert(fromHex(webauthn.assertion.challenge), { counter: 0, s: 'as-is' });
    expect(hex(made.clientDataJson)).toBe(webauthn.assertion.clientDataJson);
    expect(hex(made.authenticatorData)).toBe(webauthn.assertion.authenticatorData);
    expect(hex(made.signature)).toBe(webauthn.assertion.signature);
  });
});

const party = { rpId: 'wallet.example', origin: 'https://wallet.example' };
const challenge = '0123456789abcdef'.repeat(4);

test('a server library accepts the registration, and assertions one after the other', async () => {
  const passkey = new SoftwarePasskey(party);
  const credential = await verifyRegistration(
    passkey.register(crypto.getRandomValues(new Uint8Array(32))),
    party,
  );
  expect(credential).toMatchObject({ id: passkey.credentialId, counter: 10 });
  if (!credential) return;
  for (const s of ['low', 'high', 'as-is'] as const) {
    const counter = await verifyAssertion(passkey.assert(challenge, { s }), challenge, credential, party);
    expect(counter).toBe(passkey.counter);
    credential.counter = counter ?? 0;
  }
  expect(passkey.counter).toBe(13);
});

test('the challenge text is used as UTF-8, as it is', () => {
  const passkey = new SoftwarePasskey(party);
  const clientData = Buffer.from(passkey.assert(challenge).clientDataJson, 'base64url').toString();
  const { challenge: echoed } = JSON.parse(clientData) as { challenge: string };
  expect(Buffer.from(echoed, 'base64url').toString('utf8')).toBe(challenge);
});

test('the user handle is sent only where there is one', () => {
  expect(new SoftwarePasskey(party).assert(challenge)).not.toHaveProperty('userHandle');
  expect(new SoftwarePasskey({ ...party, userHandle: 'dXNlcg' }).assert(challenge)).toHaveProperty(
    'userHandle',
    'dXNlcg',
  );
});

const random = (): Uint8Array => crypto.getRandomValues(new Uint8Array(32));

for (const row of tamperedAssertions) {
  test(`a server library refuses an assertion that ${row.says}`, async () => {
    const passkey = new SoftwarePasskey(party);
    const credential = await verifyRegistration(passkey.register(random()), party);
    if (!credential) throw new Error('The registration was refused.');
    const counter = await verifyAssertion(passkey.assert(challenge), challenge, credential, party);
    expect(counter, 'the good one before').toBeDefined();
    credential.counter = counter ?? 0;
    const tampered = row.make(passkey, challenge);
    expect(await verifyAssertion(tampered, challenge, credential, party)).toBeUndefined();
    const after = await verifyAssertion(passkey.assert(challenge), challenge, credential, party);
    expect(after, 'the good one after').toBeDefined();
  });
}

for (const row of tamperedRegistrations) {
  test(`a server library refuses a registration that ${row.says}`, async () => {
    const passkey = new SoftwarePasskey(party);
    expect(await verifyRegistration(row.make(passkey, random()), party)).toBeUndefined();
    expect(await verifyRegistration(passkey.register(random()), party), 'the good one').toBeDefined();
  });
}

test('names are kebab-case and unique in each table', () => {
  for (const table of [tamperedAssertions, tamperedRegistrations]) {
    const names = table.map((row) => row.name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  }
});
