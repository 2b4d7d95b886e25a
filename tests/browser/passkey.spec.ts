import { createHash, randomBytes } from 'node:crypto';
import { concat, fromBase64Url, fromHex, toHex } from '../../client/crypto/bytes.ts';
import {
  KeyPair,
  SoftwarePasskey,
  openSessionSigningKey,
  stamp,
  verifyDer,
} from '../../client/crypto/index.ts';
import { DIALECT } from '../../target/dialect/keys.ts';
import type { PasskeyAssertion, PasskeyRegistration } from '../../client/crypto/index.ts';
import type { Answer, Caller } from '../sandbox/support/test.ts';
import { expect, test } from './fixtures.ts';
import { readAttestation, readAuthenticatorData, readClientData } from './browser-passkey.ts';

const RP_ID = 'localhost';
const sha256 = (bytes: Uint8Array | string): Uint8Array =>
  new Uint8Array(createHash('sha256').update(bytes).digest());

interface Wallet {
  readonly accountId: string;
}
interface Step {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

/** A prepared account with a passkey of the browser, which the service has taken. */
async function walletWith(
  caller: Caller,
  registration: PasskeyRegistration,
): Promise<Wallet & { id: string }> {
  const { accountId } = await caller.state<Wallet>('wallet-account', { credentials: [] });
  const body = { type: 'PASSKEY', accountId, nickname: 'browser', ...registration };
  const created = await caller.platform('POST', '/auth/credentials', body);
  expect(created.status, created.text).toBe(201);
  const { credentialId } = registration.attestation;
  expect(created.body).toMatchObject({ type: 'PASSKEY', accountId, credentialId });
  return { accountId, id: created.body.id as string };
}

/** Challenge and verify. @param assert answers the challenge's text @returns what signs in the session */
async function logIn(
  caller: Caller,
  id: string,
  assert: (challenge: string) => PasskeyAssertion | Promise<PasskeyAssertion>,
): Promise<KeyPair> {
  const client = KeyPair.generate();
  const asking = { clientPublicKey: client.uncompressed };
  const asked = await caller.platform('POST', `/auth/credentials/${id}/challenge`, asking);
  expect(asked.status, asked.text).toBe(200);
  const { challenge, requestId } = asked.body as { challenge: string; requestId: string };
  expect(challenge).toMatch(/^([0-9a-f]{2})+$/);
  const answer = await caller.platform(
    'POST',
    `/auth/credentials/${id}/verify`,
    { type: 'PASSKEY', assertion: await assert(challenge) },
    { 'request-id': requestId },
  );
  expect(answer.status, answer.text).toBe(200);
  const { encryptedSessionSigningKey } = answer.body as { encryptedSessionSigningKey: string };
  return openSessionSigningKey(encryptedSessionSigningKey, client, DIALECT.sessionKeySeal.default);
}

/** The first call and its retry, stamped with a session signing key. */
async function signed(caller: Caller, { method, path, body }: Step, key: KeyPair): Promise<Answer> {
  const first = await caller.platform(method, path, body);
  expect(first.status, first.text).toBe(202);
  const { payloadToSign, requestId } = first.body as { payloadToSign: string; requestId: string };
  return caller.platform(method, path, body, {
    'service-wallet-signature': stamp(payloadToSign, key, DIALECT.stamp.default),
    'request-id': requestId,
  });
}

test('the software authenticator registers as the browser does, byte for byte', async ({
  passkeys,
  origin,
}) => {
  const challenge = randomBytes(32);
  const browser = await passkeys.register(RP_ID, challenge);
  const { credentialId, clientDataJson, attestationObject, transports } = browser.attestation;
  const attested = readAttestation(attestationObject);
  const said = readClientData(clientDataJson);
  const data = readAuthenticatorData(attested.authData);

  // What the browser says, held against the standard and the interface, before it is held against the software.
  expect(said.values).toEqual({
    type: 'webauthn.create',
    challenge: challenge.toString('base64url'),
    origin,
    crossOrigin: false,
  });
  expect(said.members.slice(0, 4)).toEqual(['type', 'challenge', 'origin', 'crossOrigin']);
  expect(attested.fmt).toBe('none');
  expect(Object.keys(attested.attStmt)).toEqual([]);
  expect(data).toMatchObject({ rpIdHash: toHex(sha256(RP_ID)), attestedCredential: true });
  expect(data.flags).toMatchObject({ userPresent: true, userVerified: true });
  expect(data.credentialIdLength).toBe(fromBase64Url(credentialId).length);
  expect(transports).toContain('internal');

  const software = new SoftwarePasskey({
    rpId: RP_ID,
    origin,
    key: KeyPair.fromScalar((await passkeys.stored(credentialId)).scalar),
    credentialId,
    aaguid: fromHex(data.aaguid),
    flags: data.flags,
    counter: data.counter,
  });
  const same = software.register(challenge, { extraClientData: said.extra });
  expect(same.challenge).toBe(browser.challenge);
  expect(readClientData(same.attestation.clientDataJson).text).toBe(said.text);
  expect(same.attestation.clientDataJson).toBe(clientDataJson);
  expect(toHex(readAttestation(same.attestation.attestationObject).authData)).toBe(toHex(attested.authData));
  expect(same.attestation.attestationObject).toBe(attestationObject);
});

test('the software authenticator asserts as the browser does, takes over its passkey, and both sign', async ({
  caller,
  passkeys,
  origin,
}) => {
  const registration = await passkeys.register(RP_ID, randomBytes(32));
  const { credentialId } = registration.attestation;
  const { accountId, id } = await walletWith(caller, registration);
  const making = { privateEnabled: true };
  const step: Step = { method: 'PATCH', path: `/internal-accounts/${accountId}`, body: making };

  let browser: PasskeyAssertion | undefined;
  let challenge = '';
  const session = await logIn(caller, id, async (text) => {
    challenge = text;
    return (browser = await passkeys.assert(RP_ID, text, credentialId));
  });
  if (!browser) throw new Error('The browser made no assertion.');
  expect((await signed(caller, step, session)).status).toBe(200);

  const said = readClientData(browser.clientDataJson);
  const data = readAuthenticatorData(fromBase64Url(browser.authenticatorData));
  expect(said.values).toEqual({
    type: 'webauthn.get',
    challenge: Buffer.from(challenge, 'utf8').toString('base64url'),
    origin,
    crossOrigin: false,
  });
  expect(data).toMatchObject({ rpIdHash: toHex(sha256(RP_ID)), attestedCredential: false, length: 37 });
  expect(data.flags).toMatchObject({ userPresent: true, userVerified: true });
  const registered = readAuthenticatorData(
    readAttestation(registration.attestation.attestationObject).authData,
  );
  expect(data.counter).toBeGreaterThan(registered.counter);

  const stored = await passkeys.stored(credentialId);
  const key = KeyPair.fromScalar(stored.scalar);
  expect(stored.counter).toBe(data.counter);
  const software = new SoftwarePasskey({
    rpId: RP_ID,
    origin,
    key,
    credentialId,
    flags: data.flags,
    counter: registered.counter,
    ...(browser.userHandle === undefined ? {} : { userHandle: browser.userHandle }),
  });
  const same = software.assert(challenge, { extraClientData: said.extra });
  // ECDSA may take another random number each time: signatures are compared by what they prove.
  const { signature: _browsers, ...fixed } = browser;
  expect(same).toMatchObject(fixed);
  expect(Object.keys(same).sort()).toEqual(Object.keys(browser).sort());
  for (const one of [browser, same]) {
    const bytes = concat(fromBase64Url(one.authenticatorData), sha256(fromBase64Url(one.clientDataJson)));
    expect(verifyDer(fromBase64Url(one.signature), bytes, key.uncompressed)).toBe(true);
  }

  // The service cannot tell who answers: the next login with the same passkey is the software's.
  const next = await logIn(caller, id, (text) => software.assert(text));
  expect((await signed(caller, { ...step, body: { privateEnabled: false } }, next)).status).toBe(200);
});
