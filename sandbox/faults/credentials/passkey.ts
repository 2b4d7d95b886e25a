import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { credentials, credentialsOf, passkeyChallenges } from '../../areas/credentials/records.ts';
import type { BehaviourSet } from '../../areas/behaviour.ts';
import { compressed, newPrivateKey } from '../../crypto/keys.ts';
import { readClientData } from '../../crypto/webauthn.ts';
import { refuse } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { anyMoveOf, faultsOf, objectsNever, RACE_MILLISECONDS } from '../fault.ts';
import { keyMadeWhereNoneFits } from './sessions.ts';

const newest = (world: World, credentialId: string) =>
  passkeyChallenges
    .all(world)
    .filter((challenge) => challenge.credentialId === credentialId)
    .at(-1);

/** The base64url text of the bytes that a hexadecimal challenge stands for. */
const decoded = (challenge: string): string => Buffer.from(challenge, 'hex').toString('base64url');

/** A Request-Id that is not the one of this credential counts as if it were not there. */
const withNewest =
  (isOurs: (world: World, credentialId: string, requestId: string) => boolean) =>
  (original: BehaviourSet['judgeLoginRequestId']): BehaviourSet['judgeLoginRequestId'] =>
  (world, credential, requestId) => {
    if (requestId === undefined || isOurs(world, credential.id, requestId))
      return original(world, credential, requestId);
    return original(world, credential, newest(world, credential.id)?.id ?? requestId);
  };

