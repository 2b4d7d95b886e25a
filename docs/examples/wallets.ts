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
  const { key, session } = await loginByCode(recorder, wallet['credentials'][0].id as string);
  const passkeyId = await passkey(recorder, accountId, key);
  await identity(recorder, accountId, key);
  const sms = { type: 'SMS_OTP', accountId };
  await recorder.signed('createCredential', "sms: Codes to the customer's phone.", {}, key, sms);
  await recorder.call('listCredentials', 'all: Every credential of the account.', { accountId });
  await useSession(recorder, accountId, { key, session });
  const changed = 'email: An e-mail that a credential hangs on: the change is signed.';
  const email = { customerType: 'INDIVIDUAL', email: 'ada.new@example.com' };
  await recorder.signed('updateCustomer', changed, { customerId: wallet['customerId'] }, key, email);
  await recorder.signed('revokeCredential', 'revoked', { id: passkeyId }, key);
  await recorder.signed('revokeSession', 'revoked', { id: session['id'] }, key);
  const { accountId: bare } = await recorder.state('wallet-account');
  const first = "email: Codes to the customer's e-mail, on an account without any credential.";
  await recorder.call('createCredential', first, {}, { type: 'EMAIL_OTP', accountId: bare as string });
}

async function loginByCode(recorder: Recorder, id: string): Promise<OtpLogin> {
  const key = KeyPair.generate();
  const sent = 'code: A code was sent; it goes back sealed to the bundle.';
  const { otpEncryptionTargetBundle: target } = await recorder.call('challengeCredential', sent, { id });
  const { code } = await recorder.state('otp-code', { credentialId: id });
  const opened = { otpCode: code, publicKey: key.uncompressed };
  const encryptedOtpBundle = await sealOtpBundle(target, opened, DIALECT.otpSeal.default);
  const body = { type: 'EMAIL_OTP', encryptedOtpBundle };
  const sealed = 'code: The code of an e-mail, sealed.';
  return { key, session: await recorder.signed('verifyCredential', sealed, { id }, key, body) };
}

async function passkey(recorder: Recorder, accountId: string, signer: KeyPair): Promise<string> {
  const device = new SoftwarePasskey({ ...DIALECT.passkey.default, userHandle: 'Y3VzdG9tZXItMTA0' });
  const made = device.register(crypto.getRandomValues(new Uint8Array(32)));
  const body = { type: 'PASSKEY', accountId, nickname: 'Laptop', ...made };
  const inBrowser = 'passkey: A passkey, registered in the browser.';
  const { id } = await recorder.signed('createCredential', inBrowser, {}, signer, body);
  const client = KeyPair.generate();
  const { challenge, requestId } = await recorder.call(
    'challengeCredential',
    'passkey: Its text is the challenge of the WebAuthn ceremony.',
    { id },
    { clientPublicKey: client.uncompressed },
  );
  const session = await recorder.call(
    'verifyCredential',
    'passkey: The assertion of a passkey.',
    { id },
    { type: 'PASSKEY', assertion: device.assert(challenge as string) },
    { headers: { 'Request-Id': requestId } },
  );
  await openSessionSigningKey(session['encryptedSessionSigningKey'], client, DIALECT.sessionKeySeal.default);
  return id as string;
}

async function identity(recorder: Recorder, accountId: string, signer: KeyPair): Promise<void> {
  const { issuer: iss, audience: aud } = DIALECT.oidcToken.default;
  const person = { iss, aud, sub: '104291872310847', email: 'ada@example.com' };
  const issuer = await OidcIssuer.create();
  const register = { type: 'OAUTH', accountId, oidcToken: await issuer.token(person) };
  const provided = 'identity: An identity of an OIDC provider.';
  const { id } = await recorder.signed('createCredential', provided, {}, signer, register);
  const clientPublicKey = KeyPair.generate().uncompressed;
  const oidcToken = await issuer.token(person, oidcNonce(clientPublicKey, DIALECT.oidcNonce.default));
  const fresh = 'identity: A fresh token of the identity provider.';
  await recorder.call('verifyCredential', fresh, { id }, { type: 'OAUTH', oidcToken, clientPublicKey });
}

async function useSession(recorder: Recorder, accountId: string, { key, session }: OtpLogin): Promise<void> {
  const newKey = () => ({ clientPublicKey: KeyPair.generate().uncompressed });
  const wallet = { id: accountId };
  await recorder.call('listSessions', 'active: The sessions that have not ended.', { accountId });
  const hidden = { privateEnabled: true };
  await recorder.signed('updateInternalAccount', 'private: Make the wallet private.', wallet, key, hidden);
  const exported = 'exported: The secret comes sealed to the key that was sent.';
  await recorder.signed('exportWallet', exported, wallet, key, newKey());
  const refreshed = 'refreshed: A new session with a key of its own.';
  await recorder.signed('refreshSession', refreshed, { id: session['id'] }, key, newKey());
}
