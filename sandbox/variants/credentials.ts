import { asking, giving, answeringWith, where, coded, nothing } from '../areas/replacements.ts';
import type { InternalAccount } from '../areas/accounts/records.ts';
import type { Replacements } from '../areas/behaviour.ts';
import { passkeysBeside } from '../areas/credentials/behaviour.ts';
import {
  type Credential,
  type CredentialKind,
  credentials,
  credentialsOf,
  otpChallenges,
  otpIsSpent,
  type Session,
  sessions,
  type SignedRequest,
} from '../areas/credentials/records.ts';
import type { Json } from '../server/json.ts';
import { readClientData } from '../crypto/webauthn.ts';
import { Refusal, refuse } from '../server/refusal.ts';
import type { World } from '../world/world.ts';
import type { Choices } from './index.ts';

const MINUTE = 60_000;

/** Longer than a check takes that does not wait, in milliseconds. */
const MUCH_LATER = 300;

/** What the list of an account still shows after a change. */
const listedBefore = new Map<string, { readonly rows: readonly Credential[]; readonly until: number }>();

const maybeCloned = new WeakSet<object>();

/** How many wrong codes a customer has sent. */
const wrongCodes = new Map<string, number>();

/** Credentials, their challenges and logins, and sessions. */
export const credentialChoices: Choices = {
  'login-refusals': {
    open: 'What a wrong code, token or assertion gets is not stated.',
    'invalid-signature': proofs(401, 'INVALID_SIGNATURE'),
    'answers-400': proofs(400, 'INVALID_INPUT'),
    'answers-403': proofs(403, 'FORBIDDEN'),
  },
  'attestation-refusals': {
    open: 'What a bad attestation gets is not stated.',
    'answers-401': { refuseAttestation: () => (world, why) => world.behaviour.refuseProof(why) },
  },
  'malformed-token': {
    open: 'What a token gets that is no JWT is not stated.',
    'answers-401': {
      refuseMalformedToken: () => (world) => refuse(world.behaviour.refuseProof('That is no JWT.')),
    },
  },
  'stamp-scheme': {
    open: 'How a stamp is built is not shown, so a service may do without the name of a scheme.',
    'not-looked-at': {
      stampFieldsFault: asking((fields) => [{ ...fields, scheme: 'SIGNATURE_SCHEME_TK_API_P256' }]),
    },
  },
  'type-in-verify-body': {
    open: 'Whether the type in a verify body is compared with the credential is not stated.',
    'not-looked-at': { typeFits: nothing },
  },
  'unreadable-authorization': {
    open: 'Whether an Authorization header that cannot be read is an invalid request or a failed authentication is not stated.',
    'answers-400': {
      // Another scheme can be read, and shows who may not come here.
      authenticatePlatform: (original) => (world, authorization) =>
        /^Basic\b/i.test(authorization ?? '') && !world.behaviour.readBasic(authorization!)
          ? refuse(new Refusal(400, 'INVALID_REQUEST_FORMAT', 'Cannot read Authorization.'))
          : original(world, authorization),
    },
    'answers-400-for-an-empty-half-too': {
      refuseUnreadableBasic: () => () =>
        refuse(new Refusal(400, 'INVALID_REQUEST_FORMAT', 'Cannot read Authorization.')),
      readBasic: giving((read) => (read?.clientId && read.clientSecret ? read : undefined)),
    },
  },
  'client-key-of-passkey': {
    open: 'Whether a client key is looked at when it is sent, or when the session key is sealed to it, is not stated.',
    'at-verify': {
      clientKeyFits: where((_key, use) => use === 'challenge', true),
      passkeyStillGood: (original) => (world, credential, challenge, counter) =>
        world.behaviour.clientKeyFits(challenge.clientPublicKey, 'verify')
          ? original(world, credential, challenge, counter)
          : refuse(world.behaviour.refuseClientKey()),
    },
  },
  'unreadable-otp-bundle': {
    open: 'What a bundle gets that does not open is not stated.',
    'answers-401': { refuseBundle: () => (world, why) => world.behaviour.refuseProof(`The bundle ${why}.`) },
  },
  'client-key-code': {
    open: 'Which 400 code a clientPublicKey gets that is none is not stated.',
    'pubkey-format': { refuseClientKey: coded('INVALID_PUBKEY_FORMAT', 400) },
  },
  'wrong-otp-code-told': {
    open: 'Whether a wrong code is told at the first call or at the retry is not stated.',
    'at-the-retry': { checkCodeEarly: nothing },
  },
  'duplicates-told': {
    open: 'Whether a duplicate is told at the first call or at the signed retry is not stated.',
    'at-the-retry': {
      askForSignature:
        (original) =>
        (world, print, { check, ...operation }) =>
          original(world, print, {
            ...operation,
            ...(check && print.operation !== 'POST /auth/credentials' ? { check } : {}),
          }),
    },
  },
  'passkeys-of-an-account': {
    open: 'An account has several passkeys; how many at most is not shown, nor when one too many is told.',
    five: { isNewPasskey: beforePasskeys(5) },
    'five-told-at-the-retry': { registerCredential: beforePasskeys(5) },
  },
  'passkey-nicknames': {
    open: 'Whether two passkeys of an account may bear one nickname is not stated.',
    'each-once': {
      isNewPasskey: (original) => (world, account, kind) => {
        original(world, account, kind);
        if (passkeysBeside(world, account).some(({ nickname }) => nickname === kind.nickname))
          throw new Refusal(400, 'INVALID_INPUT', 'The account has a passkey of this nickname.');
      },
    },
  },
  'only-credential-told': {
    open: 'Whether the revocation of the only credential is refused at the first call or at the signed retry is not stated.',
    'at-the-retry': {
      checkRevocationEarly: nothing,
      isOtherCredential: (original) => (world, signers, session) =>
        credentialsOf(world, session.accountId).length === 1 || original(world, signers, session),
    },
    'at-the-retry-after-its-signer': { checkRevocationEarly: nothing },
  },
  'older-otp-challenges': {
    open: 'Whether a new challenge puts an end to the ones before it is not stated.',
    'stay-good': {
      openChallenges: () => (world, credential) =>
        (otpChallenges.get(world, credential.id) ?? [])
          .filter((challenge) => !otpIsSpent(challenge))
          .reverse(),
    },
  },
  'challenge-limit': {
    open: 'How many challenges are too many is not stated.',
    eight: { challengeLimit: () => () => 8 },
    twelve: { challengeLimit: () => () => 12 },
  },
  'challenge-lifetime': {
    open: 'How long a challenge can be answered is not stated.',
    'two-minutes': { challengeLifetime: () => () => 2 * MINUTE },
    'fifteen-minutes': { challengeLifetime: () => () => 15 * MINUTE },
  },
  'otp-bundle-text': {
    open: 'The bundle is a JSON-encoded string; how it is spaced, and what else it holds, is not stated.',
    indented: {
      presentTargetBundle: (original) => (world, challenge) =>
        JSON.stringify({ ...(JSON.parse(original(world, challenge)) as object), note: 'v' }, null, 2),
    },
  },
  'passkey-origins': {
    open: 'Passkeys are bound to a domain; whether its other hosts may log in is not stated.',
    'of-the-rp-id': {
      loginOrigin: (original) => (world, assertion, passkey) => {
        const { origin } = readClientData(assertion.clientDataJson) ?? {};
        const host =
          typeof origin === 'string' && /^https:/.test(origin) && URL.canParse(origin)
            ? new URL(origin).hostname
            : '';
        const isWithin = host === passkey.rpId || host.endsWith(`.${passkey.rpId}`);
        return isWithin ? (origin as string) : original(world, assertion, passkey);
      },
    },
  },
  'token-age-skew': {
    open: 'A token is at most 60 seconds old; what clocks are allowed to differ is not stated.',
    none: {
      tokenIsYoung: giving((usual, world, claims, now) => usual && now / 1000 - Number(claims['iat']) <= 60),
    },
  },
  'same-identity-twice': {
    open: 'What a second OAUTH credential of the same identity gets is not stated.',
    accepted: { isNewIdentity: nothing },
  },
  'identities-of-one-provider': {
    open: 'An account has OAUTH credentials "for each supported provider identity"; whether several of one provider is not stated.',
    'one-alone': {
      isNewIdentity: (original) => (world, others, kind) => {
        if (others.some(({ identity }) => identity?.iss === kind.identity?.iss))
          throw world.behaviour.refuseField('oidcToken', 'is of a provider that the account has already');
        original(world, others, kind);
      },
    },
  },
  'passkey-of-another-account': {
    open: 'A duplicate is one on the account; WebAuthn advises to refuse one of another user as well.',
    refused: {
      passkeysBeside: () => (world) => credentials.all(world).filter(({ type }) => type === 'PASSKEY'),
    },
  },
  'revoked-passkey': {
    open: 'Whether a passkey that was revoked has been registered already is not stated, nor when that is looked at.',
    'stays-registered': {
      passkeysBeside: () => (world, account) =>
        credentials.in(world, account.id).filter(({ type }) => type === 'PASSKEY'),
      requestIsUnused: (original) => (world, request) =>
        request.status === 'USED' && isOfRevokedPasskey(world, request)
          ? refuse(new Refusal(400, 'PASSKEY_CREDENTIAL_ALREADY_EXISTS', 'This passkey has been registered.'))
          : original(world, request),
    },
  },
  'credential-list-reads': {
    open: 'How soon the list follows a registration or a revocation is not stated.',
    'follow-later': {
      registerCredential: (original) => (world, account, kind) => {
        noteList(world, account.id);
        return original(world, account, kind);
      },
      removeCredential: (original) => (world, credential) => {
        noteList(world, credential.accountId);
        original(world, credential);
      },
      listedCredentials: (original) => (world, account) => {
        const was = listedBefore.get(account.id);
        return was && performance.now() < was.until ? was.rows : original(world, account);
      },
    },
  },
  'padding-of-credential-ids': {
    open: 'base64url may be padded.',
    padded: {
      presentCredential: giving((shown) => {
        const id = shown['credentialId'];
        return typeof id === 'string'
          ? { ...shown, credentialId: id.padEnd(Math.ceil(id.length / 4) * 4, '=') }
          : shown;
      }),
    },
  },
  'otp-nickname': {
    open: 'What the nickname of a one-time code credential is, and whether it has one, is not stated.',
    absent: {
      presentCredential: (original) => (world, credential) => ({
        ...original(world, credential),
        ...(credential.type.endsWith('_OTP') ? { nickname: undefined } : {}),
      }),
    },
  },
  'credential-list-members': {
    open: 'The list is an object with data; nothing says that it has no other member.',
    counted: answeringWith('GET /auth/credentials', (body) => ({
      count: (body['data'] as Json[]).length,
      ...body,
    })),
  },
  'session-fields': {
    open: 'A session from a token or a passkey has a key and an end; whether it has more is not stated.',
    'of-sealed-sessions-least': {
      ...answeringWith('POST /auth/credentials/:credentialId/verify', (body) => {
        const { encryptedSessionSigningKey, expiresAt } = body;
        return 'encryptedSessionSigningKey' in body ? { encryptedSessionSigningKey, expiresAt } : body;
      }),
    },
  },
  'session-lifetime': {
    open: 'How long a session lasts is not stated.',
    'ten-minutes': { sessionLifetime: () => () => 10 * MINUTE },
    'an-hour': { sessionLifetime: () => () => 60 * MINUTE },
  },
  'sessions-at-a-time': {
    open: 'How many sessions of a credential live beside each other is not stated.',
    one: {
      mintSession: (original) => (world, credential, publicKey) => {
        endSessions(world, ({ credentialId }) => credentialId === credential.id);
        return original(world, credential, publicKey);
      },
    },
  },
  'email-update': {
    open: 'Whether the update of a tied e-mail ends the sessions of the account is not stated.',
    'ends-sessions': {
      updateCustomer: (original) => (world, customer, change) => {
        original(world, customer, change);
        if (change['email'] !== undefined) endSessions(world, ({ customerId }) => customerId === customer.id);
      },
    },
  },
  'wrong-codes': {
    open: 'What becomes of a credential after several wrong codes is not stated.',
    'lock-it': {
      codeIsRight: (original) => (world, proof) => {
        const { customerId } = proof.challenge;
        try {
          original(world, proof);
        } catch (error) {
          wrongCodes.set(customerId, (wrongCodes.get(customerId) ?? 0) + 1);
          throw error;
        }
      },
      mayChallenge: (original) => (world, credential) => {
        if ((wrongCodes.get(credential.customerId) ?? 0) > 2)
          refuse(new Refusal(423, 'ACCOUNT_LOCKED', 'Too many wrong codes.'));
        original(world, credential);
      },
    },
  },
  'passkey-that-may-be-cloned': {
    open: 'What becomes of a passkey whose counter went back is not stated; WebAuthn leaves it to the service.',
    'logs-in-no-more': {
      judgeAssertion: (original) => async (world, assertion, passkey, challenge) => {
        if (maybeCloned.has(passkey)) throw world.behaviour.refuseProof('The passkey may be cloned.');
        try {
          return await original(world, assertion, passkey, challenge);
        } catch (error) {
          if (error instanceof Refusal && /counter/i.test(error.message)) maybeCloned.add(passkey);
          throw error;
        }
      },
    },
  },
  'refreshed-session': {
    open: 'What becomes of a session that was refreshed is not stated.',
    ends: { afterRefresh: () => (world, session) => world.behaviour.revokeSession(session) },
  },
};

