import { setTimeout as delay } from 'node:timers/promises';
import { addInternalAccount } from '../../areas/accounts/records.ts';
import { type CredentialKind, credentials, credentialsOf } from '../../areas/credentials/records.ts';
import { loosened } from '../../areas/behaviour.ts';
import { refuse, Refusal } from '../../server/refusal.ts';
import { mintId } from '../../world/world.ts';
import { RACE_MILLISECONDS, fault, objectsNever, refused, refusingWith } from '../fault.ts';

/** Kinds whose account looked empty when their registration began. */
const begunOnEmpty = new WeakSet<CredentialKind>();

const TYPES = ['PASSKEY', 'OAUTH', 'EMAIL_OTP', 'SMS_OTP'];
const inSmallLetters = (type: string) => type.toLowerCase();

/** Registering credentials. */
export const registrationFaults = [
  fault('account-born-without-credential', 'CREDENTIAL-EMAIL-OTP-BORN', {
    openWallet: () => (world, customer) => addInternalAccount(world, customer, 'USDC', 'EMBEDDED_WALLET'),
  }),
  fault('first-credential-signed', 'CREDENTIAL-FIRST-CREATED', { needsNoSignature: () => () => false }),
  fault('credential-type-in-any-case', 'CREDENTIAL-CREATE-BODY', {
    requestSchema: loosened(
      'CreateCredentialRequest',
      (schema) =>
        (schema.properties['type'] = { properties: {}, enum: [...TYPES, ...TYPES.map(inSmallLetters)] }),
    ),
    readRegistration: (original) => (world, account, body) =>
      original(world, account, { ...body, type: String(body['type']).toUpperCase() }),
  }),
  fault('first-credentials-race', 'CREDENTIAL-FIRST-ONLY-ONE', {
    readRegistration: (original) => async (world, account, body) => {
      const isEmpty = credentialsOf(world, account.id).length === 0;
      const kind = await original(world, account, body);
      if (!isEmpty) return kind;
      await delay(RACE_MILLISECONDS);
      begunOnEmpty.add(kind);
      return kind;
    },
    needsNoSignature: (original) => (world, account, kind) =>
      begunOnEmpty.has(kind) || original(world, account, kind),
  }),
  fault('further-credential-refused', 'CREDENTIAL-FURTHER-CREATED', {
    registerCredential: (original) => (world, account, kind) => {
      if (credentialsOf(world, account.id).length > 0) refused('One credential is enough.');
      return original(world, account, kind);
    },
  }),
  fault('oauth-registration-refused', 'CREDENTIAL-CREATE-OAUTH', {
    readOauthRegistration: () => () => refused('OAUTH is not offered.'),
  }),
  fault('passkey-registration-refused', 'CREDENTIAL-CREATE-PASSKEY', {
    readPasskeyRegistration: () => async () => refused('PASSKEY is not offered.'),
  }),
  fault('sms-otp-registration-refused', 'CREDENTIAL-CREATE-SMS-OTP', {
    readOtpRegistration: (original) => (world, account, type) =>
      type === 'SMS_OTP' ? refused('SMS_OTP is not offered.') : original(world, account, type),
  }),
  fault('removed-email-otp-counts', 'CREDENTIAL-CREATE-EMAIL-OTP', {
    isOnlyEmailOtp: (original) => (world) => original(world, credentials.all(world).slice(0, 1)),
  }),
  fault('registration-names-another-account', 'CREDENTIAL-CREATE-ECHO', {
    presentRegistered: (original) => (world, credential) => ({
      ...original(world, credential),
      accountId: mintId(world, 'InternalAccount'),
    }),
  }),
  fault('registration-names-another-type', 'CREDENTIAL-CREATE-ECHO', {
    presentRegistered: (original) => (world, credential) => {
      const { credentialId: _, ...shown } = original(world, credential);
      return credential.type === 'PASSKEY' ? { ...shown, type: 'EMAIL_OTP' } : original(world, credential);
    },
  }),
  fault('registered-id-not-listed', ['CREDENTIAL-CREATE-LISTED', 'CREDENTIAL-LIST-COMPLETE'], {
    presentRegistered: (original) => (world, credential) => ({
      ...original(world, credential),
      id: mintId(world, 'AuthMethod'),
    }),
  }),
  fault('email-otp-duplicate-accepted', 'CREDENTIAL-EMAIL-OTP-DUPLICATE', { isOnlyEmailOtp: objectsNever }),
  fault('email-otp-duplicate-code', 'CREDENTIAL-EMAIL-OTP-DUPLICATE', {
    isOnlyEmailOtp: refusingWith(
      () => new Refusal(400, 'INVALID_INPUT', 'The account has an EMAIL_OTP credential.'),
    ),
  }),
  fault('sms-otp-duplicate-accepted', 'CREDENTIAL-SMS-OTP-DUPLICATE', { isOnlySmsOtp: objectsNever }),
  fault('sms-otp-duplicate-code', 'CREDENTIAL-SMS-OTP-DUPLICATE', {
    isOnlySmsOtp: refusingWith(
      () => new Refusal(400, 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS', 'The account has one.'),
    ),
  }),
  fault('otp-duplicates-race', 'CREDENTIAL-OTP-ONE-UNDER-RACE', {
    completeSigned: (original) => (world, operation, proof) => {
      const isOtp = operation.type === 'EMAIL_OTP' || operation.type === 'SMS_OTP';
      const skips = isOtp && proof.request.print.operation === 'POST /auth/credentials';
      return original(world, skips ? { ...operation, check: () => {} } : operation, proof);
    },
  }),
  fault('passkey-duplicate-accepted', 'CREDENTIAL-PASSKEY-DUPLICATE', { isNewPasskey: objectsNever }),
  fault('passkey-duplicate-answers-409', 'CREDENTIAL-PASSKEY-DUPLICATE', {
    isNewPasskey: refusingWith(() => new Refusal(409, 'CONFLICT', 'The passkey is there already.')),
  }),
  fault('one-passkey-only', 'CREDENTIAL-PASSKEY-SEVERAL', {
    isNewPasskey: (original) => (world, account, kind) =>
      world.behaviour.passkeysBeside(account).length > 0
        ? refused('There is a passkey.')
        : original(world, account, kind),
  }),
  fault('one-identity-only', 'CREDENTIAL-OAUTH-SEVERAL', {
    isNewIdentity: (original) => (world, others, kind) =>
      others.length > 0 ? refused('There is an OAUTH credential.') : original(world, others, kind),
  }),
  fault('sms-otp-keeps-oauth-out', 'CREDENTIAL-TYPES-TOGETHER', {
    credentialIsNew: (original) => (world, account, kind) => {
      const hasSms = credentialsOf(world, account.id).some(({ type }) => type === 'SMS_OTP');
      return hasSms && kind.type === 'OAUTH'
        ? refused('There is an SMS_OTP credential.')
        : original(world, account, kind);
    },
  }),
  fault('email-otp-keeps-sms-otp-out', 'CREDENTIAL-TYPES-TOGETHER', {
    isOnlySmsOtp: (original) => (world, others) => original(world, others),
    credentialIsNew: (original) => (world, account, kind) => {
      const hasEmail = credentialsOf(world, account.id).some(({ type }) => type === 'EMAIL_OTP');
      return hasEmail && kind.type === 'SMS_OTP'
        ? refused('There is an EMAIL_OTP credential.')
        : original(world, account, kind);
    },
  }),
  fault('oauth-nickname-missing', 'CREDENTIAL-OAUTH-NICKNAME', { nicknameFrom: () => () => undefined }),
  fault('oauth-nickname-is-sub', 'CREDENTIAL-OAUTH-NICKNAME', {
    nicknameFrom:
      () =>
      (_world, { sub }) =>
        JSON.stringify(sub),
  }),
  fault('passkey-nickname-lost', 'CREDENTIAL-PASSKEY-NICKNAME', { passkeyNickname: () => () => 'Passkey' }),
  fault('passkey-id-is-another', 'CREDENTIAL-PASSKEY-ID-ECHO', {
    presentCredential: (original) => (world, credential) => ({
      ...original(world, credential),
      ...(credential.passkey ? { credentialId: Buffer.from(credential.id).toString('base64url') } : {}),
    }),
  }),
  fault('registration-challenge-unchecked', 'PASSKEY-REGISTRATION-CHALLENGE', {
    isRegistrationChallenge: () => () => true,
  }),
  fault('attested-id-unchecked', 'PASSKEY-REGISTRATION-ATTESTATION', { isAttestedId: objectsNever }),
  fault('passkey-domain-unchecked', 'PASSKEY-REGISTRATION-DOMAIN', {
    attestationVerdict: (original) => (world, attestation, expected) =>
      original(world, attestation, { ...expected, rpIds: [...expected.rpIds, 'phishing.example'] }),
  }),
  fault('passkey-bytes-as-base64', 'PASSKEY-BYTES-BASE64URL', {
    judgeAttestation: (original) => async (world, attestation, challenge) =>
      /^[-_]{3}/.test(attestation.credentialId)
        ? refuse(world.behaviour.refuseAttestation('credentialId is no base64'))
        : original(world, attestation, challenge),
  }),
];
