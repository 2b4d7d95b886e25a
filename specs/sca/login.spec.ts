import { variantSent } from '../../suite/answers/body-form.ts';
import { expect, movesClock, test, verifies } from '../../suite/index.ts';
import { logIn, mustAuthorize, mustLogIn, mustStartLogin, mustAwait } from '../support/sca.ts';

/** How long the session of an SCA customer lasts (Authentication, 10; Limits, SCA session). */
const SESSION_DAYS = 180;
const DAY_SECONDS = 86_400;
const SESSION_SECONDS = SESSION_DAYS * DAY_SECONDS;

interface Completion {
  readonly sessionExpiresAt?: unknown;
}

const FACTORS = ['SMS_OTP', 'PASSKEY'] as const;
/** Somebody else's site. */
const FOREIGN_ORIGIN = 'https://phishing.example';
/** Give or take, in days: an hour. */
const TOLERANCE_DAYS = 1 / 24;

/** Seconds after the expiresAt of a challenge. */
const AFTER_SECONDS = 5;
/** Seconds before and after the end of the session. */
const MARGIN_SECONDS = 3_600;

for (const factor of FACTORS) {
  test(
    `without an SCA session a right proof by ${factor} gets 409 SCA_SESSION_REQUIRED`,
    verifies('SCA-SESSION-REQUIRED'),
    async ({ given, check }) => {
      await mustAuthorize(await given.scaCustomer({ challenges: 1, factor }));
      const customer = await given.scaCustomer({ challenges: 1, factor, loggedIn: false });
      const { quote, challenge } = await mustAwait(customer);
      const proof = customer.mustProve(challenge);
      const answer = await customer.authorize(quote.id, proof, 'authorizing without an SCA session');
      await check('SCA-SESSION-REQUIRED', () => {
        expect(answer).toHaveHttpStatus(409);
        // Bodies of 409 are not shown: the code is judged where there is one.
        if (answer.code !== undefined) expect(answer).toHaveCode('SCA_SESSION_REQUIRED');
      });
    },
  );

  test(
    `after a login by ${factor} authorization is no longer refused for want of a session`,
    verifies('SCA-LOGIN-COMPLETES', 'SCA-LOGIN-SESSION-EXPIRES-AT'),
    async ({ given, check, need, observe }) => {
      await mustAuthorize(await given.scaCustomer({ challenges: 1, factor }));
      const customer = await given.scaCustomer({ challenges: 1, factor, loggedIn: false });
      const before = await mustAwait(customer);
      const proof = customer.mustProve(before.challenge);
      const refused = await customer.authorize(before.quote.id, proof, 'authorizing before the login');
      need.that(
        refused.exchange.response?.status === 409,
        'no login was needed, so none can be seen to help',
      );
      const login = await logIn(customer, factor);
      await check('SCA-LOGIN-COMPLETES', () => expect(login).toBeAccepted(), {
        assumes: [variantSent('completeScaLogin', login.exchange), 'scaProof'],
      });
      need(login).available();
      observe('sca-login-operations', 'POST /sca/login/start, POST /sca/login/complete', login);
      const { quote, challenge } = await mustAwait(customer, 'a quote after the login');
      const answer = need.offered(
        await customer.prove(quote.id, challenge),
        'the challenge cannot be proved here',
      );
      await check('SCA-LOGIN-COMPLETES', () => expect(answer).toBeAccepted());
      // A login that opens no session may have no end to tell; this one has opened one.
      need(answer).accepted();
      await check('SCA-LOGIN-SESSION-EXPIRES-AT', () =>
        expect((login.body as Completion | undefined)?.sessionExpiresAt).toEqual(expect.any(String)),
      );
    },
  );
}

test(
  'sessionExpiresAt lies 180 days ahead',
  verifies('SCA-SESSION-EXPIRES-AT-MATCHES', 'SCA-LOGIN-SESSION-EXPIRES-AT'),
  async ({ given, check, need }) => {
    const customer = await given.scaCustomer();
    const login = await mustLogIn(customer);
    // The time of the target, which need not be ours.
    const { quote } = await mustAwait(customer);
    need.offered(
      typeof (login.body as Completion | undefined)?.sessionExpiresAt === 'string',
      'the login names no end of a session',
    );
    await check('SCA-SESSION-EXPIRES-AT-MATCHES', () => {
      const body = login.body as Completion;
      const days = inDays(Date.parse(String(body.sessionExpiresAt)) - Date.parse(String(quote.createdAt)));
      expect(
        Math.abs(days - SESSION_DAYS),
        `sessionExpiresAt lies ${days.toFixed(2)} days ahead`,
      ).toBeLessThan(TOLERANCE_DAYS);
    });
  },
);