function endSessions(world: World, isMeant: (session: Session) => boolean): void {
  for (const session of sessions.all(world)) if (isMeant(session)) world.behaviour.revokeSession(session);
}

function proofs(status: number, code: string): Replacements {
  return {
    refuseProof: (original) => (world, why) => new Refusal(status, code, original(world, why).message),
  };
}

function noteList(world: World, accountId: string): void {
  listedBefore.set(accountId, {
    rows: credentialsOf(world, accountId),
    until: performance.now() + MUCH_LATER,
  });
}

/** Whether a signed request registers a passkey that has been revoked. */
function isOfRevokedPasskey(world: World, { print }: SignedRequest): boolean {
  if (print.operation !== 'POST /auth/credentials') return false;
  return credentials
    .all(world)
    .some(
      ({ status, passkey }) => status === 'REVOKED' && passkey && print.body.includes(passkey.credentialId),
    );
}

/** Refuses a passkey where the account has so many. */
function beforePasskeys<T>(most: number) {
  type Registering = (world: World, account: InternalAccount, kind: CredentialKind) => T;
  return (original: Registering): Registering =>
    (world, account, kind) => {
      if (kind.type === 'PASSKEY' && passkeysBeside(world, account).length >= most)
        throw new Refusal(400, 'INVALID_INPUT', `An account has ${most} passkeys at most.`);
      return original(world, account, kind);
    };
}
