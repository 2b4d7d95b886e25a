import { randomUUID } from 'node:crypto';
import {
  expect,
  inTime,
  movesClock,
  isPromised,
  succeeded,
  test,
  verifies,
  WAITING,
  type Answer,
  type QuoteCustomer,
} from '../../suite/index.ts';
import { listOf } from '../../schemas/openapi.ts';
import { sameId } from '../../suite/same-id.ts';
import { addAgent, MAY_EXECUTE } from '../support/agents.ts';
import { expectNotExecuted, lifetimeOf, readTransaction, SHAPE_OF_WAITING_QUOTE } from '../support/quotes.ts';
import {
  expectAsPromised,
  expectNotReleased,
  goneAsFarAsCan,
  needAuthorize,
  needAwait,
  needCompleteLogin,
  needGoing,
  needWaitAgain,
} from '../support/sca.ts';

const KINDS = ['ACCOUNT', 'REALTIME_FUNDING'] as const;
/** Every reason that a failed transaction has or had: other words beside it may say anything. */
const REASONS = new Set([
  ...listOf('TransactionFailureReason', 'x-known-values'),
  ...listOf('TransactionFailureReason', 'x-removed-values'),
]);
/** Seconds before and after expiresAt; both times are the target's own. */
const BEFORE_SECONDS = 20;
const AFTER_SECONDS = 5;
/** Long enough for any challenge, in seconds. */
const LIFE_OF_QUOTE = 7_200;
/** Shorter than that of usual challenges, in seconds. */
const SHORT_LIFE = 45;
const IN_TEN_YEARS = 10 * 365 * 24 * 3_600_000;

/** Which rule says that the right proof by a factor is taken. */
const ACCEPTED = { SMS_OTP: 'SCA-AUTHORIZE-ACCEPTED', PASSKEY: 'SCA-PASSKEY-ACCEPTED' } as const;
const TO_BE_AUTHORIZED = 'a quote that will be authorized';

for (const [what, params] of [
  ...KINDS.map((kind) => [`from ${kind}`, { kind }] as const),
  ['to be authorized by a passkey', { factor: 'PASSKEY' }],
] as const)
  test(
    `a quote ${what} that waits for authorization cannot be executed`,
    verifies('QUOTE-AUTHORIZATION-BEFORE-EXECUTION', ...SHAPE_OF_WAITING_QUOTE),
    async ({ given, check, observe }) => {
      const customer = await given.scaCustomer(params);
      const control = await needAwait(customer, TO_BE_AUTHORIZED);
      const { last } = await customer.needAuthorizeAll(control);
      await needGoing(customer, last);

      const { quote } = await needAwait(customer);
      const early = await customer.execute(quote.id, 'executing before the authorization');
      observe('quote-unauthorized-execute-answer', early);
      const again = await customer.execute(quote.id, 'executing before the authorization, once more');
      for (const executed of [early, again])
        await expectNotExecuted(check, 'QUOTE-AUTHORIZATION-BEFORE-EXECUTION', {
          customer,
          executed,
          quoteId: quote.id,
        });
    },
  );

test(
  'a quote that waits for authorization cannot be executed by an agent either',
  verifies('QUOTE-AUTHORIZATION-BEFORE-EXECUTION'),
  async ({ given, check, need }) => {
    const customer = await given.scaCustomer();
    const beside = await given.agent();
    const { authorization } = await addAgent(beside, MAY_EXECUTE, customer.state.customerId);
    const execute = (quoteId: unknown, label: string) =>
      beside.platform.call('executeAgentQuote', { label, path: { quoteId: String(quoteId) }, authorization });
    const { quote } = await needAwait(customer);
    const early = await execute(quote.id, 'the agent executes before the authorization');
    await expectNotExecuted(check, 'QUOTE-AUTHORIZATION-BEFORE-EXECUTION', {
      customer,
      executed: early,
      quoteId: quote.id,
    });

    // Last, since an execution that the authorization sets going leaves an agent nothing to show.
    const control = await needAwait(customer, TO_BE_AUTHORIZED);
    const { last } = await customer.needAuthorizeAll(control);
    need.offered(last.quote.status === 'PENDING', 'the last authorization sets the execution going');
    need(await execute(control.quote.id, 'the agent executes the authorized quote')).available();
  },
);

