import type { Replacements } from '../areas/behaviour.ts';
import { allowedOrigins, type ScaChallenge, scaLogins, scaOf, SESSION_TIME } from '../areas/sca/records.ts';
import { type Customer, customers } from '../areas/customers/records.ts';
import { type Quote, quotes } from '../areas/quotes/records.ts';
import { type JsonObject, textOf } from '../server/json.ts';
import { refuse } from '../server/refusal.ts';
import type { World } from '../world/world.ts';
import { answeringWith, asking, giving, where, coded, no, nothing, yes } from '../areas/replacements.ts';
import { breaking, anyMoveOf, type Fault, fault, field, refused, shown, within } from './fault.ts';
import { times } from './later-times.ts';
import { isReceivedLocked, receivedLockedIsMarked } from './quotes/received-locked.ts';
import { shownWrongly } from './shown-wrongly.ts';

const DAY = 24 * 3_600_000;

const LOGIN_STARTS = 'POST /sca/login/start';
const LOGIN_ENDS = 'POST /sca/login/complete';

/** A mistake with the challenges that follow the first of a quote. @param mistake gets their ids */
function later(mistake: (challenges: ReadonlySet<string>) => Replacements): Replacements {
  const challenges = new Set<string>();
  return {
    nextChallenge: giving((next) => {
      challenges.add(next.id);
      return next;
    }),
    ...mistake(challenges),
  };
}

const isFundedInRealTime = ({ source }: Quote): boolean => source['sourceType'] === 'REALTIME_FUNDING';

const hasHadSession = (world: World, { id }: Customer): boolean =>
  scaOf(world, id)?.sessionExpiresAt !== undefined;

/** Challenges that cannot be authorized in their last minute. */
const endsAMinuteEarly = (isMeant: (isOfLogin: boolean) => boolean): Replacements => ({
  challengeExpired: (original) => (world, challenge) =>
    original(world, challenge) ||
    (isMeant(scaLogins.get(world, challenge.id) !== undefined) &&
      world.clock.now(challenge.customerId) > challenge.expiresAt - 60_000),
});

/** An operation that is no login, and opens an SCA session. @param whose the id of a customer */
function opensSession(
  operation: string,
  whose: (body: JsonObject, world: World) => string | undefined,
): Replacements {
  return answeringWith(operation, (body, world) => {
    const customer = customers.get(world, whose(body, world) ?? '');
    if (customer && scaOf(world, customer.id))
      world.behaviour.openScaSession(customer, world.clock.now(customer.id) + SESSION_TIME);
    return body;
  });
}

function passkeyOfAnybody(isMeant: (world: World, challenge: ScaChallenge) => boolean): Replacements {
  return {
    assertionHolds: (original) => async (world, challenge, proof) => {
      const whose = isMeant(world, challenge) ? customers.all(world) : [];
      for (const { id } of whose)
        if (scaOf(world, id) && (await original(world, { ...challenge, customerId: id }, proof))) return true;
      return original(world, challenge, proof);
    },
  };
}

const wrongProofs = new WeakMap<object, number>();

/** The nonces of a quote's earlier challenges go on counting. */
function spentChallenges(): Replacements {
  const spent = new WeakMap<World, Map<string, string[]>>();
  return {
    nextChallenge: giving((next, world, quote) => {
      const nonces = spent.get(world) ?? new Map<string, string[]>();
      nonces.set(next.id, [...(nonces.get(quote.challenge!.id) ?? []), quote.challenge!.nonce ?? '']);
      spent.set(world, nonces);
      return next;
    }),
    challengeMatches: (original) => (world, challenge, sent) =>
      original(world, challenge, sent) || (spent.get(world)?.get(challenge.id)?.includes(sent) ?? false),
  };
}

/** Any challenge of the customer that was not used yet will do. */
function otherQuotes(): Replacements {
  const used = new Set<string>();
  const issued = new Map<string, string>();
  return {
    newChallenge: giving((challenge, world, customerId) => {
      if (challenge.nonce !== undefined) issued.set(challenge.nonce, customerId);
      return challenge;
    }),
    challengeMatches: () => (_world, challenge, sent) => {
      if (issued.get(sent) !== challenge.customerId || used.has(sent)) return false;
      used.add(sent);
      return true;
    },
  };
}

