import { setTimeout as delay } from 'node:timers/promises';
import { addInternalAccount } from '../../areas/accounts/records.ts';
import { type CredentialKind, credentials, credentialsOf } from '../../areas/credentials/records.ts';
import { loosened } from '../../areas/behaviour.ts';
import { refuse, Refusal } from '../../server/refusal.ts';
import { mintId } from '../../world/world.ts';
import { RACE_MILLISECONDS, faultsOf, objectsNever, refused, refusingWith } from '../fault.ts';

/** Kinds whose account looked empty when their registration began. */
const begunOnEmpty = new WeakSet<CredentialKind>();

const TYPES = ['PASSKEY', 'OAUTH', 'EMAIL_OTP', 'SMS_OTP'];
const inSmallLetters = (type: string) => type.toLowerCase();

/** Registering credentials. */
export const registrationFaults = faultsOf([
  [
    'account-born-without-credential',
    'CREDENTIAL-EMAIL-OTP-BORN',
    'A new Global Account has no credential.',
    {
      openWallet: () => (world, customer) => addInternalAccount(world, customer, 'USDC', 'EMBEDDED_WALLET'),
    },
  ],
  [
    'first-credential-signed',
    'CREDENTIAL-FIRST-CREATED',
    'Even the first credential of an account asks for a signature.',
    {
      needsNoSignature: () => () => false,
    },
  ],
  [
    'credential-type-in-any-case',
    'CREDENTIAL-CREATE-BODY',
    'A type in small letters registers a credential all the same.',
    {
      requestSchema: loosened(
        'CreateCredentialRequest',
        (schema) =>
          (schema.properties['type'] = { properties: {}, enum: [...TYPES, ...TYPES.map(inSmallLetters)] }),
      ),
      readRegistration: (original) => (world, account, body) =>
        original(world, account, { ...body, type: String(body['type']).toUpperCase() }),
    },
  ],
  [
    'first-credentials-race',
    'CREDENTIAL-FIRST-ONLY-ONE',
    'Whether an account is empty is looked up long before its first credential is stored.',
    {
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
    },
  ],
  [
    'further-credential-refused',
    'CREDENTIAL-FURTHER-CREATED',
    'The signed retry of a registration is refused.',
    {
      registerCredential: (original) => (world, account, kind) => {
        if (credentialsOf(world, account.id).length > 0) refused('One credential is enough.');
        return original(world, account, kind);
      },
    },
  ],
  [
    'oauth-registration-refused',
    'CREDENTIAL-CREATE-OAUTH',
    'No token is good enough to register.',
    {
      readOauthRegistration: () => () => refused('OAUTH is not offered.'),
    },
  ],
  [
    'passkey-registration-refused',
    'CREDENTIAL-CREATE-PASSKEY',
    'No attestation is good enough.',
    {
      readPasskeyRegistration: () => async () => refused('PASSKEY is not offered.'),
    },
  ],
  [
    'sms-otp-registration-refused',
    'CREDENTIAL-CREATE-SMS-OTP',
    'SMS_OTP cannot be registered.',
    {
      readOtpRegistration: (original) => (world, account, type) =>
        type === 'SMS_OTP' ? refused('SMS_OTP is not offered.') : original(world, account, type),
    },
  ],
  [
    'removed-email-otp-counts',
    'CREDENTIAL-CREATE-EMAIL-OTP',
    'An EMAIL_OTP credential that was removed still counts as a duplicate.',
    {
      isOnlyEmailOtp: (original) => (world) => original(world, credentials.all(world).slice(0, 1)),
    },
  ],
  [
    'registration-names-another-account',
    'CREDENTIAL-CREATE-ECHO',
    'The answer to a registration names another account.',
    {
      presentRegistered: (original) => (world, credential) => ({
        ...original(world, credential),
        accountId: mintId(world, 'InternalAccount'),
      }),
    },
  ],
  [
    'registration-names-another-type',
    'CREDENTIAL-CREATE-ECHO',
    'The answer to the registration of a passkey calls it EMAIL_OTP.',
    {
      presentRegistered: (original) => (world, credential) => {
        const { credentialId: _, ...shown } = original(world, credential);
        return credential.type === 'PASSKEY' ? { ...shown, type: 'EMAIL_OTP' } : original(world, credential);
      },
    },
  ],
  [
    'registered-id-not-listed',
    'CREDENTIAL-CREATE-LISTED',
    'Registration answers an id that is not the one stored.',
    {
      presentRegistered: (original) => (world, credential) => ({
        ...original(world, credential),
        id: mintId(world, 'AuthMethod'),
      }),
    },
    ['CREDENTIAL-LIST-COMPLETE'],
  ],
  [
    'email-otp-duplicate-accepted',
    'CREDENTIAL-EMAIL-OTP-DUPLICATE',
    'An account takes a second EMAIL_OTP credential.',
    {
      isOnlyEmailOtp: objectsNever,
    },
  ],
  [
    'email-otp-duplicate-code',
    'CREDENTIAL-EMAIL-OTP-DUPLICATE',
    'A second EMAIL_OTP credential is refused as invalid input.',
    {
      isOnlyEmailOtp: refusingWith(
        () => new Refusal(400, 'INVALID_INPUT', 'The account has an EMAIL_OTP credential.'),
      ),
    },
  ],
  [
    'sms-otp-duplicate-accepted',
    'CREDENTIAL-SMS-OTP-DUPLICATE',
    'An account takes a second SMS_OTP credential.',
    {
      isOnlySmsOtp: objectsNever,
    },
  ],
  [
    'sms-otp-duplicate-code',
    'CREDENTIAL-SMS-OTP-DUPLICATE',
    'A second SMS_OTP credential is refused with the code for EMAIL_OTP.',
    {
      isOnlySmsOtp: refusingWith(
        () => new Refusal(400, 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS', 'The account has one.'),
      ),
    },
  ],
  [
    'otp-duplicates-race',
    'CREDENTIAL-OTP-ONE-UNDER-RACE',
    'Duplicates of one-time codes are looked for at the first call only.',
    {
      completeSigned: (original) => (world, operation, proof) => {
        const isOtp = operation.type === 'EMAIL_OTP' || operation.type === 'SMS_OTP';
        const skips = isOtp && proof.request.print.operation === 'POST /auth/credentials';
        return original(world, skips ? { ...operation, check: () => {} } : operation, proof);
      },
    },
  ],
  [
    'passkey-duplicate-accepted',
    'CREDENTIAL-PASSKEY-DUPLICATE',
    'The same passkey is registered twice on one account.',
    {
      isNewPasskey: objectsNever,
    },
  ],
  [
    'passkey-duplicate-answers-409',
    'CREDENTIAL-PASSKEY-DUPLICATE',
    'A passkey that is there already answers 409.',
    { isNewPasskey: refusingWith(() => new Refusal(409, 'CONFLICT', 'The passkey is there already.')) },
  ],
  [
    'one-passkey-only',
    'CREDENTIAL-PASSKEY-SEVERAL',
    'An account takes one passkey and no more.',
    {
      isNewPasskey: (original) => (world, account, kind) =>
        world.behaviour.passkeysBeside(account).length > 0
          ? refused('There is a passkey.')
          : original(world, account, kind),
    },
  ],
  [
    'one-identity-only',
    'CREDENTIAL-OAUTH-SEVERAL',
    'An account takes one OAUTH credential and no more.',
    {
      isNewIdentity: (original) => (world, others, kind) =>
        others.length > 0 ? refused('There is an OAUTH credential.') : original(world, others, kind),
    },
  ],
  [
    'sms-otp-keeps-oauth-out',
    'CREDENTIAL-TYPES-TOGETHER',
    'An account with SMS_OTP takes no OAUTH credential.',
    {
      credentialIsNew: (original) => (world, account, kind) => {
        const hasSms = credentialsOf(world, account.id).some(({ type }) => type === 'SMS_OTP');
        return hasSms && kind.type === 'OAUTH'
          ? refused('There is an SMS_OTP credential.')
          : original(world, account, kind);
      },
    },
  ],
  [
    'email-otp-keeps-sms-otp-out',
    'CREDENTIAL-TYPES-TOGETHER',
    'An account with EMAIL_OTP takes no SMS_OTP credential.',
    {
      isOnlySmsOtp: (original) => (world, others) => original(world, others),
      credentialIsNew: (original) => (world, account, kind) => {
        const hasEmail = credentialsOf(world, account.id).some(({ type }) => type === 'EMAIL_OTP');
        return hasEmail && kind.type === 'SMS_OTP'
          ? refused('There is an EMAIL_OTP credential.')
          : original(world, account, kind);
      },
    },
  ],
  [
    'oauth-nickname-missing',
    'CREDENTIAL-OAUTH-NICKNAME',
    'An OAUTH credential has no nickname.',
    {
      nicknameFrom: () => () => undefined,
    },
  ],
  [
    'oauth-nickname-is-sub',
    'CREDENTIAL-OAUTH-NICKNAME',
    'The nickname of an OAUTH credential is the sub claim.',
    {
      nicknameFrom:
        () =>
        (_world, { sub }) =>
          JSON.stringify(sub),
    },
  ],
  [
    'passkey-nickname-lost',
    'CREDENTIAL-PASSKEY-NICKNAME',
    'Every passkey is called the same.',
    {
      passkeyNickname: () => () => 'Passkey',
    },
  ],
  [
    'passkey-id-is-another',
    'CREDENTIAL-PASSKEY-ID-ECHO',
    'The credentialId of a passkey is an id of the service.',
    {
      presentCredential: (original) => (world, credential) => ({
        ...original(world, credential),
        ...(credential.passkey ? { credentialId: Buffer.from(credential.id).toString('base64url') } : {}),
      }),
    },
  ],
  [
    'registration-challenge-unchecked',
    'PASSKEY-REGISTRATION-CHALLENGE',
    'An attestation for any challenge registers.',
    {
      isRegistrationChallenge: () => () => true,
    },
  ],
  [
    'attested-id-unchecked',
    'PASSKEY-REGISTRATION-ATTESTATION',
    'The credentialId beside the attestation object is not compared with the one inside it.',
    {
      isAttestedId: objectsNever,
    },
  ],
  [
    'passkey-domain-unchecked',
    'PASSKEY-REGISTRATION-DOMAIN',
    'A passkey is registered whatever domain it was made for.',
    {
      attestationVerdict: (original) => (world, attestation, expected) =>
        original(world, attestation, { ...expected, rpIds: [...expected.rpIds, 'phishing.example'] }),
    },
  ],
  [
    'passkey-bytes-as-base64',
    'PASSKEY-BYTES-BASE64URL',
    'A credentialId that begins with - and _ is refused, as base64 has neither.',
    {
      judgeAttestation: (original) => async (world, attestation, challenge) =>
        /^[-_]{3}/.test(attestation.credentialId)
          ? refuse(world.behaviour.refuseAttestation('credentialId is no base64'))
          : original(world, attestation, challenge),
    },
  ],
]);