for (const challenges of [1, 2])
  test(
    `instructions of realtime funding are issued after ${challenges} of ${challenges} authorizations`,
    verifies(
      'QUOTE-INSTRUCTIONS-AFTER-AUTHORIZATION',
      'QUOTE-INSTRUCTIONS-WITHHELD',
      'SCA-STATUS-KEPT-BETWEEN',
    ),
    async ({ given, check, observe }) => {
      const customer = await given.scaCustomer({ challenges, kind: 'REALTIME_FUNDING' });
      const created = await needAwait(customer);
      // A read while it waits is held to the rule that instructions are withheld.
      await customer.read(created.quote.id);
      const loop = await customer.needAuthorizeAll(created);
      await expectAsPromised(check, customer, loop);
      observe('quote-state-after-authorization', loop.last.quote.status ?? 'none', loop.last.answer);
      const issued = (quote: { readonly paymentInstructions?: readonly unknown[] }) =>
        (quote.paymentInstructions ?? []).length > 0;
      const later = issued(loop.last.quote) ? undefined : await customer.until(created.quote.id, issued);
      const { quote } = later ?? loop.last;
      // "Then issued": the text names no time for it.
      await check(
        'QUOTE-INSTRUCTIONS-AFTER-AUTHORIZATION',
        () =>
          expect(quote.paymentInstructions ?? [], 'instructions after the last authorization').not.toEqual(
            [],
          ),
        inTime(),
      );
    },
  );

const ownChallenge = () => ({
  id: `ScaChallenge:${randomUUID()}`,
  expiresAt: new Date(Date.now() + IN_TEN_YEARS).toISOString(),
  factor: 'SMS_OTP',
  availableFactors: ['SMS_OTP'],
});

test(
  'a scaChallenge that the caller sends is not shown to a customer without SCA',
  verifies('QUOTE-SCA-CHALLENGE-ONLY-PENDING'),
  async ({ given, need }) => {
    const customer = await given.customer();
    await customer.needCreate({}, 'a quote without a challenge of ours');
    const scaChallenge = ownChallenge();
    // Every quote is held against its object as it comes in: the test only has to bring one about.
    const answer = await customer.create({ scaChallenge }, 'a quote with a challenge of ours');
    if (answer.exchange.response && answer.accepted)
      need(await customer.read(customer.needSee(answer).quote.id)).available();
  },
);

test(
  'a scaChallenge that the caller sends is not taken',
  verifies('QUOTE-SCA-CHALLENGE-READ-ONLY'),
  async ({ given, check, need, observe }) => {
    const customer = await given.scaCustomer({ factor: 'SMS_OTP' });
    await needAwait(customer, 'a quote without a challenge of ours');
    const scaChallenge = ownChallenge();
    const answer = await customer.create({ scaChallenge }, 'a quote with a challenge of ours');
    observe('sca-challenge-sent', answer.outcome, answer);
    // What cannot be written may also be refused.
    const seen = answer.accepted ? await goneAsFarAsCan(customer, answer) : undefined;
    if (seen) need.that(seen.quote.scaChallenge, 'the quote shows no challenge');
    await check(
      'QUOTE-SCA-CHALLENGE-READ-ONLY',
      () => {
        if (!seen) expect(answer).toBeRefused();
        expect(seen?.quote.scaChallenge?.id).not.toBe(scaChallenge.id);
        expect(seen?.quote.scaChallenge?.expiresAt).not.toBe(scaChallenge.expiresAt);
      },
      [answer],
    );
  },
);

for (const factor of ['SMS_OTP', 'PASSKEY'])
  test(
    `a right proof by ${factor} against a locked account gets 423 ACCOUNT_LOCKED`,
    verifies('SCA-ACCOUNT-LOCKED'),
    async ({ given, check, observe }) => {
      await needAuthorize(await given.scaCustomer({ challenges: 1, factor }));
      const customer = await given.scaCustomer({ challenges: 1, factor, locked: true });
      const { quote, challenge } = await needAwait(customer);
      const proof = customer.needProve(challenge);
      const answer = await customer.authorize(quote.id, proof, 'authorizing against a locked account');
      const isLocked = await check('SCA-ACCOUNT-LOCKED', () => {
        expect(answer).toHaveHttpStatus(423);
        // Bodies of 423 are not shown: the code is judged where there is one.
        if (answer.code !== undefined) expect(answer).toHaveCode('ACCOUNT_LOCKED');
      });
      if (isLocked) {
        const label = 'authorizing against the locked account once more';
        const again = await customer.authorize(quote.id, customer.proof(challenge), label);
        // What the first one has done to the quote is not shown, so it may be refused for that.
        await check('SCA-ACCOUNT-LOCKED', () => expect(again).toBeRefused());
      }
      const { details } = ((answer.exchange.response && answer.body) ?? {}) as { details?: object };
      observe('sca-locked-details', details ? Object.keys(details).sort() : 'no details', answer);
    },
  );

