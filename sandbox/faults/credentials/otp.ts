import { credentials, type OtpChallenge, otpChallenges } from '../../areas/credentials/records.ts';
import { compressed, newPrivateKey } from '../../crypto/keys.ts';
import { Refusal } from '../../server/refusal.ts';
import { faultsOf, objectsNever, type Row } from '../fault.ts';

const randomKey = (): string => compressed(newPrivateKey().point).toString('hex');

/** Keys announced by bundles that could not be read. */
const unread = new Set<string>();

/** Challenges whose code was sent by text message. */
const texted = new WeakSet<OtpChallenge>();

/** Challenges, and logins with one-time codes. */
export const otpFaults = faultsOf([
  [
    'otp-challenge-needs-body',
    'CHALLENGE-EMAIL-OTP-NO-BODY',
    'The challenge of a one-time code asks for a body.',
    {
      readBody: (original) => (world, call, route) => {
        const isEmpty = call.rawBody.length === 0;
        if (route.path.endsWith('/challenge') && route.body === undefined && isEmpty)
          throw world.behaviour.refuseMissingBody();
        return original(world, call, route);
      },
    },
  ],
  [
    'challenges-unlimited',
    'CHALLENGE-RATE-LIMITED',
    'Challenges are issued as often as one likes.',
    {
      mayChallenge: () => () => undefined,
    },
  ],
  ...(['EMAIL_OTP', 'SMS_OTP', 'PASSKEY'] as const).map((type): Row => [
    `${type.toLowerCase().replace('_', '-')}-challenges-unlimited`,
    'CHALLENGE-RATE-LIMITED',
    `Challenges of ${type} are issued as often as one likes.`,
    {
      mayChallenge: (original) => (world, credential) => {
        if (credential.type !== type) original(world, credential);
      },
    },
  ]),
  [
    'email-otp-added-back-does-not-log-in',
    'VERIFY-EMAIL-OTP-ACCEPTED',
    'The code of an EMAIL_OTP credential that was added back is never right.',
    {
      codeIsRight: (original) => (world, proof) => {
        const was = credentials
          .all(world)
          .filter(
            ({ id, type }) => type === 'EMAIL_OTP' && otpChallenges.get(world, id)?.includes(proof.challenge),
          );
        const isBack = was.some(({ accountId }) =>
          credentials
            .all(world)
            .some(
              (one) => one.accountId === accountId && one.type === 'EMAIL_OTP' && one.status !== 'ACTIVE',
            ),
        );
        if (isBack) throw world.behaviour.refuseProof('The code is wrong.');
        original(world, proof);
      },
    },
  ],
  [
    'challenge-limit-answers-403',
    'CHALLENGE-RATE-LIMITED',
    'Challenges issued too often answer 403.',
    {
      refuseTooOften: () => (world) => world.behaviour.refuseForbidden('Too many challenges.'),
    },
  ],
  [
    'retry-after-missing',
    'CHALLENGE-RETRY-AFTER',
    'The 429 does not say how long to wait.',
    {
      refuseTooOften: (original) => (world, seconds) =>
        new Refusal(429, 'RATE_LIMITED', original(world, seconds).message),
    },
  ],
  [
    'retry-after-too-short',
    'CHALLENGE-RETRY-AFTER-ENDS',
    'Retry-After says 1 second, whatever is left to wait.',
    {
      retryAfter: () => () => '1',
    },
  ],
  [
    'email-otp-login-refused',
    'VERIFY-EMAIL-OTP-ACCEPTED',
    'The bundle of an EMAIL_OTP login does not open, however well it was sealed.',
    {
      openChallenges: (original) => (world, credential) =>
        credential.type === 'EMAIL_OTP' ? [] : original(world, credential),
    },
  ],
  [
    'sms-otp-login-refused',
    'VERIFY-SMS-OTP-FLOW',
    'The bundle of an SMS_OTP login does not open, however well it was sealed.',
    {
      openChallenges: (original) => (world, credential) =>
        credential.type === 'SMS_OTP' ? [] : original(world, credential),
    },
  ],
  [
    'any-code-logs-in',
    'VERIFY-EMAIL-OTP-WRONG-CODE',
    'The code is not looked at.',
    {
      codeIsRight: objectsNever,
    },
  ],
  [
    'any-code-by-text-message-logs-in',
    'VERIFY-SMS-OTP-FLOW',
    'The code of a text message is not looked at.',
    {
      issueOtpChallenge: (original) => (world, credential) => {
        const challenge = original(world, credential);
        if (credential.type === 'SMS_OTP') texted.add(challenge);
        return challenge;
      },
      codeIsRight: (original) => (world, proof) =>
        texted.has(proof.challenge) ? undefined : original(world, proof),
    },
  ],
  [
    'code-compared-by-length',
    'VERIFY-EMAIL-OTP-WRONG-CODE',
    'Any code of six digits is right.',
    {
      codeIsRight: (original) => (world, proof) =>
        /^\d{6}$/.test(proof.code) ? undefined : original(world, proof),
    },
  ],
  [
    'unreadable-bundle-accepted',
    'VERIFY-EMAIL-OTP-UNREADABLE',
    'A bundle that cannot be parsed logs in as if it held the right code.',
    {
      readOtpBundle: (original) => async (world, credential, text) => {
        const challenge = otpChallenges.get(world, credential.id)?.at(-1);
        if (!challenge || world.behaviour.parseBundle(text)) return original(world, credential, text);
        const publicKey = randomKey();
        unread.add(publicKey);
        return { challenge, code: challenge.code, publicKey };
      },
      isAnnouncedKey: (original) => (world, announced, publicKey) =>
        unread.has(announced) ? undefined : original(world, announced, publicKey),
    },
  ],
  [
    'unopened-bundle-accepted',
    'VERIFY-EMAIL-OTP-OTHER-TARGET',
    'A bundle that the key of the challenge does not open logs in as if it did.',
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
    ['VERIFY-EMAIL-OTP-WRONG-CODE', 'VERIFY-EMAIL-OTP-UNREADABLE'],
  ],
  [
    'otp-retry-by-any-key',
    'VERIFY-EMAIL-OTP-SIGNER',
    'Any key may sign the retry of a login with a one-time code.',
    {
      isAnnouncedKey: objectsNever,
    },
  ],
  [
    'otp-session-of-another-key',
    'VERIFY-EMAIL-OTP-SESSION-KEY',
    'The session of a one-time code has a key that nobody knows.',
    {
      otpSessionKey: () => () => randomKey(),
    },
  ],
  [
    'sandbox-code-is-another',
    'OTP-SANDBOX-CODE',
    'The code of the sandbox is 123456.',
    {
      newCode: () => () => '123456',
    },
  ],
]);
