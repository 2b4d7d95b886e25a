import {
  KeyPair,
  OidcIssuer,
  oidcNonce,
  openSessionSigningKey,
  sealOtpBundle,
  SoftwarePasskey,
} from '../../client/crypto/index.ts';
import { DIALECT } from '../../target/dialect/keys.ts';
import type { Recorder, Values } from './record.ts';

interface OtpLogin {
  readonly key: KeyPair;
  readonly session: Values;
}

/** Credentials of every type, their sessions, and what a session signs. */
export async function recordWallets(recorder: Recorder): Promise<void> {
  const wallet = await recorder.state('wallet-account', { credentials: ['EMAIL_OTP'] });
  const accountId = wallet['accountId'] as string;
  const credentialId = wallet['credentials'][0].id as string;
  const login = await loginByCode(recorder, credentialId, 'code');
  const passkeyId = await passkey(recorder, accountId, login.key);
  await identity(recorder, accountId, login.key);
  await sms(recorder, accountId, login.key);
  await recorder.call('listCredentials', {
    name: 'all',
    summary: 'Every credential of the account.',
    query: { accountId },
  });
  await useSession(recorder, accountId, login);
  await changeEmail(recorder, wallet, login.key);
  await recorder.signed('revokeCredential', { name: 'revoked', path: { id: passkeyId } }, login.key);
  await recorder.signed('revokeSession', { name: 'revoked', path: { id: login.session['id'] } }, login.key);
  await addBack(recorder);
}

async function loginByCode(recorder: Recorder, id: string, name: string): Promise<OtpLogin> {
  const key = KeyPair.generate();
  const challenge = await recorder.call('challengeCredential', {
    name,
    summary: 'A code was sent; it goes back sealed to the bundle.',
    path: { id },
  });
  const { code } = await recorder.state('otp-code', { credentialId: id });
  const encryptedOtpBundle = await sealOtpBundle(
    challenge['otpEncryptionTargetBundle'],
    { otpCode: code, publicKey: key.uncompressed },
    DIALECT.otpSeal.default,
  );
  const session = await recorder.signed(
    'verifyCredential',
    {
      name,
      summary: 'The code of an e-mail, sealed.',
      path: { id },
      body: { type: 'EMAIL_OTP', encryptedOtpBundle },
    },
    key,
  );
  return { key, session };
}

async function passkey(recorder: Recorder, accountId: string, signer: KeyPair): Promise<string> {
  const device = new SoftwarePasskey({ ...DIALECT.passkey.default, userHandle: 'Y3VzdG9tZXItMTA0' });
  const registered = await recorder.signed(
    'createCredential',
    {
      name: 'passkey',
      summary: 'A passkey, registered in the browser.',
      body: {
        type: 'PASSKEY',
        accountId,
        nickname: 'Laptop',
        ...device.register(crypto.getRandomValues(new Uint8Array(32))),
      },
    },
    signer,
  );
  const id = registered['id'] as string;
  const client = KeyPair.generate();
  const challenge = await recorder.call('challengeCredential', {
    name: 'passkey',
    summary: 'Its text is the challenge of the WebAuthn ceremony.',
    path: { id },
    body: { clientPublicKey: client.uncompressed },
  });
  const session = await recorder.call('verifyCredential', {
    name: 'passkey',
    summary: 'The assertion of a passkey.',
    path: { id },
    headers: { 'Request-Id': challenge['requestId'] },
    body: { type: 'PASSKEY', assertion: device.assert(challenge['challenge'] as string) },
  });
  await openSessionSigningKey(session['encryptedSessionSigningKey'], client, DIALECT.sessionKeySeal.default);
  return id;
}

async function identity(recorder: Recorder, accountId: string, signer: KeyPair): Promise<void> {
  const { issuer: iss, audience: aud } = DIALECT.oidcToken.default;
  const person = { iss, aud, sub: '104291872310847', email: 'ada@example.com' };
  const issuer = await OidcIssuer.create('ES256');
  const registered = await recorder.signed(
    'createCredential',
    {
      name: 'identity',
      summary: 'An identity of an OIDC provider.',
      body: { type: 'OAUTH', accountId, oidcToken: await issuer.token(person) },
    },
    signer,
  );
  const clientPublicKey = KeyPair.generate().uncompressed;
  const nonce = oidcNonce(clientPublicKey, DIALECT.oidcNonce.default);
  await recorder.call('verifyCredential', {
    name: 'identity',
    summary: 'A fresh token of the identity provider.',
    path: { id: registered['id'] },
    body: { type: 'OAUTH', oidcToken: await issuer.token(person, nonce), clientPublicKey },
  });
}

async function sms(recorder: Recorder, accountId: string, signer: KeyPair): Promise<void> {
  await recorder.signed(
    'createCredential',
    {
      name: 'sms',
      summary: "Codes to the customer's phone.",
      body: { type: 'SMS_OTP', accountId },
    },
    signer,
  );
}

async function addBack(recorder: Recorder): Promise<void> {
  const { accountId } = await recorder.state('wallet-account');
  await recorder.call('createCredential', {
    name: 'email',
    summary: "Codes to the customer's e-mail, on an account without any credential.",
    body: { type: 'EMAIL_OTP', accountId },
  });
}

async function useSession(recorder: Recorder, accountId: string, { key, session }: OtpLogin): Promise<void> {
  const clientPublicKey = () => KeyPair.generate().uncompressed;
  const wallet = { id: accountId };
  await recorder.call('listSessions', {
    name: 'active',
    summary: 'The sessions that have not ended.',
    query: { accountId },
  });
  await recorder.signed(
    'updateInternalAccount',
    { name: 'private', summary: 'Make the wallet private.', path: wallet, body: { privateEnabled: true } },
    key,
  );
  await recorder.signed(
    'exportWallet',
    {
      name: 'exported',
      summary: 'The secret comes sealed to the key that was sent.',
      path: wallet,
      body: { clientPublicKey: clientPublicKey() },
    },
    key,
  );
  await recorder.signed(
    'refreshSession',
    {
      name: 'refreshed',
      summary: 'A new session with a key of its own.',
      path: { id: session['id'] as string },
      body: { clientPublicKey: clientPublicKey() },
    },
    key,
  );
}

async function changeEmail(recorder: Recorder, { customerId }: Values, signer: KeyPair): Promise<void> {
  await recorder.signed(
    'updateCustomer',
    {
      name: 'email',
      summary: 'An e-mail that a credential hangs on: the change is signed.',
      path: { customerId },
      body: { customerType: 'INDIVIDUAL', email: 'ada.new@example.com' },
    },
    signer,
  );
}
