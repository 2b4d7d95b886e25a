import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { credentials, credentialsOf, passkeyChallenges } from '../../areas/credentials/records.ts';
import type { BehaviourSet } from '../../areas/behaviour.ts';
import { compressed, newPrivateKey } from '../../crypto/keys.ts';
import { readClientData } from '../../crypto/webauthn.ts';
import { refuse } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { where, nothing } from '../../areas/replacements.ts';
import { anyMoveOf, breaking, fault, RACE_MILLISECONDS } from '../fault.ts';
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
export const passkeyFaults = [
  fault('challenge-client-key-unchecked', 'CHALLENGE-PASSKEY-CLIENT-KEY', {
    clientKeyFits: where((_key, use) => use === 'challenge', true),
    ...keyMadeWhereNoneFits,
  }),
  fault('challenge-client-key-optional', 'CHALLENGE-PASSKEY-CLIENT-KEY', {
    requestSchema: (original) => (world, name) =>
      name === 'ChallengePasskeyRequest' ? {} : original(world, name),
    clientKeyFits: where((key) => key === undefined, true),
    ...keyMadeWhereNoneFits,
  }),
  fault('passkey-challenge-repeated', 'CHALLENGE-PASSKEY-FRESH', {
    newPasskeyChallenge: () => (_world, credential) =>
      createHash('sha256').update(credential.id).digest('hex'),
  }),
  fault('passkey-login-refused', 'VERIFY-PASSKEY-ACCEPTED', {
    judgeAssertion: () => async (world) =>
      refuse(world.behaviour.refuseProof('The assertion is not accepted.')),
  }),
  fault('passkey-without-counter-refused', 'VERIFY-PASSKEY-ACCEPTED', {
    passkeyStillGood: (original) => (world, credential, challenge, counter) =>
      counter === 0
        ? refuse(world.behaviour.refuseProof('The counter has been seen.'))
        : original(world, credential, challenge, counter),
  }),
  fault('passkey-challenge-decoded', 'VERIFY-PASSKEY-CHALLENGE-TEXT', {
    isLoginChallenge: where((seen, challenge) => seen === decoded(challenge), true),
  }),
  fault('passkey-challenge-in-any-case', 'VERIFY-PASSKEY-CHALLENGE-TEXT', {
    isLoginChallenge: (original) => (world, seen, challenge) =>
      original(world, seen, challenge) ||
      Buffer.from(seen, 'base64url').toString().toLowerCase() === challenge.toLowerCase(),
  }),
  ...breaking('VERIFY-PASSKEY-WRONG-CHALLENGE', {
    'passkey-challenge-unchecked': {
      isLoginChallenge: () => (_world, seen, challenge) => seen !== decoded(challenge),
    },
    'passkey-challenge-of-any-login': {
      isLoginChallenge: (original) => (world, seen) =>
        passkeyChallenges.all(world).some(({ challenge }) => original(world, seen, challenge)),
    },
  }),
  fault('passkey-origin-unchecked', 'VERIFY-PASSKEY-ORIGIN', {
    loginOrigin: (original) => (world, assertion, passkey) => {
      const { origin } = readClientData(assertion.clientDataJson) ?? {};
      return typeof origin === 'string' ? origin : original(world, assertion, passkey);
    },
  }),
  fault('passkey-origin-by-its-start', 'VERIFY-PASSKEY-ORIGIN', {
    loginOrigin: (original) => (world, assertion, passkey) => {
      const { origin } = readClientData(assertion.clientDataJson) ?? {};
      const right = original(world, assertion, passkey);
      return typeof origin === 'string' && origin.startsWith(right) ? origin : right;
    },
  }),
  fault('passkey-origin-by-its-end', 'VERIFY-PASSKEY-ORIGIN', {
    loginOrigin: (original) => (world, assertion, passkey) => {
      const { origin } = readClientData(assertion.clientDataJson) ?? {};
      const right = original(world, assertion, passkey);
      return typeof origin === 'string' && origin.endsWith(new URL(right).host) ? origin : right;
    },
  }),
  fault('passkey-signature-unchecked', 'VERIFY-PASSKEY-SIGNATURE', {
    assertionVerdict: (original) => async (world, assertion, expected) => {
      try {
        return await original(world, assertion, expected);
      } catch (error) {
        if (String(error).includes('signature does not verify')) return expected.passkey.counter + 1;
        throw error;
      }
    },
  }),
  fault('passkey-of-any-credential', 'VERIFY-PASSKEY-FOREIGN-CREDENTIAL', {
    isAssertionOf: nothing,
    passkeyToVerify: (original) => (world, assertion, passkey) => {
      const named = credentials
        .all(world)
        .find((other) => other.passkey?.credentialId === assertion.credentialId);
      return named?.passkey ?? original(world, assertion, passkey);
    },
    passkeyStillGood: () => (world, _credential, challenge) =>
      world.behaviour.passkeyChallengeIsUnused(challenge),
  }),
  // Its counter is held against that of the passkey in the path.
  fault('passkey-by-its-own-id', 'VERIFY-PASSKEY-FOREIGN-CREDENTIAL', {
    isAssertionOf: nothing,
    passkeyToVerify: (original) => (world, assertion, passkey) => {
      const all = credentials.all(world);
      const own = all.find((one) => one.passkey?.credentialId === passkey.credentialId);
      const named = all.find((one) => one.passkey?.credentialId === assertion.credentialId);
      return (named?.accountId === own?.accountId && named?.passkey) || original(world, assertion, passkey);
    },
  }),
  fault('assertion-signed-by-any-passkey-of-the-account', 'VERIFY-PASSKEY-SIGNATURE', {
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
  }),
  fault('passkey-request-id-optional', 'VERIFY-PASSKEY-REQUEST-ID-MISSING', {
    refuseLoginWithoutId: (original) => (world, credential) =>
      newest(world, credential.id) ?? original(world, credential),
  }),
  fault('passkey-request-id-ignored', 'VERIFY-PASSKEY-REQUEST-ID-FOREIGN', {
    judgeLoginRequestId: withNewest(
      (world, credentialId, id) => passkeyChallenges.get(world, id)?.credentialId === credentialId,
    ),
  }),
  fault('passkey-request-id-of-another', 'VERIFY-PASSKEY-REQUEST-ID-FOREIGN', { isChallengeOf: nothing }),
  fault('passkey-request-id-of-the-account', 'VERIFY-PASSKEY-REQUEST-ID-FOREIGN', {
    isChallengeOf: (original) => (world, credential, challenge) =>
      credentials.get(world, challenge.credentialId)?.accountId === credential.accountId
        ? undefined
        : original(world, credential, challenge),
  }),
  fault('passkey-challenge-reusable', 'VERIFY-PASSKEY-REQUEST-ID-REUSED', {
    passkeyChallengeIsUnused: nothing,
    ...anyMoveOf('login challenge'),
    passkeyToVerify: (original) => (world, assertion, passkey) => ({
      ...original(world, assertion, passkey),
      counter: 0,
    }),
    passkeyStillGood: nothing,
  }),
  fault('passkey-request-id-raced', 'VERIFY-PASSKEY-REQUEST-ID-REUSED', {
    passkeyStillGood: nothing,
    judgeAssertion:
      (original) =>
      async (...args) => {
        const counter = await original(...args);
        await delay(RACE_MILLISECONDS);
        return counter;
      },
    ...anyMoveOf('login challenge'),
  }),
  fault('passkey-challenge-ends-a-minute-early', 'VERIFY-PASSKEY-ACCEPTED', {
    passkeyChallengeIsFresh: (original) => (world, challenge) => {
      original(world, challenge);
      if (world.clock.now(challenge.customerId) > challenge.expiresAt - 60_000)
        throw world.behaviour.refuseRequestId('The challenge has expired.');
    },
  }),
  fault('passkey-challenge-never-expires', 'VERIFY-PASSKEY-EXPIRED', {
    passkeyChallengeIsFresh: nothing,
    ...anyMoveOf('login challenge'),
  }),
  fault('passkey-user-handle-required', 'VERIFY-PASSKEY-USER-HANDLE', {
    judgeAssertion: (original) => async (world, assertion, passkey, challenge) =>
      assertion.userHandle === undefined
        ? refuse(world.behaviour.refuseField('assertion.userHandle', 'is required'))
        : original(world, assertion, passkey, challenge),
  }),
  fault('verify-body-without-proof', 'VERIFY-TYPE-MISMATCH', {
    typeFits: nothing,
    readOtpBundle: (original) => async (world, credential, text) =>
      typeof text === 'string'
        ? original(world, credential, text)
        : {
            challenge: world.behaviour.issueOtpChallenge(credential),
            code: world.behaviour.newCode(),
            publicKey: compressed(newPrivateKey().point).toString('hex'),
          },
  }),
];
