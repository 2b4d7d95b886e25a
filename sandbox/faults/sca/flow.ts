import type { Replacements } from '../../areas/behaviour.ts';
import { scaLogins } from '../../areas/sca/records.ts';
import { refuse, Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { anyMoveOf, fault, shown } from '../fault.ts';

const DAY = 24 * 3_600_000;

/** What strong customer authentication does. */
export const scaFlowFaults = [
  fault('authorize-without-sca-taken', 'SCA-AUTHORIZE-NOT-APPLICABLE', {
    authorizeQuote: (original) => async (world, quote, proof) =>
      world.behaviour.scaOf(quote.customerId) ? original(world, quote, proof) : undefined,
  }),
  fault('login-without-sca-answers-404', 'SCA-LOGIN-NOT-APPLICABLE', {
    refuseLoginWithoutSca: () => (world) => world.behaviour.refuseNotFound('login', 'login'),
  }),
  fault('quotes-never-wait-for-authorization', 'SCA-CHALLENGE-REQUIRED', {
    quoteNeedsAuthorization: () => () => false,
  }),
  fault('right-proof-refused', 'SCA-AUTHORIZE-ACCEPTED', { proofHolds: () => () => Promise.resolve(false) }),
  fault('right-code-refused', 'SCA-AUTHORIZE-ACCEPTED', { codeHolds: () => () => false }),
  fault('next-challenge-keeps-its-id', 'SCA-NEXT-CHALLENGE-NEW-ID', {
    nextChallenge: (original) => (world, quote) => ({ ...original(world, quote), id: quote.challenge!.id }),
  }),
  fault('authorization-never-ends', 'SCA-LOOP-ENDS', { needsNextChallenge: () => () => true }),
  fault('first-authorization-releases', 'SCA-STATUS-KEPT-BETWEEN', {
    quoteAuthorized: (original) => (world, quote) =>
      quote.authorizations > 0 ? undefined : original(world, quote),
    ...anyMoveOf('quote', 'transaction'),
  }),
  fault('one-authorization-is-enough', 'SCA-STATUS-KEPT-BETWEEN', { needsNextChallenge: () => () => false }),
  fault('status-leaves-between', 'SCA-STATUS-KEPT-BETWEEN', {
    shownStatus: (original) => (world, quote) =>
      quote.status === 'PENDING_AUTHORIZATION' && quote.authorizations > 0
        ? 'PENDING'
        : original(world, quote),
  }),
  fault(
    'next-passkey-challenge-without-options',
    'SCA-LOOP-ENDS',
    later((challenges) => ({
      assertionOptions: (original) => (world, challenge) =>
        challenges.has(challenge.id) ? undefined : original(world, challenge),
    })),
  ),
  fault('challenge-id-wanted-back', 'SCA-CHALLENGE-ID-NOT-SENT', {
    authorizeQuote: (original) => (world, quote, proof) => {
      if (
        quote.challenge &&
        proof['challengeId'] !== quote.challenge.id &&
        proof['id'] !== quote.challenge.id &&
        proof['scaChallengeId'] !== quote.challenge.id
      )
        throw world.behaviour.refuseScaProof('Send the id of the challenge.');
      return original(world, quote, proof);
    },
  }),
  fault('every-code-is-right', 'SCA-WRONG-PROOF', {
    codeHolds: () => () => true,
    assertionHolds: () => () => Promise.resolve(true),
  }),
  fault('every-code-is-right-at-a-login', 'SCA-WRONG-PROOF', {
    codeHolds: (original) => (world, challenge, proof) =>
      scaLogins.get(world, challenge.id) !== undefined || original(world, challenge, proof),
  }),
  fault('every-assertion-is-right-at-a-login', ['SCA-WRONG-PROOF', 'SCA-PASSKEY-ORIGIN'], {
    assertionHolds: (original) => async (world, challenge, proof) =>
      scaLogins.get(world, challenge.id) !== undefined || (await original(world, challenge, proof)),
  }),
  fault('no-assertion-taken-for-one', 'SCA-WRONG-PROOF', {
    assertionHolds: (original) => async (world, challenge, proof) =>
      proof['passkeyAssertion'] === undefined || (await original(world, challenge, proof)),
  }),
  fault('wrong-code-refused-and-counted', 'SCA-WRONG-PROOF', {
    afterWrongProof: () => (world, quote) => world.behaviour.advanceAuthorization(quote),
  }),
  fault('earlier-passkey-proof-taken', 'SCA-PROOF-OF-EARLIER-CHALLENGE', spentChallenges()),
  fault('passkey-challenge-not-compared', 'SCA-PROOF-OF-OTHER-QUOTE', otherQuotes()),
  fault('expired-challenge-taken', 'SCA-CHALLENGE-EXPIRED', {
    challengeExpired: () => () => false,
    ...anyMoveOf('SCA challenge'),
  }),
  fault(
    'challenges-are-shown-as-expired',
    'SCA-EXPIRES-AT',
    shown('presentChallenge', (challenge) => ({
      ...challenge,
      expiresAt: new Date(Date.parse(String(challenge['expiresAt'])) - 7_200_000).toISOString(),
    })),
  ),
  fault(
    'later-challenges-list-no-factor',
    'SCA-FACTOR-AVAILABLE',
    later((challenges) => ({
      presentChallenge: (original) => (world, challenge) => {
        const shownOne = original(world, challenge);
        return challenges.has(challenge.id) ? { ...shownOne, availableFactors: [] } : shownOne;
      },
    })),
  ),
  fault(
    'expired-second-challenge-taken',
    'SCA-CHALLENGE-EXPIRED',
    later((challenges) => ({
      challengeExpired: (original) => (world, challenge) =>
        !challenges.has(challenge.id) && original(world, challenge),
      failOnExpiredChallenge: (original) => (world, quote) => {
        if (!challenges.has(quote.challenge?.id ?? '')) original(world, quote);
      },
      ...anyMoveOf('SCA challenge'),
    })),
  ),
  fault('expired-login-challenge-taken', 'SCA-CHALLENGE-EXPIRED', {
    challengeExpired: (original) => (world, challenge) =>
      scaLogins.get(world, challenge.id) === undefined && original(world, challenge),
    ...anyMoveOf('SCA challenge'),
  }),
  fault('expired-challenge-called-compliance', 'TRANSACTION-SCA-NOT-COMPLETED', {
    failOnExpiredChallenge: () => (world, quote) => world.behaviour.failQuote(quote, 'COMPLIANCE_REJECTED'),
  }),
  fault('passkey-before-sms', 'SCA-FACTOR-DEFAULT', {
    factorFor: (original) => (world, sca, wanted) =>
      wanted ?? (sca.availableFactors.includes('PASSKEY') ? 'PASSKEY' : original(world, sca, wanted)),
  }),
  fault(
    'factor-not-among-the-available',
    'SCA-FACTOR-AVAILABLE',
    shown('presentChallenge', (challenge) => ({
      ...challenge,
      availableFactors: ['SMS_OTP', 'PASSKEY', 'TOTP'].filter((one) => one !== challenge['factor']),
    })),
  ),
  fault('passkey-proof-refused', 'SCA-PASSKEY-ACCEPTED', {
    assertionHolds: () => () => Promise.resolve(false),
  }),
  fault('any-origin-taken', 'SCA-PASSKEY-ORIGIN', { originAllowed: () => () => true }),
  fault('login-without-origins', 'SCA-PASSKEY-ORIGINS-AT-LOGIN', { loginOrigins: () => () => undefined }),
  fault('authorizing-needs-no-session', 'SCA-SESSION-REQUIRED', {
    scaSessionAlive: (original) => (world, id, sca) =>
      sca.sessionExpiresAt === undefined ? undefined : original(world, id, sca),
  }),
  fault('missing-session-answers-401', 'SCA-SESSION-REQUIRED', {
    refuseWithoutSession: () => () => new Refusal(401, 'UNAUTHORIZED', 'Log in.'),
  }),
  fault('missing-session-called-conflict', 'SCA-SESSION-REQUIRED', {
    refuseWithoutSession: () => () => new Refusal(409, 'CONFLICT', 'Log in.'),
  }),
  fault('login-never-completes', 'SCA-LOGIN-COMPLETES', {
    completeScaLogin: () => (world) =>
      Promise.reject(world.behaviour.refuseScaProof('The proof is not right for this login.')),
  }),
  fault('login-opens-no-session', 'SCA-LOGIN-COMPLETES', { openScaSession: () => () => undefined }),
  fault('session-lasts-90-days', 'SCA-SESSION-LASTS', {
    scaSessionAlive: (original) => (world, id, sca) =>
      world.clock.now(id) > (sca.sessionExpiresAt ?? 0) - 90 * DAY
        ? refuse(world.behaviour.refuseWithoutSession())
        : original(world, id, sca),
  }),
  fault('session-never-ends', 'SCA-SESSION-ENDS', {
    scaSessionAlive: (original) => (world, id, sca) =>
      sca.sessionExpiresAt === undefined ? original(world, id, sca) : undefined,
  }),
  fault('login-says-30-days', 'SCA-SESSION-EXPIRES-AT-MATCHES', {
    presentLogin: (original) => (world, until) => original(world, until - 150 * DAY),
  }),
  fault('locked-account-authorizes', 'SCA-ACCOUNT-LOCKED', { accountNotLocked: () => () => undefined }),
  fault('locked-account-authorizes-at-the-second-try', 'SCA-ACCOUNT-LOCKED', {
    accountNotLocked: (original) => (world, id, sca) => {
      try {
        original(world, id, sca);
      } catch (error) {
        delete sca.lockedUntil;
        throw error;
      }
    },
  }),
  fault('locked-account-answers-403', 'SCA-ACCOUNT-LOCKED', {
    refuseLocked: () => (world) => world.behaviour.refuseForbidden('Locked.'),
  }),
  fault('locked-account-called-conflict', 'SCA-ACCOUNT-LOCKED', {
    refuseLocked: () => () => new Refusal(423, 'CONFLICT', 'Locked.'),
  }),
];

/** A mistake with the challenges that follow the first of a quote. @param mistake gets their ids */
function later(mistake: (challenges: ReadonlySet<string>) => Replacements): Replacements {
  const challenges = new Set<string>();
  return {
    nextChallenge: (original) => (world, quote) => {
      const next = original(world, quote);
      challenges.add(next.id);
      return next;
    },
    ...mistake(challenges),
  };
}

/** The nonces of a quote's earlier challenges go on counting. */
function spentChallenges(): Replacements {
  const spent = new WeakMap<World, Map<string, string[]>>();
  return {
    nextChallenge: (original) => (world, quote) => {
      const next = original(world, quote);
      const nonces = spent.get(world) ?? new Map<string, string[]>();
      nonces.set(next.id, [...(nonces.get(quote.challenge!.id) ?? []), quote.challenge!.nonce ?? '']);
      spent.set(world, nonces);
      return next;
    },
    challengeMatches: (original) => (world, challenge, sent) =>
      original(world, challenge, sent) || (spent.get(world)?.get(challenge.id)?.includes(sent) ?? false),
  };
}

/** Any challenge of the customer that was not used yet will do. */
function otherQuotes(): Replacements {
  const used = new Set<string>();
  const issued = new Map<string, string>();
  return {
    newChallenge: (original) => (world, customerId, sca, issue) => {
      const challenge = original(world, customerId, sca, issue);
      if (challenge.nonce !== undefined) issued.set(challenge.nonce, customerId);
      return challenge;
    },
    challengeMatches: () => (_world, challenge, sent) => {
      if (issued.get(sent) !== challenge.customerId || used.has(sent)) return false;
      used.add(sent);
      return true;
    },
  };
}