/** Passkey challenges and logins. */
export const passkeyFaults = faultsOf([
  [
    'challenge-client-key-unchecked',
    'CHALLENGE-PASSKEY-CLIENT-KEY',
    'A passkey challenge takes a clientPublicKey that is none.',
    {
      clientKeyFits: (original) => (world, key, use) => use === 'challenge' || original(world, key, use),
      ...keyMadeWhereNoneFits,
    },
  ],
  [
    'challenge-client-key-optional',
    'CHALLENGE-PASSKEY-CLIENT-KEY',
    'A passkey challenge does without a clientPublicKey.',
    {
      requestSchema: (original) => (world, name) =>
        name === 'ChallengePasskeyRequest' ? {} : original(world, name),
      clientKeyFits: (original) => (world, key, use) => key === undefined || original(world, key, use),
      ...keyMadeWhereNoneFits,
    },
  ],
  [
    'passkey-challenge-repeated',
    'CHALLENGE-PASSKEY-FRESH',
    'A passkey gets the same challenge again and again.',
    {
      newPasskeyChallenge: () => (_world, credential) =>
        createHash('sha256').update(credential.id).digest('hex'),
    },
  ],
  [
    'passkey-login-refused',
    'VERIFY-PASSKEY-ACCEPTED',
    'No assertion is good enough.',
    {
      judgeAssertion: () => async (world) =>
        refuse(world.behaviour.refuseProof('The assertion is not accepted.')),
    },
  ],
  [
    'passkey-without-counter-refused',
    'VERIFY-PASSKEY-ACCEPTED',
    'An assertion whose counter is 0, of an authenticator that keeps none, is refused.',
    {
      passkeyStillGood: (original) => (world, credential, challenge, counter) =>
        counter === 0
          ? refuse(world.behaviour.refuseProof('The counter has been seen.'))
          : original(world, credential, challenge, counter),
    },
  ],
  [
    'passkey-challenge-decoded',
    'VERIFY-PASSKEY-CHALLENGE-TEXT',
    'An assertion over the bytes that the challenge stands for is accepted too.',
    {
      isLoginChallenge: (original) => (world, seen, challenge) =>
        seen === decoded(challenge) || original(world, seen, challenge),
    },
  ],
  [
    'passkey-challenge-unchecked',
    'VERIFY-PASSKEY-WRONG-CHALLENGE',
    'An assertion over another challenge logs in.',
    {
      isLoginChallenge: () => (_world, seen, challenge) => seen !== decoded(challenge),
    },
  ],
  [
    'passkey-origin-unchecked',
    'VERIFY-PASSKEY-ORIGIN',
    'An assertion from any origin logs in.',
    {
      loginOrigin: (original) => (world, assertion, passkey) => {
        const { origin } = readClientData(assertion.clientDataJson) ?? {};
        return typeof origin === 'string' ? origin : original(world, assertion, passkey);
      },
    },
  ],
  [
    'passkey-origin-by-its-start',
    'VERIFY-PASSKEY-ORIGIN',
    'An origin that begins like the right one is right.',
    {
      loginOrigin: (original) => (world, assertion, passkey) => {
        const { origin } = readClientData(assertion.clientDataJson) ?? {};
        const right = original(world, assertion, passkey);
        return typeof origin === 'string' && origin.startsWith(right) ? origin : right;
      },
    },
  ],
  [
    'passkey-signature-unchecked',
    'VERIFY-PASSKEY-SIGNATURE',
    'The signature of an assertion is not verified.',
    {
      assertionVerdict: (original) => async (world, assertion, expected) => {
        try {
          return await original(world, assertion, expected);
        } catch (error) {
          if (String(error).includes('signature does not verify')) return expected.passkey.counter + 1;
          throw error;
        }
      },
    },
  ],
  [
    'passkey-of-any-credential',
    'VERIFY-PASSKEY-FOREIGN-CREDENTIAL',
    'An assertion of another passkey of the account logs in.',
    {
      isAssertionOf: objectsNever,
      passkeyToVerify: (original) => (world, assertion, passkey) => {
        const named = credentials
          .all(world)
          .find((other) => other.passkey?.credentialId === assertion.credentialId);
        return named?.passkey ?? original(world, assertion, passkey);
      },
      passkeyStillGood: () => (world, _credential, challenge) =>
        world.behaviour.passkeyChallengeIsUnused(challenge),
    },
  ],
  [
    'assertion-signed-by-any-passkey-of-the-account',
    'VERIFY-PASSKEY-SIGNATURE',
    'The signature of an assertion may be of any passkey of the account.',
    {
      assertionVerdict: (original) => async (world, assertion, expected) => {
        const { credentialId } = expected.passkey;
        const named = credentials.all(world).find((one) => one.passkey?.credentialId === credentialId);
        for (const { passkey } of named ? credentialsOf(world, named.accountId) : []) {
          if (!passkey || passkey.credentialId === credentialId) continue;
          const { publicKey } = passkey;
          const other = { ...expected, passkey: { ...expected.passkey, publicKey } };
          const counter = await original(world, assertion, other).catch(() => undefined);
          if (counter !== undefined) return counter;
        }
        return original(world, assertion, expected);
      },
    },
  ],
  [
    'passkey-request-id-optional',
    'VERIFY-PASSKEY-REQUEST-ID-MISSING',
    'Without a Request-Id the newest challenge counts.',
    {
      refuseLoginWithoutId: (original) => (world, credential) =>
        newest(world, credential.id) ?? original(world, credential),
    },
  ],
  [
    'passkey-request-id-ignored',
    'VERIFY-PASSKEY-REQUEST-ID-FOREIGN',
    'Whatever the Request-Id says, the newest challenge counts.',
    {
      judgeLoginRequestId: withNewest(
        (world, credentialId, id) => passkeyChallenges.get(world, id)?.credentialId === credentialId,
      ),
    },
  ],
  [
    'passkey-request-id-of-another',
    'VERIFY-PASSKEY-REQUEST-ID-FOREIGN',
    'The challenge of another credential can be answered.',
    {
      isChallengeOf: objectsNever,
    },
  ],
  [
    'passkey-challenge-reusable',
    'VERIFY-PASSKEY-REQUEST-ID-REUSED',
    'A challenge that has minted a session mints another.',
    {
      passkeyChallengeIsUnused: objectsNever,
      ...anyMoveOf('login challenge'),
      passkeyToVerify: (original) => (world, assertion, passkey) => ({
        ...original(world, assertion, passkey),
        counter: 0,
      }),
      passkeyStillGood: objectsNever,
    },
  ],
  [
    'passkey-request-id-raced',
    'VERIFY-PASSKEY-REQUEST-ID-REUSED',
    'Whether a challenge has minted a session is looked at before the assertion is, and not again.',
    {
      passkeyStillGood: objectsNever,
      judgeAssertion:
        (original) =>
        async (...args) => {
          const counter = await original(...args);
          await delay(RACE_MILLISECONDS);
          return counter;
        },
      ...anyMoveOf('login challenge'),
    },
  ],
  [
    'passkey-challenge-never-expires',
    'VERIFY-PASSKEY-EXPIRED',
    'A passkey challenge serves long after its end.',
    {
      passkeyChallengeIsFresh: objectsNever,
      ...anyMoveOf('login challenge'),
    },
  ],
  [
    'passkey-user-handle-required',
    'VERIFY-PASSKEY-USER-HANDLE',
    'An assertion without userHandle is refused.',
    {
      judgeAssertion: (original) => async (world, assertion, passkey, challenge) =>
        assertion.userHandle === undefined
          ? refuse(world.behaviour.refuseField('assertion.userHandle', 'is required'))
          : original(world, assertion, passkey, challenge),
    },
  ],
  [
    'verify-body-without-proof',
    'VERIFY-TYPE-MISMATCH',
    'A body of another type passes where the bundle of a one-time code is not there to be wrong.',
    {
      typeFits: objectsNever,
      readOtpBundle: (original) => async (world, credential, text) =>
        typeof text === 'string'
          ? original(world, credential, text)
          : {
              challenge: world.behaviour.issueOtpChallenge(credential),
              code: world.behaviour.newCode(),
              publicKey: compressed(newPrivateKey().point).toString('hex'),
            },
    },
  ],
]);