for (const [factor, which, challenges] of [
  ['SMS_OTP', 'a', 1],
  ['PASSKEY', 'a', 1],
  ['SMS_OTP', 'the second', 2],
  ['PASSKEY', 'the second', 2],
] as const)
  test(
    `${which} challenge of ${factor} cannot be authorized after its expiresAt, but shortly before`,
    movesClock(verifies('SCA-CHALLENGE-EXPIRED', 'TRANSACTION-SCA-NOT-COMPLETED', ACCEPTED[factor])),
    async ({ given, check, clock, need, observe }) => {
      const customer = await given.scaCustomer({ challenges, factor });
      const { customerId } = customer.state;
      // Without it a usual quote may outlive its challenge, too.
      await given.tryState('quote-expiry', { customerId, expiresInSeconds: LIFE_OF_QUOTE }, []);
      const early = await needAwait(customer, TO_BE_AUTHORIZED);
      const since = [early.quote.createdAt, early.answer.header('date')].map((time) =>
        secondsBetween(time, early.challenge.expiresAt),
      );
      const lives = Math.min(...since.filter((seconds) => !Number.isNaN(seconds)));
      // Where neither is a time, it is infinite.
      const isMeasurable = Number.isFinite(lives) && lives > 2 * BEFORE_SECONDS;
      if (isMeasurable) await clock.advance(Math.floor(lives) - BEFORE_SECONDS, customerId);
      const when = isMeasurable ? `${BEFORE_SECONDS} s before expiresAt` : 'at once';
      const timely = await customer.tryToProve(early.quote.id, early.challenge, `a right proof ${when}`);
      if (!succeeded(timely)) {
        // The control: authorized at once, a quote of this customer is released.
        await needAuthorize(customer);
        const { quote } = await customer.needRead(early.quote.id);
        need.that(quote.status !== 'EXPIRED', 'the quote itself has expired');
      }
      await check(ACCEPTED[factor], () => expect(timely).toBeAccepted());
      need(timely).accepted();
      const first = await needAwait(customer);
      const { quote, challenge, answer } = challenges === 1 ? first : await needWaitAgain(customer, first);
      const seconds = secondsBetween(quote.createdAt, challenge.expiresAt);
      need.that(seconds > 0, 'the challenge does not tell how long it lives');
      need.offered(secondsBetween(challenge.expiresAt, quote.expiresAt) > 0, 'the quote expires first');
      observe('sca-challenge-lifetime', `${Math.round(seconds)} s`, answer);
      need.that(
        challenges === 1 || !sameId(challenge.id, first.challenge.id),
        'the second challenge has the id of the first, so it may be the first still',
      );
      await clock.advance(Math.ceil(seconds) + AFTER_SECONDS, customerId);
      const asLate = customer.sighting(await customer.read(quote.id))?.quote.scaChallenge;
      need.offered(!asLate || sameId(asLate.id, challenge.id), 'another challenge has taken its place');
      const label = `a right proof ${AFTER_SECONDS} s after expiresAt`;
      const late = await customer.authorize(quote.id, customer.needProve(challenge), label);
      const read = customer.sighting(await customer.read(quote.id));
      const seen = customer.sighting(late) ?? read;
      const code = late.exchange.response ? (late.code ?? '') : '';
      const after = `${late.outcome} ${code}, then ${String(read?.quote.status)}`;
      observe('sca-expired-challenge-answer', after, late);
      need.that(seen ?? (late.exchange.response && !late.accepted), 'the quote could not be seen again');
      if (seen) await expectNotReleased(check, 'SCA-CHALLENGE-EXPIRED', { customer, seen, tried: [late] });
      else await check('SCA-CHALLENGE-EXPIRED', () => expect(late).not.toBeAccepted());
      // Nothing says that the transaction fails: only one that did, and tells why, is held to the reason.
      const transaction = await readTransaction(customer, quote.transactionId);
      const reasons = (transaction?.reasons ?? []).filter((reason) => REASONS.has(reason));
      need.offered(
        transaction?.body['status'] === 'FAILED' && reasons.length > 0,
        'no transaction is seen to have failed for a reason',
      );
      await check('TRANSACTION-SCA-NOT-COMPLETED', () => expect(reasons).toContain('SCA_NOT_COMPLETED'), [
        transaction?.answer as Answer,
      ]);
    },
  );

