import type { Replacements } from '../../areas/behaviour.ts';
import { scaLogins } from '../../areas/sca/records.ts';
import { refuse, Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { anyMoveOf, faultsOf, shown } from '../fault.ts';

const DAY = 24 * 3_600_000;

/** What strong customer authentication does. */
export const scaFlowFaults = faultsOf([
  [
    'authorize-without-sca-taken',
    'SCA-AUTHORIZE-NOT-APPLICABLE',
    'Authorizing outside SCA regions answers with the quote.',
    {
      authorizeQuote: (original) => async (world, quote, proof) =>
        world.behaviour.scaOf(quote.customerId) ? original(world, quote, proof) : undefined,
    },
  ],
  [
    'login-without-sca-answers-404',
    'SCA-LOGIN-NOT-APPLICABLE',
    'A login outside SCA regions answers 404.',
    { refuseLoginWithoutSca: () => (world) => world.behaviour.refuseNotFound('login', 'login') },
  ],
  [
    'quotes-never-wait-for-authorization',
    'SCA-CHALLENGE-REQUIRED',
    'Quotes of SCA customers start ready to be executed.',
    { quoteNeedsAuthorization: () => () => false },
  ],
  [
    'right-proof-refused',
    'SCA-AUTHORIZE-ACCEPTED',
    'Every proof is refused.',
    { proofHolds: () => () => Promise.resolve(false) },
  ],
  [
    'right-code-refused',
    'SCA-AUTHORIZE-ACCEPTED',
    'The code of a text message is never taken.',
    { codeHolds: () => () => false },
  ],
  [
    'next-challenge-keeps-its-id',
    'SCA-NEXT-CHALLENGE-NEW-ID',
    'The next challenge comes under the id of the last one.',
    {
      nextChallenge: (original) => (world, quote) => ({ ...original(world, quote), id: quote.challenge!.id }),
    },
  ],
  [
    'authorization-never-ends',
    'SCA-LOOP-ENDS',
    'After every authorization another one is needed.',
    { needsNextChallenge: () => () => true },
  ],
  [
    'first-authorization-releases',
    'SCA-STATUS-KEPT-BETWEEN',
    'The first of several authorizations lets the quote be executed.',
    {
      quoteAuthorized: (original) => (world, quote) =>
        quote.authorizations > 0 ? undefined : original(world, quote),
      ...anyMoveOf('quote', 'transaction'),
    },
  ],
  [
    'one-authorization-is-enough',
    'SCA-STATUS-KEPT-BETWEEN',
    'The first of several authorizations takes the quote out of PENDING_AUTHORIZATION.',
    { needsNextChallenge: () => () => false },
  ],
  [
    'status-leaves-between',
    'SCA-STATUS-KEPT-BETWEEN',
    'Between two authorizations a quote shows as PENDING.',
    {
      shownStatus: (original) => (world, quote) =>
        quote.status === 'PENDING_AUTHORIZATION' && quote.authorizations > 0
          ? 'PENDING'
          : original(world, quote),
    },
  ],
  [
    'next-passkey-challenge-without-options',
    'SCA-LOOP-ENDS',
    'Only the first challenge of a quote shows what a passkey can prove it from.',
    later((challenges) => ({
      assertionOptions: (original) => (world, challenge) =>
        challenges.has(challenge.id) ? undefined : original(world, challenge),
    })),
  ],
  [
    'challenge-id-wanted-back',
    'SCA-CHALLENGE-ID-NOT-SENT',
    'A proof without the id of the challenge is refused.',
    {
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
    },
  ],
  [
    'every-code-is-right',
    'SCA-WRONG-PROOF',
    'Every proof is taken.',
    { codeHolds: () => () => true, assertionHolds: () => () => Promise.resolve(true) },
  ],
  [
    'every-code-is-right-at-a-login',
    'SCA-WRONG-PROOF',
    'A login takes any code.',
    {
      codeHolds: (original) => (world, challenge, proof) =>
        scaLogins.get(world, challenge.id) !== undefined || original(world, challenge, proof),
    },
  ],
  [
    'every-assertion-is-right-at-a-login',
    'SCA-WRONG-PROOF',
    'A login takes an assertion by any key.',
    {
      assertionHolds: (original) => async (world, challenge, proof) =>
        scaLogins.get(world, challenge.id) !== undefined || (await original(world, challenge, proof)),
    },
    ['SCA-PASSKEY-ORIGIN'],
  ],
  [
    'no-assertion-taken-for-one',
    'SCA-WRONG-PROOF',
    'A proof without an assertion is taken for a passkey.',
    {
      assertionHolds: (original) => async (world, challenge, proof) =>
        proof['passkeyAssertion'] === undefined || (await original(world, challenge, proof)),
    },
  ],
  [
    'wrong-code-refused-and-counted',
    'SCA-WRONG-PROOF',
    'A wrong proof is refused and authorizes all the same.',
    { afterWrongProof: () => (world, quote) => world.behaviour.advanceAuthorization(quote) },
  ],
  [
    'earlier-passkey-proof-taken',
    'SCA-PROOF-OF-EARLIER-CHALLENGE',
    'The assertion for an earlier challenge of the quote is taken again.',
    spentChallenges(),
  ],
  [
    'passkey-challenge-not-compared',
    'SCA-PROOF-OF-OTHER-QUOTE',
    'The assertion for any challenge of the customer is taken, unless it was used.',
    otherQuotes(),
  ],
  [
    'expired-challenge-taken',
    'SCA-CHALLENGE-EXPIRED',
    'A challenge can be authorized after its expiresAt.',
    { challengeExpired: () => () => false, ...anyMoveOf('SCA challenge') },
  ],
  [
    'challenges-are-shown-as-expired',
    'SCA-EXPIRES-AT',
    'The expiresAt of a challenge is two hours too early: what it tells has passed when it is authorized.',
    shown('presentChallenge', (challenge) => ({
      ...challenge,
      expiresAt: new Date(Date.parse(String(challenge['expiresAt'])) - 7_200_000).toISOString(),
    })),
  ],
  [
    'later-challenges-list-no-factor',
    'SCA-FACTOR-AVAILABLE',
    'From the second one on, the challenges of a quote list no factor that may be used.',
    later((challenges) => ({
      presentChallenge: (original) => (world, challenge) => {
        const shownOne = original(world, challenge);
        return challenges.has(challenge.id) ? { ...shownOne, availableFactors: [] } : shownOne;
      },
    })),
  ],
  [
    'expired-second-challenge-taken',
    'SCA-CHALLENGE-EXPIRED',
    'From the second one on, the challenges of a quote can be authorized after their expiresAt.',
    later((challenges) => ({
      challengeExpired: (original) => (world, challenge) =>
        !challenges.has(challenge.id) && original(world, challenge),
      failOnExpiredChallenge: (original) => (world, quote) => {
        if (!challenges.has(quote.challenge?.id ?? '')) original(world, quote);
      },
      ...anyMoveOf('SCA challenge'),
    })),
  ],
  [
    'expired-login-challenge-taken',
    'SCA-CHALLENGE-EXPIRED',
    'A login can be completed after the expiresAt of its challenge.',
    {
      challengeExpired: (original) => (world, challenge) =>
        scaLogins.get(world, challenge.id) === undefined && original(world, challenge),
      ...anyMoveOf('SCA challenge'),
    },
  ],
  [
    'expired-challenge-called-compliance',
    'TRANSACTION-SCA-NOT-COMPLETED',
    'A transaction that failed on an expired challenge gives the reason COMPLIANCE_REJECTED.',
    {
      failOnExpiredChallenge: () => (world, quote) => world.behaviour.failQuote(quote, 'COMPLIANCE_REJECTED'),
    },
  ],
  [
    'passkey-before-sms',
    'SCA-FACTOR-DEFAULT',
    'Challenges are issued for the passkey where there is one.',
    {
      factorFor: (original) => (world, sca, wanted) =>
        wanted ?? (sca.availableFactors.includes('PASSKEY') ? 'PASSKEY' : original(world, sca, wanted)),
    },
  ],
  [
    'factor-not-among-the-available',
    'SCA-FACTOR-AVAILABLE',
    'The factor that a challenge was issued for is not among those that may be used.',
    shown('presentChallenge', (challenge) => ({
      ...challenge,
      availableFactors: ['SMS_OTP', 'PASSKEY', 'TOTP'].filter((one) => one !== challenge['factor']),
    })),
  ],
  [
    'passkey-proof-refused',
    'SCA-PASSKEY-ACCEPTED',
    'No assertion is taken.',
    { assertionHolds: () => () => Promise.resolve(false) },
  ],
  [
    'any-origin-taken',
    'SCA-PASSKEY-ORIGIN',
    'An assertion of any origin is taken.',
    { originAllowed: () => () => true },
  ],
  [
    'login-without-origins',
    'SCA-PASSKEY-ORIGINS-AT-LOGIN',
    'The passkey challenge of a login lists no origins.',
    { loginOrigins: () => () => undefined },
  ],
  [
    'authorizing-needs-no-session',
    'SCA-SESSION-REQUIRED',
    'Quotes are authorized without an SCA session.',
    {
      scaSessionAlive: (original) => (world, id, sca) =>
        sca.sessionExpiresAt === undefined ? undefined : original(world, id, sca),
    },
  ],
  [
    'missing-session-answers-401',
    'SCA-SESSION-REQUIRED',
    'A missing SCA session answers 401.',
    { refuseWithoutSession: () => () => new Refusal(401, 'UNAUTHORIZED', 'Log in.') },
  ],
  [
    'missing-session-called-conflict',
    'SCA-SESSION-REQUIRED',
    'A missing SCA session has the code CONFLICT.',
    { refuseWithoutSession: () => () => new Refusal(409, 'CONFLICT', 'Log in.') },
  ],
  [
    'login-never-completes',
    'SCA-LOGIN-COMPLETES',
    'The right proof of a login is refused.',
    {
      completeScaLogin: () => (world) =>
        Promise.reject(world.behaviour.refuseScaProof('The proof is not right for this login.')),
    },
  ],
  [
    'login-opens-no-session',
    'SCA-LOGIN-COMPLETES',
    'A completed login opens no session.',
    { openScaSession: () => () => undefined },
  ],
  [
    'session-lasts-90-days',
    'SCA-SESSION-LASTS',
    'An SCA session ends after 90 days.',
    {
      scaSessionAlive: (original) => (world, id, sca) =>
        world.clock.now(id) > (sca.sessionExpiresAt ?? 0) - 90 * DAY
          ? refuse(world.behaviour.refuseWithoutSession())
          : original(world, id, sca),
    },
  ],
  [
    'session-never-ends',
    'SCA-SESSION-ENDS',
    'An SCA session never ends.',
    {
      scaSessionAlive: (original) => (world, id, sca) =>
        sca.sessionExpiresAt === undefined ? original(world, id, sca) : undefined,
    },
  ],
  [
    'login-says-30-days',
    'SCA-SESSION-EXPIRES-AT-MATCHES',
    'sessionExpiresAt lies 30 days ahead, while the session lasts 180.',
    { presentLogin: (original) => (world, until) => original(world, until - 150 * DAY) },
  ],
  [
    'locked-account-authorizes',
    'SCA-ACCOUNT-LOCKED',
    'A locked account can authorize.',
    { accountNotLocked: () => () => undefined },
  ],
  [
    'locked-account-authorizes-at-the-second-try',
    'SCA-ACCOUNT-LOCKED',
    'A lock ends with the first authorization that it has refused.',
    {
      accountNotLocked: (original) => (world, id, sca) => {
        try {
          original(world, id, sca);
        } catch (error) {
          delete sca.lockedUntil;
          throw error;
        }
      },
    },
  ],
  [
    'locked-account-answers-403',
    'SCA-ACCOUNT-LOCKED',
    'A locked account answers 403.',
    { refuseLocked: () => (world) => world.behaviour.refuseForbidden('Locked.') },
  ],
  [
    'locked-account-called-conflict',
    'SCA-ACCOUNT-LOCKED',
    'A locked account has the code CONFLICT.',
    { refuseLocked: () => () => new Refusal(423, 'CONFLICT', 'Locked.') },
  ],
]);

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
