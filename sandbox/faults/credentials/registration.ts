import type { Replacements } from '../../areas/behaviour.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { addInternalAccount } from '../../areas/accounts/records.ts';
import { loosened } from '../../areas/behaviour.ts';
import {
  type CredentialKind,
  credentials,
  credentialsOf,
  type Credential,
  type CredentialType,
  sessions,
} from '../../areas/credentials/records.ts';
import { ok } from '../../server/area.ts';
import { refuse, Refusal } from '../../server/refusal.ts';
import { mintId, type World } from '../../world/world.ts';
import { giving, answeringWith, where, refusingWith, no, nothing, yes } from '../../areas/replacements.ts';
import { breaking, RACE_MILLISECONDS, fault, refused, type Fault } from '../fault.ts';

/** Kinds whose account looked empty when their registration began. */
const begunOnEmpty = new WeakSet<CredentialKind>();

const TYPES = ['PASSKEY', 'OAUTH', 'EMAIL_OTP', 'SMS_OTP'];
const inSmallLetters = (type: string) => type.toLowerCase();

/** Credentials that were revoked, by world. */
const asleep = new WeakMap<World, readonly Credential[]>();

/** What a credential of its type is known by. */
const nameOf = ({ identity }: CredentialKind) => identity?.sub;

/** What the account has is looked at in the first call of a registration alone. */
const registeredUnchecked = (...types: readonly string[]): Replacements => ({
  completeSigned: (original) => (world, operation, proof) => {
    const isMeant = types.includes(operation.type ?? '');
    const skips = isMeant && proof.request.print.operation === 'POST /auth/credentials';
    return original(world, skips ? { ...operation, check: () => {} } : operation, proof);
  },
});

