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
import { expect, test } from './fixtures.ts';
import { readAttestation, readAuthenticatorData, readClientData } from './browser-passkey.ts';
import type { Answer, Step, Wallet } from './wallet.ts';

const RP_ID = 'localhost';
const sha256 = (bytes: Uint8Array | string): Uint8Array =>
  new Uint8Array(createHash('sha256').update(bytes).digest());

/** The request that registers a passkey; one object, since a retry must say the same. */
function registering({ accountId }: Wallet, registration: PasskeyRegistration): Step {
  const body = { type: 'PASSKEY', accountId, nickname: 'browser', ...registration };
  return { method: 'POST', path: '/auth/credentials', body };
}

/** Challenge and verify. @param assert answers the challenge's text */
async function logIn(
  { at }: Wallet,
  id: string,
  assert: (challenge: string) => PasskeyAssertion | Promise<PasskeyAssertion>,
): Promise<{ answer: Answer; client: KeyPair; challenge: string }> {
  const client = KeyPair.generate();
  const asked = await at.post(`/auth/credentials/${id}/challenge`, { clientPublicKey: client.uncompressed });
  expect(asked.status, JSON.stringify(asked.body)).toBe(200);
  const { challenge, requestId } = asked.body as { challenge: string; requestId: string };
  expect(challenge).toMatch(/^([0-9a-f]{2})+$/);
  const body = { type: 'PASSKEY', assertion: await assert(challenge) };
  const answer = await at.post(`/auth/credentials/${id}/verify`, body, { 'request-id': requestId });
  return { answer, client, challenge };
}

/** The first call and its retry, stamped with a session signing key. */
async function signed({ at }: Wallet, step: Step, key: KeyPair): Promise<Answer> {
  const first = await at.send(step);
  expect(first.status, JSON.stringify(first.body)).toBe(202);
  const { payloadToSign, requestId } = first.body as { payloadToSign: string; requestId: string };
  return at.send(step, {
    'service-wallet-signature': stamp(payloadToSign, key, DIALECT.stamp.default),
    'request-id': requestId,
  });
}

test('a passkey of the browser registers, logs in, and its session key signs', async ({
  wallets,
  passkeys,
}) => {
  const wallet = await wallets.open();
  const registration = await passkeys.register(RP_ID, randomBytes(32));
  const { credentialId } = registration.attestation;
  const created = await wallet.at.send(registering(wallet, registration));
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  expect(created.body).toMatchObject({ type: 'PASSKEY', accountId: wallet.accountId, credentialId });

  const inBrowser = (text: string) => passkeys.assert(RP_ID, text, credentialId);
  const { answer, client } = await logIn(wallet, created.body.id as string, inBrowser);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const session = await openSessionSigningKey(
    answer.body.encryptedSessionSigningKey,
    client,
    DIALECT.sessionKeySeal.default,
  );

  const second = registering(wallet, await passkeys.register(RP_ID, randomBytes(32)));
  const added = await signed(wallet, second, session);
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  const revoking: Step = { method: 'DELETE', path: `/auth/credentials/${added.body.id}` };
  expect((await signed(wallet, revoking, session)).status).toBe(204);
  expect(await wallet.list()).toEqual([expect.objectContaining({ id: created.body.id })]);
});

test('the software authenticator registers as the browser does, byte for byte', async ({
  passkeys,
  walletPage,
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
    origin: walletPage.origin,
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
    origin: walletPage.origin,
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

  // And as it comes, with nothing copied from the browser but where it runs.
  const own = new SoftwarePasskey({ rpId: RP_ID, origin: walletPage.origin });
  const usual = own.register(challenge).attestation;
  expect(readClientData(usual.clientDataJson).values).toEqual(said.values);
  const usualAttested = readAttestation(usual.attestationObject);
  expect(usualAttested).toMatchObject({ fmt: 'none', attStmt: attested.attStmt });
  const { rpIdHash, attestedCredential, length, credentialIdLength } = data;
  expect(readAuthenticatorData(usualAttested.authData)).toMatchObject({
    rpIdHash,
    attestedCredential,
    length,
    credentialIdLength,
    flags: { userPresent: true, userVerified: true },
  });
});

test('the software authenticator asserts as the browser does, and may take over its passkey', async ({
  wallets,
  passkeys,
  walletPage,
}) => {
  const wallet = await wallets.open();
  const registration = await passkeys.register(RP_ID, randomBytes(32));
  const { credentialId } = registration.attestation;
  const created = await wallet.at.send(registering(wallet, registration));
  expect(created.status, JSON.stringify(created.body)).toBe(201);

  let browser: PasskeyAssertion | undefined;
  const first = await logIn(wallet, created.body.id as string, async (text) => {
    browser = await passkeys.assert(RP_ID, text, credentialId);
    return browser;
  });
  expect(first.answer.status, JSON.stringify(first.answer.body)).toBe(200);
  if (!browser) throw new Error('The browser made no assertion.');
  const said = readClientData(browser.clientDataJson);
  const data = readAuthenticatorData(fromBase64Url(browser.authenticatorData));
  expect(said.values).toEqual({
    type: 'webauthn.get',
    challenge: Buffer.from(first.challenge, 'utf8').toString('base64url'),
    origin: walletPage.origin,
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
    origin: walletPage.origin,
    key,
    credentialId,
    flags: data.flags,
    counter: registered.counter,
    ...(browser.userHandle === undefined ? {} : { userHandle: browser.userHandle }),
  });
  const same = software.assert(first.challenge, { extraClientData: said.extra });
  // ECDSA may take another random number each time: signatures are compared by what they prove.
  const { signature: _browsers, ...fixed } = browser;
  expect(same).toMatchObject(fixed);
  expect(Object.keys(same).sort()).toEqual(Object.keys(browser).sort());
  for (const one of [browser, same]) {
    const bytes = concat(fromBase64Url(one.authenticatorData), sha256(fromBase64Url(one.clientDataJson)));
    expect(verifyDer(fromBase64Url(one.signature), bytes, key.uncompressed)).toBe(true);
  }

  // The service cannot tell who answers: the next login with the same passkey is the software's.
  const next = await logIn(wallet, created.body.id as string, (text) => software.assert(text));
  expect(next.answer.status, JSON.stringify(next.answer.body)).toBe(200);
  const session = await openSessionSigningKey(
    next.answer.body.encryptedSessionSigningKey,
    next.client,
    DIALECT.sessionKeySeal.default,
  );
  expect((await signed(wallet, wallet.privacyStep(), session)).status).toBe(200);
});
