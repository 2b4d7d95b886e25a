import { randomUUID } from 'node:crypto';
import {
  expect,
  movesClock,
  preparedBy,
  test,
  verifies,
  WAITING,
  type Answer,
  type QuoteSighting,
} from '../../suite/index.ts';
import { listOf } from '../../schemas/openapi.ts';
import { sameId } from '../../suite/same-id.ts';
import { lifetimeOf, readTransaction } from '../support/quotes.ts';
import { mustAuthorize, mustLogIn, mustAwait, mustWaitAgain, whetherReleased } from '../support/sca.ts';

/** Every reason that a failed transaction has or had: other words beside it may say anything. */
const REASONS = new Set([
  ...listOf('TransactionFailureReason', 'x-known-values'),
  ...listOf('TransactionFailureReason', 'x-removed-values'),
]);
/** Seconds after expiresAt; both times are the target's own. */
const AFTER_SECONDS = 5;
/** Long enough for any challenge, in seconds. */
const LIFE_OF_QUOTE = 7_200;
/** Shorter than that of usual challenges, in seconds. */
const SHORT_LIFE = 45;

for (const factor of ['SMS_OTP', 'PASSKEY'])
  test(
    `a right proof by ${factor} against a locked account gets 423 ACCOUNT_LOCKED`,
    verifies('SCA-ACCOUNT-LOCKED'),
    async ({ given, check, observe }) => {
      await mustAuthorize(await given.scaCustomer({ challenges: 1, factor }));
      const customer = await given.scaCustomer({ challenges: 1, factor, locked: true });
      const { quote, challenge } = await mustAwait(customer);
      const proof = customer.mustProve(challenge);
      const answer = await customer.authorize(quote.id, proof, 'authorizing against a locked account');
      const isLocked = await check('SCA-ACCOUNT-LOCKED', () => {
        expect(answer).toHaveHttpStatus(423);
        // Bodies of 423 are not shown: the code is judged where there is one.
        if (answer.code !== undefined) expect(answer).toHaveCode('ACCOUNT_LOCKED');
      });
      if (isLocked) {
        const again = await customer.authorize(
          quote.id,
          customer.proof(challenge),
          'authorizing against the locked account once more',
        );
        // What the first one has done to the quote is not shown, so it may be refused for that.
        await check('SCA-ACCOUNT-LOCKED', () => expect(again).toBeRefused());
      }
      const details = answer.exchange.response
        ? (answer.body as { details?: object } | undefined)?.details
        : undefined;
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
    `${which} challenge of ${factor} cannot be authorized after its expiresAt`,
    movesClock(verifies('SCA-CHALLENGE-EXPIRED', 'TRANSACTION-SCA-NOT-COMPLETED')),
    async ({ given, check, clock, need, observe }) => {
      const customer = await given.scaCustomer({ challenges, factor });
      const { customerId } = customer.state;
      await given.state('quote-expiry', { customerId, expiresInSeconds: LIFE_OF_QUOTE });
      await mustAuthorize(customer);
      const first = await mustAwait(customer);
      const { quote, challenge, answer } = challenges === 1 ? first : await mustWaitAgain(customer, first);
      const seconds = (Date.parse(String(challenge.expiresAt)) - Date.parse(String(quote.createdAt))) / 1_000;
      need.that(seconds > 0, 'the challenge does not tell how long it lives');
      need.offered(
        Date.parse(String(challenge.expiresAt)) < Date.parse(String(quote.expiresAt)),
        'the quote expires first',
      );
      observe('sca-challenge-lifetime', `${Math.round(seconds)} s`, answer);
      need.that(
        challenges === 1 || !sameId(challenge.id, first.challenge.id),
        'the second challenge has the id of the first, so it may be the first still',
      );
      await clock.advance(Math.ceil(seconds) + AFTER_SECONDS, customerId);
      const asLate = customer.sighting(await customer.read(quote.id))?.quote.scaChallenge;
      need.offered(!asLate || sameId(asLate.id, challenge.id), 'another challenge has taken its place');
      const proof = customer.mustProve(challenge);
      const late = await customer.authorize(
        quote.id,
        proof,
        `a right proof ${AFTER_SECONDS} s after expiresAt`,
      );
      const read = customer.sighting(await customer.read(quote.id));
      const seen = customer.sighting(late) ?? read;
      const code = late.exchange.response ? (late.code ?? '') : '';
      observe(
        'sca-expired-challenge-answer',
        `${late.outcome} ${code}, then ${String(read?.quote.status)}`,
        late,
      );
      need.that(seen ?? (late.exchange.response && !late.accepted), 'the quote could not be seen again');
      const {
        released,
        answers,
        assumes = [],
      } = seen ? await whetherReleased(customer, seen) : { released: false, answers: [], assumes: [] };
      await check('SCA-CHALLENGE-EXPIRED', () => expect(released, 'the quote was released').toBe(false), {
        evidence: [late, ...answers],
        assumes,
      });
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
    await given.state('quote-expiry', { customerId, expiresInSeconds: SHORT_LIFE });
    await mustAuthorize(customer);
    const { quote, challenge } = await mustAwait(customer);
    const seconds = lifetimeOf(quote, need) + AFTER_SECONDS;
    const left = (Date.parse(String(challenge.expiresAt)) - Date.parse(String(quote.createdAt))) / 1_000;
    need.offered(left > seconds + AFTER_SECONDS, 'the challenge expires first');
    await clock.advance(Math.ceil(seconds), customerId);
    const proof = customer.mustProve(challenge);
    const late = await customer.authorize(quote.id, proof, 'a right proof after the quote has expired');
    const { released, answers } = await whetherReleased(customer, await customer.mustRead(quote.id));
    await check(
      'QUOTE-EXPIRED-NOT-EXECUTABLE',
      () => expect(released, 'the quote was released').toBe(false),
      [late, ...answers],
    );
  },
);

for (const kind of ['ACCOUNT', 'REALTIME_FUNDING'] as const)
  test(
    `a customer outside SCA regions sees no challenge on a quote from ${kind}`,
    verifies('SCA-NEVER-ELSEWHERE'),
    async ({ given, check, need }) => {
      const customer = await given.quoteSource({ kind });
      const { address } = customer.told('createCustomer', {}) as { readonly address?: unknown };
      // A state promises it; public calls prepare a customer in the US, unless they are told another address.
      need.offered(
        preparedBy(customer.state) !== 'public-calls' || address === undefined,
        'whether this customer is outside SCA regions is not known',
      );
      const first = await customer.mustCreate();
      const executed = await customer.execute(first.quote.id);
      const all = [
        first,
        customer.sighting(await customer.read(first.quote.id)),
        customer.sighting(executed),
      ];
      for (const seen of all.filter((one): one is QuoteSighting => one !== undefined))
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
    await mustAuthorize(inside);
    const customer = await given.customer();
    const { quote } = await customer.mustCreate();
    const answer = await customer.authorize(
      quote.id,
      inside.prover.proof({ factor: 'SMS_OTP' }),
      'authorizing outside SCA regions',
    );
    observe('sca-not-applicable-code', answer);
    // Whether this is one of "the SCA endpoints", which answer 409, can be read in two ways.
    await check('SCA-AUTHORIZE-NOT-APPLICABLE', () => expect(answer).toBeRefused());
  },
);

test(
  'an SCA login of a customer outside SCA regions answers 409',
  verifies('SCA-LOGIN-NOT-APPLICABLE'),
  async ({ given, check, need, observe }) => {
    const inside = await given.scaCustomer({ factor: 'SMS_OTP' });
    // The control: an operation that is not there at all would be refused as well.
    await mustLogIn(inside, 'SMS_OTP');
    const { customerId } = (await given.customer()).state;
    const query = { customerId };
    const started = await inside.startLogin('SMS_OTP', {
      label: 'starting a login outside SCA regions',
      query,
    });
    observe('sca-not-applicable-code', started);
    const challenge = { id: `ScaChallenge:${randomUUID()}`, factor: 'SMS_OTP' };
    const completed = await inside.completeLogin(
      challenge,
      need.offered(inside.prover.proof(challenge), 'a login by SMS_OTP cannot be proved here'),
      { label: 'completing a login outside SCA regions', query },
    );
    await check('SCA-LOGIN-NOT-APPLICABLE', () => expect(started).toHaveHttpStatus(409));
    await check('SCA-LOGIN-NOT-APPLICABLE', () => expect(completed).toHaveHttpStatus(409));
  },
);