/** Registering credentials. */
export const registrationFaults = [
  fault('account-born-without-credential', 'CREDENTIAL-EMAIL-OTP-BORN', {
    openWallet: () => (world, customer) => addInternalAccount(world, customer, 'USDC', 'EMBEDDED_WALLET'),
  }),
  fault('first-credential-signed', 'CREDENTIAL-FIRST-CREATED', { needsNoSignature: no }),
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
    needsNoSignature: where((_account, kind) => begunOnEmpty.has(kind), true),
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
  ...(['OAUTH', 'SMS_OTP'] as const).map((type) =>
    fault(
      `removed-${type.toLowerCase().replace('_', '-')}-counts`,
      `CREDENTIAL-CREATE-${type.replace('_', '-')}`,
      {
        credentialIsNew: (original) => (world, account, kind) => {
          original(world, account, kind);
          const wasThere = credentials
            .all(world)
            .filter((one) => one.accountId === account.id && one.status === 'REVOKED')
            .some((one) => one.type === type && nameOf(one) === nameOf(kind));
          if (kind.type === type && wasThere)
            throw world.behaviour.refuseField('type', 'has been there before');
        },
      },
    ),
  ),
  fault('registration-names-another-type', 'CREDENTIAL-CREATE-ECHO', {
    ...answeringWith('POST /auth/credentials', ({ credentialId, ...shown }) =>
      shown['type'] === 'PASSKEY' ? { ...shown, type: 'EMAIL_OTP' } : { ...shown, credentialId },
    ),
  }),
  fault('registered-id-not-listed', ['CREDENTIAL-CREATE-LISTED', 'CREDENTIAL-LIST-COMPLETE'], {
    ...answeringWith('POST /auth/credentials', (body, world) => ({
      ...body,
      id: mintId(world, 'AuthMethod'),
    })),
  }),
  ...breaking('CREDENTIAL-EMAIL-OTP-DUPLICATE', {
    'email-otp-duplicate-accepted': { isOnlyEmailOtp: nothing },
    'email-otp-duplicate-code': { isOnlyEmailOtp: refusingWith('INVALID_INPUT', 400) },
  }),
  ...breaking('CREDENTIAL-SMS-OTP-DUPLICATE', {
    'sms-otp-duplicate-accepted': { isOnlySmsOtp: nothing },
    'sms-otp-duplicate-code': { isOnlySmsOtp: refusingWith('EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS', 400) },
  }),
  fault('otp-duplicates-race', 'CREDENTIAL-OTP-ONE-UNDER-RACE', {
    ...registeredUnchecked('EMAIL_OTP', 'SMS_OTP'),
  }),
  ...breaking('CREDENTIAL-PASSKEY-DUPLICATE', {
    'passkey-duplicates-race': registeredUnchecked('PASSKEY'),
    'passkey-duplicate-accepted': { isNewPasskey: nothing },
    'passkey-duplicate-answers-409': { isNewPasskey: refusingWith('CONFLICT', 409) },
  }),
  ...breaking('CREDENTIAL-PASSKEY-SEVERAL', {
    'passkeys-told-apart-without-case': passkeysAlike((id) => id.toLowerCase()),
    'passkeys-told-apart-by-their-start': passkeysAlike((id) => id.slice(0, -4)),
    'one-passkey-only': passkeysAtMost(1),
    'two-passkeys-at-most': passkeysAtMost(2),
  }),
  ...breaking('CREDENTIAL-OAUTH-SEVERAL', {
    'one-identity-only': {
      isNewIdentity: (original) => (world, others, kind) =>
        others.length > 0 ? refused('There is an OAUTH credential.') : original(world, others, kind),
    },
    'identities-told-apart-by-their-sub-alone': {
      isNewIdentity: (original) => (world, others, kind) =>
        others.some(({ identity }) => identity?.sub === kind.identity?.sub)
          ? refused('There is one of this sub.')
          : original(world, others, kind),
    },
  }),
  fault('sms-otp-keeps-oauth-out', 'CREDENTIAL-TYPES-TOGETHER', keepsOut('SMS_OTP', 'OAUTH')),
  fault('sms-otp-keeps-email-otp-out', 'CREDENTIAL-TYPES-TOGETHER', keepsOut('SMS_OTP', 'EMAIL_OTP')),
  fault(
    'email-otp-keeps-sms-otp-out',
    ['CREDENTIAL-TYPES-TOGETHER', 'CREDENTIAL-CREATE-SMS-OTP'],
    keepsOut('EMAIL_OTP', 'SMS_OTP'),
  ),
  fault('oauth-nickname-missing', 'CREDENTIAL-OAUTH-NICKNAME', { nicknameFrom: nothing }),
  fault('oauth-nickname-is-sub', 'CREDENTIAL-OAUTH-NICKNAME', {
    nicknameFrom:
      () =>
      (_world, { sub }) =>
        JSON.stringify(sub),
  }),
  fault('passkey-nickname-lost', 'CREDENTIAL-PASSKEY-NICKNAME', { passkeyNickname: () => () => 'Passkey' }),
  fault('passkeys-are-shown-with-one-nickname', 'CREDENTIAL-PASSKEY-NICKNAME', {
    presentCredential: (original) => (world, credential) => {
      const one = credentialsOf(world, credential.accountId).find(({ type }) => type === credential.type);
      return original(world, { ...credential, ...(one?.passkey && { nickname: one.nickname! }) });
    },
  }),
  fault('passkey-id-is-another', 'CREDENTIAL-PASSKEY-ID-ECHO', {
    presentCredential: (original) => (world, credential) => ({
      ...original(world, credential),
      ...(credential.passkey ? { credentialId: Buffer.from(credential.id).toString('base64url') } : {}),
    }),
  }),
  fault('registration-challenge-unchecked', 'PASSKEY-REGISTRATION-CHALLENGE', {
    isRegistrationChallenge: yes,
  }),
  fault('attested-id-unchecked', 'PASSKEY-REGISTRATION-ATTESTATION', { isAttestedId: nothing }),
  fault('passkey-domain-unchecked', 'PASSKEY-REGISTRATION-DOMAIN', {
    attestationVerdict: (original) => (world, attestation, expected) =>
      original(world, attestation, { ...expected, rpIds: [...expected.rpIds, 'phishing.example'] }),
  }),
  fault('passkey-made-on-any-origin', 'PASSKEY-REGISTRATION-DOMAIN', {
    attestationVerdict: (original) => (world, attestation, expected) =>
      original(world, attestation, { ...expected, rpIds: [...expected.rpIds, 'localhost'] }),
  }),
  fault('passkey-bytes-as-base64', 'PASSKEY-BYTES-BASE64URL', {
    judgeAttestation: (original) => async (world, attestation, challenge) =>
      /^[-_]{3}/.test(attestation.credentialId)
        ? refuse(world.behaviour.refuseAttestation('credentialId is no base64'))
        : original(world, attestation, challenge),
  }),

  // Listing and revoking credentials.
  fault('list-shows-one-twice', 'CREDENTIAL-LIST-COMPLETE', {
    listedCredentials: giving((rows) => (rows.length > 1 ? [...rows, rows[0]!] : rows)),
  }),
  fault('list-leaks-another-account', 'CREDENTIAL-LIST-ONLY-ACCOUNT', {
    listedCredentials: (original) => (world, account) => [
      ...original(world, account),
      ...credentials
        .all(world)
        .filter(({ accountId }) => accountId !== account.id)
        .slice(-1),
    ],
  }),
  ...[10, 100].map((size): Fault =>
    fault(`list-pages-of-${size}`, 'CREDENTIAL-LIST-NOT-PAGINATED', {
      listedCredentials: (original) => (world, account) => original(world, account).slice(0, size),
    }),
  ),
  fault('revocation-refused', 'CREDENTIAL-REVOKE-COMPLETES', {
    revokeCredential: () => () => {
      throw new Refusal(400, 'INVALID_INPUT', 'Credentials stay.');
    },
  }),
  fault('revocation-answers-200', 'CREDENTIAL-REVOKE-STATUS', {
    handleCall: (original) => async (world, call, route) => {
      const credential = credentials.get(world, call.params['credentialId'] ?? '');
      const reply = await original(world, call, route);
      const isRevocation = reply.status === 204 && route.path === '/auth/credentials/:credentialId';
      return isRevocation ? ok(world.behaviour.presentCredential(credential!)) : reply;
    },
  }),
  fault('revocation-ends-last-session-only', 'CREDENTIAL-REVOKE-ENDS-SESSIONS', {
    sessionsToEnd: (original) => (world, credential) => original(world, credential).slice(-1),
  }),
  fault('revocation-ends-sessions-of-its-type', 'CREDENTIAL-REVOKE-KEEPS-OTHERS', {
    sessionsToEnd:
      () =>
      (world, { accountId, type }) =>
        sessions.all(world).filter((session) => session.accountId === accountId && session.type === type),
  }),
  fault('revocation-ends-all-sessions', 'CREDENTIAL-REVOKE-KEEPS-OTHERS', {
    sessionsToEnd: () => (world, credential) =>
      sessions.all(world).filter(({ accountId }) => accountId === credential.accountId),
  }),
  fault('login-begun-before-a-revocation-is-completed', 'CREDENTIAL-REVOKE-ENDS-LOGIN', {
    handleCall: (original) => async (world, call, route) => {
      const credential = credentials.get(world, call.params['credentialId'] ?? '');
      const isRetry = route.path.endsWith('/verify') && call.headers['request-id'] !== undefined;
      if (!isRetry || credential?.status !== 'REVOKED' || credential.type === 'PASSKEY')
        return original(world, call, route);
      credentials.put(world, credential.id, { ...credential, status: 'ACTIVE' });
      try {
        return await original(world, call, route);
      } finally {
        credentials.put(world, credential.id, credential);
      }
    },
  }),
  fault('revoked-credential-wakes-with-the-next', 'CREDENTIAL-REVOKE-ENDS-LOGIN', {
    removeCredential: (original) => (world, credential) => {
      asleep.set(world, [...(asleep.get(world) ?? []), { ...credential }]);
      original(world, credential);
    },
    registerCredential: (original) => (world, account, kind) => {
      for (const credential of asleep.get(world) ?? [])
        if (credential.accountId === account.id)
          // Out of the list, as it belongs to no account that anybody asks for.
          credentials.put(world, credential.id, {
            ...credential,
            accountId: mintId(world, 'InternalAccount'),
          });
      return original(world, account, kind);
    },
  }),
  ...(['PASSKEY', 'OAUTH'] as const).map((type) =>
    fault(
      `revocation-takes-every-${type.toLowerCase()}-along`,
      // Of two passkeys that are all an account has, none is left.
      ['CREDENTIAL-LIST-COMPLETE', ...(type === 'PASSKEY' ? ['CREDENTIAL-REVOKE-RACE'] : [])],
      {
        removeCredential: (original) => (world, credential) => {
          const twins = credentialsOf(world, credential.accountId).filter(
            (one) => one.type === type && credential.type === type && one.id !== credential.id,
          );
          for (const twin of twins) original(world, twin);
          original(world, credential);
        },
      },
    ),
  ),
  fault('only-credential-revoked', 'CREDENTIAL-REVOKE-ONLY', {
    isNotOnlyCredential: nothing,
    isOtherCredential: (original) => (world, signers, session) =>
      credentialsOf(world, session.accountId).length === 1 || original(world, signers, session),
  }),
  fault('only-credential-kept-without-its-sessions', 'CREDENTIAL-REVOKE-ONLY', {
    isNotOnlyCredential: (original) => (world, credential) => {
      try {
        original(world, credential);
      } catch (refusal) {
        for (const session of world.behaviour.sessionsToEnd(credential)) world.behaviour.endSession(session);
        throw refusal;
      }
    },
  }),
  fault('only-credential-answers-409', 'CREDENTIAL-REVOKE-ONLY', {
    refuseOnlyCredential: (original) => (world) => new Refusal(409, 'CONFLICT', original(world).message),
  }),
  fault('revocations-race', 'CREDENTIAL-REVOKE-RACE', {
    completeSigned: (original) => async (world, operation, proof) => {
      if (proof.request.signers.exceptCredential === undefined) return original(world, operation, proof);
      world.behaviour.requestIsUnused(proof.request);
      world.behaviour.maySign(proof.request.signers, proof.stamp.publicKey);
      operation.check?.(true);
      world.behaviour.useRequest(proof.request);
      await delay(RACE_MILLISECONDS);
      return operation.complete();
    },
  }),
  fault('revocation-by-other-credential-refused', 'CREDENTIAL-REVOKE-OTHER-CREDENTIAL', {
    isOtherCredential: () => (_world, signers) => signers.exceptCredential === undefined,
  }),
];

function passkeysAtMost(most: number): Replacements {
  return {
    isNewPasskey: (original) => (world, account, kind) =>
      world.behaviour.passkeysBeside(account).length >= most
        ? refused(`There are ${most} passkeys.`)
        : original(world, account, kind),
  };
}

/** Passkeys of which only a part is compared. */
function passkeysAlike(part: (credentialId: string) => string): Replacements {
  return {
    isNewPasskey: (original) => (world, account, kind) => {
      const own = kind.passkey!.credentialId;
      const isLike = world.behaviour
        .passkeysBeside(account)
        .some(({ passkey }) => part(passkey!.credentialId) === part(own));
      if (isLike) throw new Refusal(400, 'PASSKEY_CREDENTIAL_ALREADY_EXISTS', 'It looks like another one.');
      return original(world, account, kind);
    },
  };
}

/** Where an account has a credential of the one type, it takes none of the other. */
function keepsOut(held: CredentialType, refusedType: CredentialType): Replacements {
  return {
    credentialIsNew: (original) => (world, account, kind) => {
      const isThere = credentialsOf(world, account.id).some(({ type }) => type === held);
      return isThere && kind.type === refusedType
        ? refused(`There is a credential of type ${held}.`)
        : original(world, account, kind);
    },
  };
}