test(
  'a quote that expired while it waited is not released by its authorization',
  movesClock(verifies('QUOTE-EXPIRED-NOT-EXECUTABLE')),
  async ({ given, check, clock, need }) => {
    const customer = await given.scaCustomer({ challenges: 1 });
    const { customerId } = customer.state;
    // Without it a usual quote may end before its challenge, too.
    await given.tryState('quote-expiry', { customerId, expiresInSeconds: SHORT_LIFE }, []);
    await needAuthorize(customer);
    const { quote, challenge } = await needAwait(customer);
    const seconds = lifetimeOf(quote, need) + AFTER_SECONDS;
    const left = secondsBetween(quote.createdAt, challenge.expiresAt);
    need.offered(left > seconds + AFTER_SECONDS, 'the challenge expires first');
    await clock.advance(Math.ceil(seconds), customerId);
    const proof = customer.needProve(challenge);
    const late = await customer.authorize(quote.id, proof, 'a right proof after the quote has expired');
    const seen = await customer.needRead(quote.id);
    await expectNotReleased(check, 'QUOTE-EXPIRED-NOT-EXECUTABLE', { customer, seen, tried: [late] });
  },
);

// ---------------------------------------------------------------------------------------------- outside SCA regions

for (const kind of KINDS)
  test(
    `a customer outside SCA regions sees no challenge on a quote from ${kind}`,
    verifies('SCA-NEVER-ELSEWHERE'),
    async ({ given, check }) => {
      const customer = await given.quoteSource({ kind });
      needOutside(customer);
      const first = await customer.needCreate();
      const executed = await customer.execute(first.quote.id);
      const read = await customer.read(first.quote.id);
      for (const seen of [first, customer.sighting(read), customer.sighting(executed)])
        if (seen)
          await check('SCA-NEVER-ELSEWHERE', () => {
            expect(seen.quote.status).not.toBe(WAITING);
            expect(seen.quote.scaChallenge ?? undefined, 'the scaChallenge').toBeUndefined();
          });
    },
  );

test(
  'authorizing a quote of a customer outside SCA regions is refused',
  verifies('SCA-AUTHORIZE-NOT-APPLICABLE'),
  async ({ given, check, observe }) => {
    const inside = await given.scaCustomer({ challenges: 1, factor: 'SMS_OTP' });
    await needAuthorize(inside);
    const customer = await given.customer();
    needOutside(customer);
    const { quote } = await customer.needCreate();
    const proof = inside.proof({ factor: 'SMS_OTP' });
    const answer = await customer.authorize(quote.id, proof, 'authorizing outside SCA regions');
    observe('sca-not-applicable-code', answer);
    // Whether this is one of "the SCA endpoints", which answer 409, can be read in two ways.
    await check('SCA-AUTHORIZE-NOT-APPLICABLE', () => expect(answer).toBeRefused());
  },
);

test(
  'an SCA login of a customer outside SCA regions answers 409',
  verifies('SCA-LOGIN-NOT-APPLICABLE'),
  async ({ given, check, observe }) => {
    const inside = await given.scaCustomer({ factor: 'SMS_OTP' });
    // The control: an operation that is not there at all would be refused as well.
    await needCompleteLogin(inside, 'SMS_OTP');
    const customer = await given.customer();
    needOutside(customer);
    const { customerId } = customer.state;
    const outside = (label: string) => ({
      label: `${label} a login outside SCA regions`,
      query: { customerId },
    });
    const started = await inside.startLogin('SMS_OTP', outside('starting'));
    observe('sca-not-applicable-code', started);
    const challenge = { id: `ScaChallenge:${randomUUID()}`, factor: 'SMS_OTP' };
    const proof = inside.needProve(challenge);
    const completed = await inside.completeLogin(challenge, proof, outside('completing'));
    const again = await inside.startLogin('SMS_OTP', outside('starting once more'));
    for (const answer of [started, completed, again])
      await check('SCA-LOGIN-NOT-APPLICABLE', () => expect(answer).toHaveHttpStatus(409));
  },
);

/** A state promises it; public calls prepare a customer in the US, unless they are told that customers live elsewhere. */
function needOutside(customer: QuoteCustomer): void {
  const isElsewhere = ([name, value]: [string, unknown]) =>
    /address|region|country/i.test(name) && !/\bUSA?\b/.test(JSON.stringify(value));
  customer.need.offered(
    isPromised(customer.state) || !Object.entries(customer.told('createCustomer', {})).some(isElsewhere),
    'whether this customer is outside SCA regions is not known',
  );
}

function secondsBetween(earlier: unknown, later: unknown): number {
  return (Date.parse(String(later)) - Date.parse(String(earlier))) / 1_000;
}
