import { createHash } from 'node:crypto';
import type { BehaviourSet } from '../../areas/behaviour.ts';
import {
  credentials,
  credentialsOf,
  type OtpChallenge,
  otpChallenges,
} from '../../areas/credentials/records.ts';
import { compressed, newPrivateKey } from '../../crypto/keys.ts';
import { isObject } from '../../server/json.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import { giving, asking, where, coded, nothing } from '../../areas/replacements.ts';
import { breaking, fault, type Fault, refused } from '../fault.ts';
import { keyMadeWhereNoneFits } from './sessions.ts';

type Judge = BehaviourSet['isSameSubject'];

/** What any identity of the account has is taken for that of the credential. */
const ofTheAccount =
  (original: Judge): Judge =>
  (world, claims, identity) => {
    const own = credentials.all(world).find((one) => one.identity?.sub === identity.sub);
    const isHeld = credentialsOf(world, own?.accountId ?? '').some(
      ({ identity: held }) =>
        held?.sub === claims['sub'] && held?.iss === claims['iss'] && held?.aud === claims['aud'],
    );
    return isHeld ? undefined : original(world, claims, identity);
  };

/** The client key of the last challenge, by credential. */
const lastClientKeys = new Map<string, string>();

const randomKey = (): string => compressed(newPrivateKey().point).toString('hex');

/** Keys announced by bundles that could not be read. */
const unread = new Set<string>();

/** Challenges whose code was sent by text message. */
const texted = new WeakSet<OtpChallenge>();

