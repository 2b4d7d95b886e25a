import { credentials, type OtpChallenge, otpChallenges } from '../../areas/credentials/records.ts';
import { compressed, newPrivateKey } from '../../crypto/keys.ts';
import { Refusal } from '../../server/refusal.ts';
import { fault, objectsNever, type Fault } from '../fault.ts';

const randomKey = (): string => compressed(newPrivateKey().point).toString('hex');

/** Keys announced by bundles that could not be read. */
const unread = new Set<string>();

/** Challenges whose code was sent by text message. */
const texted = new WeakSet<OtpChallenge>();

/** Challenges, and logins with one-time codes. */
export const otpFaults = [
  fault('otp-challenge-needs-body', 'CHALLENGE-EMAIL-OTP-NO-BODY', {
    readBody: (original) => (world, call, route) => {
      const isEmpty = call.rawBody.length === 0;
      if (route.path.endsWith('/challenge') && route.body === undefined && isEmpty)
        throw world.behaviour.refuseMissingBody();
      return original(world, call, route);
    },
  }),
  fault('challenges-unlimited', 'CHALLENGE-RATE-LIMITED', { mayChallenge: () => () => undefined }),
  ...(['EMAIL_OTP', 'SMS_OTP', 'PASSKEY'] as const).map((type): Fault =>
    fault(`${type.toLowerCase().replace('_', '-')}-challenges-unlimited`, 'CHALLENGE-RATE-LIMITED', {
      mayChallenge: (original) => (world, credential) => {
        if (credential.type !== type) original(world, credential);
      },
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
  fault('challenge-limit-answers-403', 'CHALLENGE-RATE-LIMITED', {
    refuseTooOften: () => (world) => world.behaviour.refuseForbidden('Too many challenges.'),
  }),
  fault('retry-after-missing', 'CHALLENGE-RETRY-AFTER', {
    refuseTooOften: (original) => (world, seconds) =>
      new Refusal(429, 'RATE_LIMITED', original(world, seconds).message),
  }),
  fault('retry-after-too-short', 'CHALLENGE-RETRY-AFTER-ENDS', { retryAfter: () => () => '1' }),
  fault('email-otp-login-refused', 'VERIFY-EMAIL-OTP-ACCEPTED', {
    openChallenges: (original) => (world, credential) =>
      credential.type === 'EMAIL_OTP' ? [] : original(world, credential),
  }),
  fault('sms-otp-login-refused', 'VERIFY-SMS-OTP-FLOW', {
    openChallenges: (original) => (world, credential) =>
      credential.type === 'SMS_OTP' ? [] : original(world, credential),
  }),
  fault('any-code-logs-in', 'VERIFY-EMAIL-OTP-WRONG-CODE', { codeIsRight: objectsNever }),
  fault('any-code-by-text-message-logs-in', 'VERIFY-SMS-OTP-FLOW', {
    issueOtpChallenge: (original) => (world, credential) => {
      const challenge = original(world, credential);
      if (credential.type === 'SMS_OTP') texted.add(challenge);
      return challenge;
    },
    codeIsRight: (original) => (world, proof) =>
      texted.has(proof.challenge) ? undefined : original(world, proof),
  }),
  fault('code-compared-by-length', 'VERIFY-EMAIL-OTP-WRONG-CODE', {
    codeIsRight: (original) => (world, proof) =>
      /^\d{6}$/.test(proof.code) ? undefined : original(world, proof),
  }),
  fault('unreadable-bundle-accepted', 'VERIFY-EMAIL-OTP-UNREADABLE', {
    readOtpBundle: (original) => async (world, credential, text) => {
      const challenge = otpChallenges.get(world, credential.id)?.at(-1);
      if (!challenge || world.behaviour.parseBundle(text)) return original(world, credential, text);
      const publicKey = randomKey();
      unread.add(publicKey);
      return { challenge, code: challenge.code, publicKey };
    },
    isAnnouncedKey: (original) => (world, announced, publicKey) =>
      unread.has(announced) ? undefined : original(world, announced, publicKey),
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
      isAnnouncedKey: (original) => (world, announced, publicKey) =>
        unread.has(announced) ? undefined : original(world, announced, publicKey),
    },
  ),
  fault('otp-retry-by-any-key', 'VERIFY-EMAIL-OTP-SIGNER', { isAnnouncedKey: objectsNever }),
  fault('otp-session-of-another-key', 'VERIFY-EMAIL-OTP-SESSION-KEY', {
    otpSessionKey: () => () => randomKey(),
  }),
  fault('sandbox-code-is-another', 'OTP-SANDBOX-CODE', { newCode: () => () => '123456' }),
];
