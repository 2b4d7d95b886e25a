import { expect, movesClock, test, verifies } from '../../suite/index.ts';
import { SESSION_SECONDS, mustLogIn } from '../support/sca.ts';
import { mustAuthorize, mustWait } from '../support/sca.ts';

/** Seconds before and after the end of the session. */
const MARGIN_SECONDS = 3_600;

test(
  'an SCA session still serves shortly before 180 days are over',
  movesClock(verifies('SCA-SESSION-LASTS')),
  async ({ given, check, clock, need }) => {
    const customer = await given.scaCustomer({ challenges: 1, loggedIn: false });
    await mustLogIn(need, customer);
    await mustAuthorize(need, customer);
    await clock.advance(SESSION_SECONDS - MARGIN_SECONDS, customer.state.customerId);
    const { quote, challenge } = await mustWait(need, customer, 'a quote an hour before the session ends');
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
  async ({ given, check, clock, need }) => {
    const customer = await given.scaCustomer({ challenges: 1, loggedIn: false });
    await mustLogIn(need, customer);
    await mustAuthorize(need, customer);
    await clock.advance(SESSION_SECONDS + MARGIN_SECONDS, customer.state.customerId);
    const { quote, challenge } = await mustWait(need, customer, 'a quote an hour after the session ended');
    const proof = need.offered(customer.proof(challenge), 'the challenge cannot be proved here');
    const late = await customer.authorize(quote.id, proof, { label: 'authorizing after 180 days' });
    await mustLogIn(need, customer);
    await mustAuthorize(need, customer);
    await check('SCA-SESSION-ENDS', () => expect(late).toBeRefused());
  },
);