/** Challenges, and logins with one-time codes. */
export const loginFaults = [
  fault('otp-challenge-needs-body', 'CHALLENGE-EMAIL-OTP-NO-BODY', {
    readBody: (original) => (world, call, route) => {
      const isEmpty = call.rawBody.length === 0;
      if (route.path.endsWith('/challenge') && route.body === undefined && isEmpty)
        throw world.behaviour.refuseMissingBody();
      return original(world, call, route);
    },
  }),
  ...(['EMAIL_OTP', 'SMS_OTP', 'PASSKEY'] as const).map((type): Fault =>
    fault(`${type.toLowerCase().replace('_', '-')}-challenges-unlimited`, 'CHALLENGE-RATE-LIMITED', {
      mayChallenge: where((credential) => credential.type === type, undefined),
    }),
  ),
  fault('email-otp-added-back-does-not-log-in', 'VERIFY-EMAIL-OTP-ACCEPTED', {
    codeIsRight: (original) => (world, proof) => {
      const was = credentials
        .all(world)
        .filter(
          ({ id, type }) => type === 'EMAIL_OTP' && otpChallenges.get(world, id)?.includes(proof.challenge),
        );
      const isBack = was.some(({ accountId }) =>
        credentials
          .all(world)
          .some((one) => one.accountId === accountId && one.type === 'EMAIL_OTP' && one.status !== 'ACTIVE'),
      );
      if (isBack) throw world.behaviour.refuseProof('The code is wrong.');
      original(world, proof);
    },
  }),
  fault('challenge-limit-answers-403', 'CHALLENGE-RATE-LIMITED', { refuseTooOften: coded('FORBIDDEN', 403) }),
  fault('retry-after-missing', 'CHALLENGE-RETRY-AFTER', {
    refuseTooOften: giving((usual) => new Refusal(429, 'RATE_LIMITED', usual.message)),
  }),
  fault('retry-after-too-short', 'CHALLENGE-RETRY-AFTER-ENDS', { retryAfter: () => () => '1' }),
  fault('email-otp-login-refused', 'VERIFY-EMAIL-OTP-ACCEPTED', {
    openChallenges: where((credential) => credential.type === 'EMAIL_OTP', []),
  }),
  ...breaking('VERIFY-SMS-OTP-FLOW', {
    'sms-otp-login-refused': { openChallenges: where((credential) => credential.type === 'SMS_OTP', []) },
    'any-code-by-text-message-logs-in': {
      issueOtpChallenge: giving((challenge, world, credential) => {
        if (credential.type === 'SMS_OTP') texted.add(challenge);
        return challenge;
      }),
      codeIsRight: where((proof) => texted.has(proof.challenge), undefined),
    },
  }),
  ...breaking('VERIFY-EMAIL-OTP-WRONG-CODE', {
    'any-code-logs-in': { codeIsRight: nothing },
    'code-compared-by-length': { codeIsRight: where((proof) => /^\d{6}$/.test(proof.code), undefined) },
  }),
  fault('sealed-text-believed', 'VERIFY-EMAIL-OTP-UNREADABLE', {
    openBundle: (original) => async (world, challenge, sealed) => {
      const opened = await original(world, challenge, sealed);
      const { public_key: key } = JSON.parse(opened?.toString() ?? '{"public_key":0}') as {
        public_key?: unknown;
      };
      if (key === undefined) throw new Error('There is no key.');
      return opened;
    },
  }),
  fault('unreadable-bundle-accepted', 'VERIFY-EMAIL-OTP-UNREADABLE', {
    readOtpBundle: (original) => async (world, credential, text) => {
      const challenge = otpChallenges.get(world, credential.id)?.at(-1);
      if (!challenge || world.behaviour.parseBundle(text)) return original(world, credential, text);
      const publicKey = randomKey();
      unread.add(publicKey);
      return { challenge, code: challenge.code, publicKey };
    },
    isAnnouncedKey: where((announced) => unread.has(announced), undefined),
  }),
  fault(
    'unopened-bundle-accepted',
    ['VERIFY-EMAIL-OTP-OTHER-TARGET', 'VERIFY-EMAIL-OTP-WRONG-CODE', 'VERIFY-EMAIL-OTP-UNREADABLE'],
    {
      readOtpBundle: (original) => async (world, credential, text) => {
        const challenge = otpChallenges.get(world, credential.id)?.at(-1);
        try {
          return await original(world, credential, text);
        } catch (error) {
          if (!challenge || !world.behaviour.parseBundle(text)) throw error;
        }
        const publicKey = randomKey();
        unread.add(publicKey);
        return { challenge, code: challenge.code, publicKey };
      },
      isAnnouncedKey: where((announced) => unread.has(announced), undefined),
    },
  ),
  fault('otp-retry-by-any-key', 'VERIFY-EMAIL-OTP-SIGNER', { isAnnouncedKey: nothing }),
  fault('otp-session-of-another-key', 'VERIFY-EMAIL-OTP-SESSION-KEY', {
    otpSessionKey: () => () => randomKey(),
  }),
  fault('sandbox-code-is-another', ['OTP-SANDBOX-CODE', 'VERIFY-EMAIL-OTP-ACCEPTED'], {
    newCode: () => () => '123456',
  }),

  // OIDC tokens, at registration and at login, and the keys of the sessions they mint.
  fault('oauth-login-refused', 'VERIFY-OAUTH-ACCEPTED', {
    judgeLoginToken: () => () => refused('OAUTH is closed.'),
  }),
  fault('oauth-client-key-unchecked', 'VERIFY-OAUTH-CLIENT-KEY', {
    clientKeyFits: where((_key, use) => use === 'verify', true),
    ...keyMadeWhereNoneFits,
  }),
  fault('session-key-sealed-to-the-key-of-the-last-challenge', 'SESSION-KEY-SEALED-TO-CLIENT', {
    presentPasskeyChallenge: (original) => (world, challenge) => {
      lastClientKeys.set(challenge.credentialId, challenge.clientPublicKey);
      return original(world, challenge);
    },
    mintSealedSession: (original) => (world, credential, clientPublicKey) =>
      original(world, credential, lastClientKeys.get(credential.id) ?? clientPublicKey),
  }),
  fault('session-key-sealed-to-another', 'SESSION-KEY-SEALED-TO-CLIENT', {
    sealSessionKey: (original) => (world, key) => original(world, key, newPrivateKey().point),
  }),
  fault('session-key-is-another', 'SESSION-KEY-SIGNS', {
    sealSessionKey: (original) => (world, _key, client) => original(world, newPrivateKey(), client),
  }),
  fault('passkey-session-signs-nothing', 'SESSION-KEY-SIGNS', {
    sessionIsLive: (original) => (world, session) =>
      session.type === 'PASSKEY'
        ? refuse(world.behaviour.refuseSigner('Weak session.'))
        : original(world, session),
  }),
  fault('token-signature-checked-in-sandbox', 'OIDC-SANDBOX-SIGNATURE-SKIPPED', {
    tokenSignature: () => (world, token) =>
      Buffer.from(token.split('.')[2] ?? '', 'base64url').length === 256
        ? undefined
        : refuse(world.behaviour.refuseProof('The token is not signed by its issuer.')),
  }),
  fault('malformed-token-read', 'OIDC-MALFORMED', {
    refuseMalformedToken: (original) => (world, token) => {
      const claims = jsonOf(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
      return isObject(claims) ? claims : original(world, token);
    },
  }),
  fault('old-token-registers', 'OIDC-CREATE-TOO-OLD', { registrationTokenIsCurrent: nothing }),
  fault('token-too-young-to-register-after-twenty-seconds', 'OIDC-AGE-WITHIN-LIMIT', {
    registrationTokenIsCurrent: (original) => (world, claims, now) => {
      if (now / 1000 - Number(claims['iat']) > 20)
        refuse(new Refusal(400, 'INVALID_INPUT', 'The token is too old.'));
      return original(world, claims, now);
    },
  }),
  fault('old-token-logs-in', 'OIDC-VERIFY-TOO-OLD', { loginTokenIsCurrent: nothing }),
  fault('token-age-in-minutes', 'OIDC-VERIFY-TOO-OLD', {
    loginTokenIsCurrent: asking((claims, now) => [
      {
        ...claims,
        iat: Math.max(Number(claims['iat']), Math.min(now / 1000, Number(claims['iat']) + 540)),
      },
      now,
    ]),
  }),
  fault('young-token-too-old', 'OIDC-AGE-WITHIN-LIMIT', {
    tokenIsYoung: giving((usual, world, claims, now) => usual && now / 1000 - Number(claims['iat']) <= 20),
  }),
  fault('token-of-any-issuer', 'OIDC-ISS', { isSameIssuer: nothing }),
  fault('token-for-any-audience', 'OIDC-AUD', { isSameAudience: nothing }),
  fault('token-of-any-subject', 'OIDC-SUB', { isSameSubject: nothing }),
  fault('issuer-by-its-start', 'OIDC-ISS', {
    isSameIssuer: (original) => (world, claims, identity) =>
      String(claims['iss']).startsWith(identity.iss) ? undefined : original(world, claims, identity),
  }),
  fault('audience-by-its-start', 'OIDC-AUD', {
    isSameAudience: (original) => (world, claims, identity) =>
      String(claims['aud']).startsWith(identity.aud) ? undefined : original(world, claims, identity),
  }),
  fault('list-as-audience-answers-500', 'VERIFY-STATUS', {
    isSameAudience: (original) => (world, claims, identity) =>
      Array.isArray(claims['aud'])
        ? refuse(new Refusal(500, 'INTERNAL_ERROR', 'The audience is no text.'))
        : original(world, claims, identity),
  }),
  ...breaking('OIDC-SUB', {
    'subject-by-its-start': {
      isSameSubject: (original) => (world, claims, identity) =>
        String(claims['sub']).startsWith(identity.sub) ? undefined : original(world, claims, identity),
    },
    'subject-in-any-case': {
      isSameSubject: (original) => (world, claims, identity) =>
        original(world, { ...claims, sub: String(claims['sub']).toLowerCase() }, identity),
    },
    'token-of-any-identity-of-the-account': {
      isSameIssuer: ofTheAccount,
      isSameAudience: ofTheAccount,
      isSameSubject: ofTheAccount,
    },
  }),
  fault('nonce-unchecked', 'OIDC-NONCE', {
    nonceFits: where((claims) => claims['nonce'] !== undefined, undefined),
  }),
  fault('nonce-compared-by-its-start', 'OIDC-NONCE', {
    nonceFits: (original) => (world, claims, clientPublicKey) => {
      const start = createHash('sha256').update(clientPublicKey).digest('hex').slice(0, 16);
      if (!String(claims['nonce']).startsWith(start)) original(world, claims, clientPublicKey);
    },
  }),
  fault('nonce-optional', 'OIDC-NONCE-MISSING', { refuseMissingNonce: nothing }),
];

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
