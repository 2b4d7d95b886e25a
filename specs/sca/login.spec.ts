import { shapeRules } from '../../schemas/openapi.ts';
import { variantSent } from '../../suite/answers/body-form.ts';
import {
  expect,
  movesClock,
  isPromised,
  test,
  verifies,
  type Answer,
  type ScaCustomer,
} from '../../suite/index.ts';
import { logIn, needAuthorize, needCompleteLogin, needStartLogin, needAwait } from '../support/sca.ts';

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

/** Seconds after the expiresAt of a challenge, and before it. */
const AFTER_SECONDS = 5;
const BEFORE_SECONDS = 20;
/** Seconds before and after the end of the session. */
const MARGIN_SECONDS = 3_600;

for (const [factor, which, paid] of [
  ['SMS_OTP', '', {}],
  ['PASSKEY', '', {}],
  ['SMS_OTP', ' for a quote that is paid in real time', { kind: 'REALTIME_FUNDING' }],
] as const)
  test(
    `without an SCA session a right proof by ${factor}${which} gets 409 SCA_SESSION_REQUIRED, and after a login it is taken`,
    verifies('SCA-SESSION-REQUIRED', 'SCA-LOGIN-COMPLETES', 'SCA-LOGIN-SESSION-EXPIRES-AT'),
    async ({ given, check, need, observe }) => {
      await needAuthorize(await given.scaCustomer({ challenges: 1, factor, ...paid }));
      const customer = await given.scaCustomer({ challenges: 1, factor, loggedIn: false, ...paid });
      const refused = await authorized(customer, 'a quote before the login');
      const again = await authorized(customer, 'another quote before the login');
      // A state promises that there is no session; of a customer of public calls only the refusal tells it.
      const isKnown = isPromised(customer.state) || refused.exchange.response?.status === 409;
      need.offered(isKnown, 'no login was needed');
      for (const answer of [refused, again])
        await check('SCA-SESSION-REQUIRED', () => {
          expect(answer).toHaveHttpStatus(409);
          // Bodies of 409 are not shown: the code is judged where there is one.
          if (answer.code !== undefined) expect(answer).toHaveCode('SCA_SESSION_REQUIRED');
        });
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
      const answer = await authorized(customer, 'a quote after the login');
      await check('SCA-LOGIN-COMPLETES', () => expect(answer).toBeAccepted());
      // A login that opens no session may have no end to tell; this one has opened one.
      need(answer).accepted();
      await check('SCA-LOGIN-SESSION-EXPIRES-AT', () =>
        expect((login.body as Completion | undefined)?.sessionExpiresAt).toEqual(expect.any(String)),
      );
    },
  );

test(
  'a login that has only begun opens no session',
  verifies('SCA-SESSION-REQUIRED'),
  async ({ given, check, need }) => {
    const customer = await given.scaCustomer({ challenges: 1, factor: 'SMS_OTP', loggedIn: false });
    const before = await authorized(customer, 'a quote before the login');
    need.offered(before.exchange.response?.status === 409, 'no login was needed');
    await needStartLogin(customer, 'SMS_OTP');
    const begun = await authorized(customer, 'a quote while the login has only begun');
    await check('SCA-SESSION-REQUIRED', () => expect(begun).toBeRefused());
  },
);

test(
  'sessionExpiresAt lies 180 days ahead',
  verifies('SCA-SESSION-EXPIRES-AT-MATCHES', ...shapeRules('ScaLoginCompletion')),
  async ({ given, check, need }) => {
    const customer = await given.scaCustomer();
    const login = await needCompleteLogin(customer);
    // The time of the target, which need not be ours.
    const { quote } = await needAwait(customer);
    const end = () => (login.body as Completion | undefined)?.sessionExpiresAt;
    need.offered(typeof end() === 'string', 'the login names no end of a session');
    await check('SCA-SESSION-EXPIRES-AT-MATCHES', () => {
      const days = (Date.parse(String(end())) - Date.parse(String(quote.createdAt))) / 1_000 / DAY_SECONDS;
      const message = `sessionExpiresAt lies ${days.toFixed(2)} days ahead`;
      expect(Math.abs(days - SESSION_DAYS), message).toBeLessThan(TOLERANCE_DAYS);
    });
  },
);