test(
  'the passkey challenge of a login lists the allowed origins',
  verifies('SCA-PASSKEY-ORIGINS-AT-LOGIN', 'SCA-PASSKEY-ORIGINS'),
  async ({ given, check, need, observe }) => {
    const customer = await given.scaCustomer({ factor: 'PASSKEY' });
    await mustLogIn(customer, 'PASSKEY');
    const { challenge, answer, isScaChallenge } = await mustStartLogin(customer, 'PASSKEY');
    observe(
      'sca-endpoint-list',
      'POST /sca/login/start, POST /sca/login/complete, POST /quotes/{id}/authorize',
      answer,
    );
    // The answer to a start is not shown: it is held to the fields of a ScaChallenge where it has them.
    need.offered(isScaChallenge, 'the start of a login answers with something else than a ScaChallenge');
    await check(
      'SCA-PASSKEY-ORIGINS-AT-LOGIN',
      () => {
        expect(Array.isArray(challenge.passkeyAllowedOrigins), 'passkeyAllowedOrigins is a list').toBe(true);
        expect(challenge.passkeyAllowedOrigins?.length).toBeGreaterThan(0);
      },
      [answer],
    );
  },
);

// That the service compares the echo is not said: one that reads the origin from the assertion alone is as safe.
for (const [says, tamper, judged] of [
  ['made and sent with another origin', { origin: FOREIGN_ORIGIN }, true],
  ['made with the right origin and sent with another', {}, false],
] as const)
  test(
    `an assertion ${says}${judged ? ' is refused' : ''}`,
    verifies('SCA-PASSKEY-ORIGIN'),
    async ({ given, check, need, observe }) => {
      const customer = await given.scaCustomer({ factor: 'PASSKEY' });
      await mustLogIn(customer, 'PASSKEY');
      const { challenge } = await mustStartLogin(customer, 'PASSKEY');
      const origins = need.offered(challenge.passkeyAllowedOrigins, 'the challenge lists no origins');
      need.that(!origins.includes(FOREIGN_ORIGIN), 'the origin is allowed');
      const proof = customer.mustProve(challenge, tamper);
      const answer = await customer.completeLogin(
        challenge,
        { ...proof, origin: FOREIGN_ORIGIN },
        { label: `an assertion ${says}` },
      );
      if (judged) await check('SCA-PASSKEY-ORIGIN', () => expect(answer).toBeRefused());
      else observe('sca-origin-echo-wrong', answer);
    },
  );

test(
  'an SCA session still serves shortly before 180 days are over',
  movesClock(verifies('SCA-SESSION-LASTS')),
  async ({ given, check, clock, need }) => {
    const customer = await given.scaCustomer({ challenges: 1, loggedIn: false });
    await mustLogIn(customer);
    await mustAuthorize(customer);
    await clock.advance(SESSION_SECONDS - MARGIN_SECONDS, customer.state.customerId);
    const { quote, challenge } = await mustAwait(customer, 'a quote an hour before the session ends');
    const answer = need.offered(
      await customer.prove(quote.id, challenge),
      'the challenge cannot be proved here',
    );
    // Half a year later other things may stand against it; a missing session has an answer of its own.
    need.that(
      answer.exchange.response && (answer.accepted || answer.status === 409),
      `authorizing an hour before the session ends was answered ${answer.outcome}`,
    );
    await check('SCA-SESSION-LASTS', () => expect(answer).toBeAccepted());
  },
);

test(
  'after 180 days an SCA customer has to log in again',
  movesClock(verifies('SCA-SESSION-ENDS')),
  async ({ given, check, clock }) => {
    const customer = await given.scaCustomer({ challenges: 1, loggedIn: false });
    await mustLogIn(customer);
    await mustAuthorize(customer);
    await clock.advance(SESSION_SECONDS + MARGIN_SECONDS, customer.state.customerId);
    const { quote, challenge } = await mustAwait(customer, 'a quote an hour after the session ended');
    const proof = customer.mustProve(challenge);
    const late = await customer.authorize(quote.id, proof, 'authorizing after 180 days');
    await mustLogIn(customer);
    await mustAuthorize(customer);
    await check('SCA-SESSION-ENDS', () => expect(late).toBeRefused());
  },
);

test(
  'a login by PASSKEY cannot be completed after the expiresAt of its challenge',
  movesClock(verifies('SCA-CHALLENGE-EXPIRED')),
  async ({ given, check, clock, need }) => {
    const customer = await given.scaCustomer({ factor: 'PASSKEY', loggedIn: false });
    const { challenge, isScaChallenge } = await mustStartLogin(customer, 'PASSKEY');
    // "Populated for enrollment and login passkey challenges": what carries the origins is a ScaChallenge.
    need.offered(isScaChallenge, 'the start of a login answers with something else than a ScaChallenge');
    const end = need.offered(Date.parse(String(challenge.expiresAt)), 'the challenge tells no expiresAt');
    // The time of the target, which need not be ours.
    const { quote } = await mustAwait(customer);
    const seconds = (end - Date.parse(String(quote.createdAt))) / 1_000;
    need.that(seconds > 0, 'the challenge does not tell how long it lives');
    const proof = customer.mustProve(challenge);
    await clock.advance(Math.ceil(seconds) + AFTER_SECONDS, customer.state.customerId);
    const late = await customer.completeLogin(challenge, proof, {
      label: `a right proof ${AFTER_SECONDS} s after expiresAt`,
    });
    need(await logIn(customer, 'PASSKEY')).accepted();
    await check('SCA-CHALLENGE-EXPIRED', () => expect(late).toBeRefused());
  },
);

/** @param milliseconds a span of time */
function inDays(milliseconds: number): number {
  return milliseconds / 1_000 / DAY_SECONDS;
}
