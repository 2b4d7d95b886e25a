import { expect, movesClock, test, verifies, type Answer } from '../../suite/index.ts';
import { readTransaction } from '../support/quotes.ts';
import { mustAuthorize, mustWait, releaseOf } from '../support/sca.ts';

/** Seconds after expiresAt; both times are the target's own. */
const AFTER_SECONDS = 5;
/** Long enough for any challenge, in seconds. */
const LIFE_OF_QUOTE = 7_200;

for (const factor of ['SMS_OTP', 'PASSKEY'])
  test(
    `a challenge of ${factor} cannot be authorized after its expiresAt`,
    movesClock(verifies('SCA-CHALLENGE-EXPIRED', 'TRANSACTION-SCA-NOT-COMPLETED')),
    async ({ given, check, clock, need, observe }) => {
      const customer = await given.scaCustomer({ challenges: 1, factor });
      const { customerId } = customer.state;
      await given.state('quote-expiry', { customerId, expiresInSeconds: LIFE_OF_QUOTE });
      await mustAuthorize(need, customer);
      const { quote, challenge, answer } = await mustWait(need, customer);
      const seconds = (Date.parse(String(challenge.expiresAt)) - Date.parse(String(quote.createdAt))) / 1_000;
      need.that(seconds > 0, 'the challenge does not tell how long it lives');
      need.offered(
        Date.parse(String(challenge.expiresAt)) < Date.parse(String(quote.expiresAt)),
        'the quote expires first',
      );
      observe('sca-challenge-lifetime', `${Math.round(seconds)} s`, answer);
      await clock.advance(Math.ceil(seconds) + AFTER_SECONDS, customerId);
      const proof = need.offered(customer.proof(challenge), 'the challenge cannot be proved here');
      const late = await customer.authorize(quote.id, proof, {
        label: `a right proof ${AFTER_SECONDS} s after expiresAt`,
      });
      const read = customer.sighting(await customer.read(quote.id));
      const seen = customer.sighting(late) ?? read;
      const code = late.exchange.response ? (late.code ?? '') : '';
      observe(
        'sca-expired-challenge-answer',
        `${late.outcome} ${code}, then ${String(read?.quote.status)}`,
        late,
      );
      need.that(seen ?? (late.exchange.response && !late.accepted), 'the quote could not be seen again');
      const { released, answers } = seen
        ? await releaseOf(need, customer, seen)
        : { released: false, answers: [] };
      await check('SCA-CHALLENGE-EXPIRED', () => expect(released, 'the quote was released').toBe(false), [
        late,
        ...answers,
      ]);
      // Nothing says that the transaction fails: only one that did, and tells why, is held to the reason.
      const transaction = await readTransaction(customer, quote.transactionId);
      need.offered(
        transaction?.body['status'] === 'FAILED' && transaction.reasons.length > 0,
        'no transaction is seen to have failed for a reason',
      );
      await check(
        'TRANSACTION-SCA-NOT-COMPLETED',
        () => expect(transaction?.reasons).toEqual(['SCA_NOT_COMPLETED']),
        [transaction?.answer as Answer],
      );
    },
  );