test(
  'the passkey challenge of a login lists the allowed origins',
  verifies('SCA-PASSKEY-ORIGINS-AT-LOGIN', ...shapeRules('ScaChallenge')),
  async ({ given, check, need, observe }) => {
    const customer = await given.scaCustomer({ factor: 'PASSKEY' });
    await needCompleteLogin(customer, 'PASSKEY');
    const { challenge, answer, isScaChallenge } = await needStartLogin(customer, 'PASSKEY');
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
for (const [says, madeElsewhere, sentElsewhere] of [
  ['made and sent with another origin', true, true],
  ['made with another origin and sent with the right one', true, false],
  ['made with the right origin and sent with another', false, true],
] as const)
  test(
    `an assertion ${says}${madeElsewhere ? ' is refused' : ''}`,
    verifies('SCA-PASSKEY-ORIGIN'),
    async ({ given, check, need, observe }) => {
      const customer = await given.scaCustomer({ factor: 'PASSKEY' });
      await needCompleteLogin(customer, 'PASSKEY');
      const { challenge } = await needStartLogin(customer, 'PASSKEY');
      const origins = need.offered(challenge.passkeyAllowedOrigins, 'the challenge lists no origins');
      need.that(!origins.includes(FOREIGN_ORIGIN), 'the origin is allowed');
      const { origin } = customer.needProve(challenge);
      const proof = customer.needProve(challenge, madeElsewhere ? { origin: FOREIGN_ORIGIN } : {});
      const told = { ...proof, origin: sentElsewhere ? FOREIGN_ORIGIN : origin };
      const answer = await customer.completeLogin(challenge, told, `an assertion ${says}`);
      if (madeElsewhere) await check('SCA-PASSKEY-ORIGIN', () => expect(answer).toBeRefused());
      else observe('sca-origin-echo-wrong', answer);
    },
  );

for (const factor of FACTORS)
  test(
    `an SCA session that ${factor} opened serves until 180 days are over, and then a new login is needed`,
    movesClock(verifies('SCA-SESSION-LASTS', 'SCA-SESSION-ENDS', 'SCA-LOGIN-COMPLETES')),
    async ({ given, check, clock, need }) => {
      const customer = await given.scaCustomer({ challenges: 1, factor, loggedIn: false });
      await needCompleteLogin(customer, factor);
      await needAuthorize(customer);
      await clock.advance(SESSION_SECONDS - MARGIN_SECONDS, customer.state.customerId);
      const serves = await authorized(customer, 'a quote an hour before the session ends');
      await clock.advance(2 * MARGIN_SECONDS, customer.state.customerId);
      const late = await authorized(customer, 'a quote an hour after the session ended');
      const login = await logIn(customer, factor);
      await check('SCA-LOGIN-COMPLETES', () => expect(login).toBeAccepted(), {
        assumes: [variantSent('completeScaLogin', login.exchange), 'scaProof'],
      });
      need(login).accepted();
      const again = await authorized(customer, 'a quote after the new login');
      // Half a year later other things may stand against it; a missing session has an answer of its own.
      if (again.exchange.response?.status === 409)
        await check('SCA-LOGIN-COMPLETES', () => expect(again).toBeAccepted(), [login, again]);
      need(again).accepted();
      await check('SCA-SESSION-ENDS', () => expect(late).toBeRefused());
      need.that(
        serves.exchange.response && (serves.accepted || serves.status === 409),
        `authorizing an hour before the session ends was answered ${serves.outcome}`,
      );
      await check('SCA-SESSION-LASTS', () => expect(serves).toBeAccepted());
    },
  );

test(
  'an SCA session that a later login has prolonged serves until 180 days after that login are over',
  movesClock(verifies('SCA-SESSION-LASTS')),
  async ({ given, check, clock, need }) => {
    const customer = await given.scaCustomer({ challenges: 1, loggedIn: false });
    const { customerId } = customer.state;
    const first = await needCompleteLogin(customer);
    await clock.advance(DAY_SECONDS, customerId);
    const later = await needCompleteLogin(customer);
    // A login beside a session that lasts may leave it as it is.
    const [end, laterEnd] = [first, later].map(({ body }) =>
      Date.parse(String((body as Completion | undefined)?.sessionExpiresAt)),
    );
    const isProlonged = Number(laterEnd) - Number(end) > (DAY_SECONDS / 2) * 1_000;
    need.offered(isProlonged, 'the later login does not say that it prolongs the session');
    await clock.advance(SESSION_SECONDS - MARGIN_SECONDS, customerId);
    const serves = await authorized(customer, 'a quote an hour before the prolonged session ends');
    if (!serves.accepted) {
      await needCompleteLogin(customer);
      await needAuthorize(customer);
    }
    await check('SCA-SESSION-LASTS', () => expect(serves).toBeAccepted(), [later, serves]);
  },
);

test(
  'a login by PASSKEY can be completed until shortly before the expiresAt of its challenge, and not after it',
  movesClock(verifies('SCA-CHALLENGE-EXPIRED', 'SCA-LOGIN-COMPLETES')),
  async ({ given, check, clock, need }) => {
    /** A login that was started, by a customer who has no session: whether one may log in beside it is not shown. */
    const begun = async () => {
      const customer = await given.scaCustomer({ factor: 'PASSKEY', loggedIn: false });
      const { challenge, isScaChallenge } = await needStartLogin(customer, 'PASSKEY');
      // "Populated for enrollment and login passkey challenges": what carries the origins is a ScaChallenge.
      need.offered(isScaChallenge, 'the start of a login answers with something else than a ScaChallenge');
      const end = need.offered(Date.parse(String(challenge.expiresAt)), 'the challenge tells no expiresAt');
      // The time of the target, which need not be ours.
      const { quote } = await needAwait(customer);
      const seconds = (end - Date.parse(String(quote.createdAt))) / 1_000;
      need.that(seconds > 0, 'the challenge does not tell how long it lives');
      const proof = customer.needProve(challenge);
      const completed = async (after: number, when: string) => {
        await clock.advance(after, customer.state.customerId);
        return customer.completeLogin(challenge, proof, `a right proof ${when} expiresAt`);
      };
      return { customer, seconds, completed };
    };
    const one = await begun();
    const late = await one.completed(Math.ceil(one.seconds) + AFTER_SECONDS, `${AFTER_SECONDS} s after`);
    need(await logIn(one.customer, 'PASSKEY')).accepted();
    await check('SCA-CHALLENGE-EXPIRED', () => expect(late).toBeRefused());
    const other = await begun();
    if (other.seconds <= 2 * BEFORE_SECONDS) return;
    const early = await other.completed(
      Math.floor(other.seconds) - BEFORE_SECONDS,
      `${BEFORE_SECONDS} s before`,
    );
    if (!early.accepted) need(await logIn(other.customer, 'PASSKEY')).accepted();
    await check('SCA-LOGIN-COMPLETES', () => expect(early).toBeAccepted());
  },
);

/** The answer to a right proof for a quote of the customer. */
async function authorized(customer: ScaCustomer, which: string): Promise<Answer> {
  const { quote, challenge } = await needAwait(customer, which);
  return customer.tryToProve(quote.id, challenge, `authorizing ${which}`);
}