/** What goes wrong for a customer that something else has come before. */
const afterwards = (): readonly Fault[] => {
  const marked = new Set<string>();
  const marks: readonly (readonly [what: string, Replacements])[] = [
    ['a-wrong-proof', { afterWrongProof: asking((quote) => (marked.add(quote.customerId), [quote])) }],
    ['an-executed-quote', { settleQuote: asking((quote) => (marked.add(quote.customerId), [quote])) }],
  ];
  return marks.flatMap(([what, mark]) => [
    fault(`after-${what}-none-waits`, 'SCA-CHALLENGE-REQUIRED', {
      ...mark,
      quoteNeedsAuthorization: (original) => (world, quote) =>
        !marked.has(quote.customerId) && original(world, quote),
    }),
    fault(`after-${what}-any-code-is-right`, 'SCA-WRONG-PROOF', {
      ...mark,
      codeHolds: (original) => (world, challenge, proof) =>
        marked.has(challenge.customerId) || original(world, challenge, proof),
    }),
  ]);
};

/** What strong customer authentication does. */
export const scaFaults = [
  ...afterwards(),
  fault('authorize-without-sca-taken', 'SCA-AUTHORIZE-NOT-APPLICABLE', {
    authorizeQuote: (original) => async (world, quote, proof) =>
      scaOf(world, quote.customerId) ? original(world, quote, proof) : undefined,
  }),
  fault('login-without-sca-answers-404', 'SCA-LOGIN-NOT-APPLICABLE', {
    refuseLoginWithoutSca: coded('REFERENCE_NOT_FOUND', 404),
  }),
  ...breaking('SCA-CHALLENGE-REQUIRED', {
    'quotes-never-wait-for-authorization': { quoteNeedsAuthorization: no },
    'real-time-funding-waits-for-no-authorization': {
      quoteNeedsAuthorization: where(({ source }) => source['sourceType'] === 'REALTIME_FUNDING', false),
    },
    'locked-amount-received-waits-for-no-authorization': {
      ...receivedLockedIsMarked,
      quoteNeedsAuthorization: where(isReceivedLocked, false),
    },
  }),
  fault('right-proof-refused', 'SCA-AUTHORIZE-ACCEPTED', { proofHolds: () => () => Promise.resolve(false) }),
  fault('right-code-refused', 'SCA-AUTHORIZE-ACCEPTED', { codeHolds: no }),
  fault('next-challenge-keeps-its-id', 'SCA-NEXT-CHALLENGE-NEW-ID', {
    nextChallenge: (original) => (world, quote) => ({ ...original(world, quote), id: quote.challenge!.id }),
  }),
  ...breaking('SCA-LOOP-ENDS', {
    'authorization-never-ends': { needsNextChallenge: yes },
    'next-passkey-challenge-without-options': later((challenges) => ({
      presentChallenge: giving((shown, _world, { id }) =>
        challenges.has(id) ? { ...shown, passkeyAssertionOptions: undefined } : shown,
      ),
    })),
  }),
  fault('first-authorization-releases', 'SCA-STATUS-KEPT-BETWEEN', {
    quoteAuthorized: where((quote) => quote.authorizations > 0, undefined),
    ...anyMoveOf('quote', 'transaction'),
  }),
  fault('one-authorization-is-enough', 'SCA-STATUS-KEPT-BETWEEN', { needsNextChallenge: no }),
  fault('one-authorization-is-enough-in-real-time', 'SCA-STATUS-KEPT-BETWEEN', {
    needsNextChallenge: where((quote) => quote.source['sourceType'] === 'REALTIME_FUNDING', false),
  }),
  fault('two-authorizations-are-enough', 'SCA-STATUS-KEPT-BETWEEN', {
    needsNextChallenge: where((quote) => quote.authorizations >= 2, false),
  }),
  fault(
    'challenge-ends-a-minute-early',
    ['SCA-AUTHORIZE-ACCEPTED', 'SCA-PASSKEY-ACCEPTED'],
    endsAMinuteEarly((isOfLogin) => !isOfLogin),
  ),
  fault(
    'login-challenge-ends-a-minute-early',
    'SCA-LOGIN-COMPLETES',
    endsAMinuteEarly((isOfLogin) => isOfLogin),
  ),
  fault('status-leaves-between', ['SCA-STATUS-KEPT-BETWEEN', 'QUOTE-INSTRUCTIONS-AFTER-AUTHORIZATION'], {
    shownStatus: where(
      (quote) => quote.status === 'PENDING_AUTHORIZATION' && quote.authorizations > 0,
      'PENDING',
    ),
  }),
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
  ...breaking('SCA-WRONG-PROOF', {
    'passkey-of-any-customer-authorizes': passkeyOfAnybody((world, { id }) => !scaLogins.get(world, id)),
    'passkey-of-any-customer-logs-in': passkeyOfAnybody((world, { id }) => Boolean(scaLogins.get(world, id))),
    'every-code-is-right-in-real-time': {
      codeHolds: (original) => (world, challenge, proof) => {
        const quote = quotes.all(world).find((one) => one.challenge === challenge);
        const isMeant = quote !== undefined && isFundedInRealTime(quote);
        return (isMeant && typeof proof['code'] === 'string') || original(world, challenge, proof);
      },
    },
    'third-wrong-code-taken': {
      afterWrongProof: () => (world, quote) => {
        const times = (wrongProofs.get(quote) ?? 0) + 1;
        wrongProofs.set(quote, times);
        if (times === 3) world.behaviour.advanceAuthorization(quote);
      },
    },
    'every-code-is-right': { codeHolds: yes, assertionHolds: () => () => Promise.resolve(true) },
    'every-code-is-right-at-a-login': {
      codeHolds: (original) => (world, challenge, proof) =>
        scaLogins.get(world, challenge.id) !== undefined || original(world, challenge, proof),
    },
    'login-challenge-of-anybody-taken': {
      completeScaLogin: (original) => (world, customer, body) => {
        const challenge = scaLogins.get(world, String(body['challengeId']));
        if (challenge) Object.assign(challenge, { customerId: customer.id });
        return original(world, customer, body);
      },
    },
    'no-assertion-taken-for-one': {
      assertionHolds: (original) => async (world, challenge, proof) =>
        proof['passkeyAssertion'] === undefined || (await original(world, challenge, proof)),
    },
    'second-wrong-assertion-taken': {
      assertionHolds: (original) => async (world, challenge, proof) =>
        (await original(world, challenge, proof)) || times(world, 'wrong assertion', challenge.id) === 2,
    },
    'wrong-code-refused-and-counted': {
      afterWrongProof: () => (world, quote) => world.behaviour.advanceAuthorization(quote),
    },
  }),
  fault('every-assertion-is-right-at-a-login', ['SCA-WRONG-PROOF', 'SCA-PASSKEY-ORIGIN'], {
    assertionHolds: (original) => async (world, challenge, proof) =>
      scaLogins.get(world, challenge.id) !== undefined || (await original(world, challenge, proof)),
  }),
  fault('earlier-passkey-proof-taken', 'SCA-PROOF-OF-EARLIER-CHALLENGE', spentChallenges()),
  ...breaking('SCA-PROOF-OF-OTHER-QUOTE', {
    'passkey-challenge-not-compared': otherQuotes(),
    'authorization-of-a-quote-releases-all': {
      releaseQuote: (original) => (world, quote) => {
        for (const other of quotes.all(world))
          if (other.customerId === quote.customerId && other.status === 'PENDING_AUTHORIZATION')
            original(world, other);
      },
    },
  }),
  ...breaking('SCA-CHALLENGE-EXPIRED', {
    'expired-challenge-taken': { challengeExpired: no, ...anyMoveOf('SCA challenge') },
    'expired-second-challenge-taken': later((challenges) => ({
      challengeExpired: where((challenge) => challenges.has(challenge.id), false),
      failOnExpiredChallenge: where((quote) => challenges.has(quote.challenge?.id ?? ''), undefined),
      ...anyMoveOf('SCA challenge'),
    })),
    'expired-login-challenge-taken': {
      challengeExpired: (original) => (world, challenge) =>
        scaLogins.get(world, challenge.id) === undefined && original(world, challenge),
      ...anyMoveOf('SCA challenge'),
    },
  }),
  fault('challenges-are-shown-as-expired', 'SCA-EXPIRES-AT', {
    ...shown('presentChallenge', (challenge) => ({
      ...challenge,
      expiresAt: new Date(Date.parse(String(challenge['expiresAt'])) - 7_200_000).toISOString(),
    })),
  }),
  ...breaking('SCA-FACTOR-AVAILABLE', {
    'later-challenges-list-no-factor': later((challenges) => ({
      presentChallenge: giving((shownOne, world, challenge) =>
        challenges.has(challenge.id) ? { ...shownOne, availableFactors: [] } : shownOne,
      ),
    })),
    'factor-not-among-the-available': shown('presentChallenge', (challenge) => ({
      ...challenge,
      availableFactors: ['SMS_OTP', 'PASSKEY', 'TOTP'].filter((one) => one !== challenge['factor']),
    })),
  }),
  fault('expired-challenge-called-compliance', 'TRANSACTION-SCA-NOT-COMPLETED', {
    failOnExpiredChallenge: () => (world, quote) => world.behaviour.failQuote(quote, 'COMPLIANCE_REJECTED'),
  }),
  fault('passkey-before-sms', 'SCA-FACTOR-DEFAULT', {
    factorFor: (original) => (world, sca, wanted) =>
      wanted ?? (sca.availableFactors.includes('PASSKEY') ? 'PASSKEY' : original(world, sca, wanted)),
  }),
  fault('passkey-proof-refused', 'SCA-PASSKEY-ACCEPTED', {
    assertionHolds: () => () => Promise.resolve(false),
  }),
  ...breaking('SCA-PASSKEY-ORIGIN', {
    'any-origin-taken': { originAllowed: yes },
    'origin-believed-as-told': {
      originAllowed: yes,
      assertionHolds:
        (original) =>
        async (world, challenge, { origin, ...proof }) =>
          (typeof origin !== 'string' || allowedOrigins(world, challenge).includes(origin)) &&
          original(world, challenge, proof),
    },
  }),
  ...breaking('SCA-PASSKEY-ORIGINS-AT-LOGIN', {
    'login-without-origins': field(LOGIN_STARTS, 'passkeyAllowedOrigins').drop(),
  }),
  ...breaking('SCA-SESSION-REQUIRED', {
    'authorizing-needs-no-session': {
      scaSessionAlive: where((_id, sca) => sca.sessionExpiresAt === undefined, undefined),
    },
    'authorizing-in-real-time-needs-no-session': within(
      'authorizeQuote',
      { scaSessionAlive: nothing },
      isFundedInRealTime,
    ),
    'missing-session-answers-401': { refuseWithoutSession: coded('UNAUTHORIZED', 401) },
    'missing-session-called-conflict': { refuseWithoutSession: coded('CONFLICT', 409) },
  }),
  fault('login-never-completes', 'SCA-LOGIN-COMPLETES', {
    completeScaLogin: () => (world) =>
      Promise.reject(world.behaviour.refuseScaProof('The proof is not right for this login.')),
  }),
  ...breaking('SCA-LOGIN-COMPLETES', {
    'login-opens-no-session': { openScaSession: nothing },
    'second-login-opens-no-session': {
      openScaSession: (original) => (world, customer, until) => {
        if (!hasHadSession(world, customer)) original(world, customer, until);
      },
    },
    'second-login-refused': {
      completeScaLogin: (original) => (world, customer, body) =>
        hasHadSession(world, customer)
          ? refused('The customer has logged in.')
          : original(world, customer, body),
    },
  }),
  fault('later-login-keeps-the-end-of-the-first', 'SCA-SESSION-LASTS', {
    openScaSession: (original) => (world, customer, until) => {
      const end = scaOf(world, customer.id)?.sessionExpiresAt;
      if (end === undefined || end <= world.clock.now(customer.id)) original(world, customer, until);
    },
  }),
  fault('session-lasts-90-days', 'SCA-SESSION-LASTS', {
    scaSessionAlive: (original) => (world, id, sca) =>
      world.clock.now(id) > (sca.sessionExpiresAt ?? 0) - 90 * DAY
        ? refuse(world.behaviour.refuseWithoutSession())
        : original(world, id, sca),
  }),
  fault('session-of-any-customer-serves', ['SCA-SESSION-REQUIRED', 'SCA-SESSION-ENDS'], {
    scaSessionAlive: (original) => (world, id, sca) => {
      const ends = customers.all(world).map((one) => scaOf(world, one.id)?.sessionExpiresAt ?? 0);
      original(world, id, { ...sca, sessionExpiresAt: Math.max(...ends) });
    },
  }),
  fault('start-of-a-login-opens-a-session', ['SCA-SESSION-REQUIRED', 'SCA-WRONG-PROOF'], {
    ...opensSession(
      LOGIN_STARTS,
      ({ challengeId }, world) => scaLogins.get(world, textOf(challengeId))?.customerId,
    ),
  }),
  ...breaking('SCA-SESSION-ENDS', {
    'session-never-ends': {
      scaSessionAlive: where((_id, sca) => sca.sessionExpiresAt !== undefined, undefined),
    },
    'authorization-prolongs-the-session': opensSession(
      'POST /quotes/:quoteId/authorize',
      ({ id }, world) => quotes.get(world, textOf(id))?.customerId,
    ),
  }),
  fault('login-says-30-days', 'SCA-SESSION-EXPIRES-AT-MATCHES', {
    ...field(LOGIN_ENDS, 'sessionExpiresAt').mapText((until) =>
      new Date(Date.parse(until) - 150 * DAY).toISOString(),
    ),
  }),
  fault('locked-account-authorizes', 'SCA-ACCOUNT-LOCKED', { accountNotLocked: nothing }),
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
  fault('locked-account-answers-403', 'SCA-ACCOUNT-LOCKED', { refuseLocked: coded('FORBIDDEN', 403) }),
  fault('locked-account-called-conflict', 'SCA-ACCOUNT-LOCKED', { refuseLocked: coded('CONFLICT', 423) }),

  // ScaChallenge and the answer to a login, shown wrongly.
  ...shownWrongly('presentChallenge', 'SCA challenge', {
    id: ['SCA-ID', 'missing', 'bare-uuid'],
    expiresAt: ['SCA-EXPIRES-AT', 'missing', ['in-seconds', () => 120]],
    factor: ['SCA-FACTOR', 'missing', ['as-object', (type) => ({ type })]],
    availableFactors: [
      'SCA-AVAILABLE-FACTORS',
      'missing',
      ['as-text', (list) => (list as string[]).join(',')],
    ],
    purpose: ['SCA-PURPOSE', ['as-list', (purpose) => [purpose]], ['as-number', () => 1]],
    passkeyAssertionOptions: ['SCA-PASSKEY-OPTIONS', ['as-text', (options) => JSON.stringify(options)]],
  }),
  ...shownWrongly(LOGIN_STARTS, 'login challenge', {
    passkeyAllowedOrigins: ['SCA-PASSKEY-ORIGINS', ['as-text', (list) => (list as string[]).join(' ')]],
  }),
  ...shownWrongly(LOGIN_ENDS, 'login completion', {
    sessionExpiresAt: ['SCA-LOGIN-SESSION-EXPIRES-AT', 'missing', ['in-days', () => 180]],
  }),
  fault('sms-challenge-with-options', 'SCA-PASSKEY-OPTIONS-ONLY-PASSKEY', {
    ...shown('presentChallenge', (object) =>
      object['factor'] === 'PASSKEY'
        ? object
        : { ...object, passkeyAssertionOptions: { challenge: 'AAAA', rpId: 'sandbox.example' } },
    ),
  }),
  fault('quote-challenge-lists-origins', 'SCA-NO-ORIGINS-PER-TRANSACTION', {
    challengeOfQuote: giving(
      (challenge) => challenge && { ...challenge, passkeyAllowedOrigins: ['https://sandbox.example'] },
    ),
  }),
];
