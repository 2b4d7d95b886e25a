import {
  expect,
  test,
  verifies,
  WAITING,
  type Answer,
  type Check,
  type Need,
  type Proof,
  type ScaCustomer,
} from '../../suite/index.ts';
import {
  WRONG_ASSERTIONS,
  WRONG_CODES,
  mustAuthorize,
  mustWait,
  nowOf,
  releaseOf,
  withAnotherCode,
} from '../support/sca.ts';

for (const { says, make } of WRONG_CODES)
  test(`${says} authorizes nothing`, verifies('SCA-WRONG-PROOF'), async ({ given, check, need, observe }) => {
    const customer = await given.scaCustomer({ challenges: 1, factor: 'SMS_OTP' });
    await mustAuthorize(need, customer);
    const { quote, challenge } = await mustWait(need, customer);
    const proof = need.offered(customer.proof(challenge), 'the challenge cannot be proved here');
    const wrong = await customer.authorize(quote.id, mustDiffer(need, make(proof), proof), {
      label: `a proof with ${says}`,
    });
    observe('sca-wrong-proof-answer', { [says]: `${wrong.outcome} ${codeOf(wrong)}` }, wrong);
    await checkNothingAuthorized(check, need, customer, wrong, quote.id);
  });

for (const { says, make } of WRONG_ASSERTIONS)
  test(`${says} authorizes nothing`, verifies('SCA-WRONG-PROOF'), async ({ given, check, need, observe }) => {
    const customer = await given.scaCustomer({ challenges: 1, factor: 'PASSKEY' });
    await mustAuthorize(need, customer);
    const { quote, challenge } = await mustWait(need, customer);
    const proof = need.offered(customer.proof(challenge, make()), 'the challenge cannot be proved here');
    const wrong = await customer.authorize(quote.id, proof, { label: `a proof with ${says}` });
    observe('sca-wrong-proof-answer', { [says]: `${wrong.outcome} ${codeOf(wrong)}` }, wrong);
    await checkNothingAuthorized(check, need, customer, wrong, quote.id);
  });

test(
  'a wrong proof after a right one authorizes nothing',
  verifies('SCA-WRONG-PROOF'),
  async ({ given, check, need }) => {
    const customer = await given.scaCustomer({ challenges: 2, factor: 'SMS_OTP' });
    await mustAuthorize(need, customer);
    const { quote, challenge } = await mustWait(need, customer);
    const first = need.offered(
      await customer.prove(quote.id, challenge),
      'the challenge cannot be proved here',
    );
    need(first).accepted();
    const between = await nowOf(need, customer, first, quote.id);
    need.offered(between.quote.status === WAITING, 'one authorization was enough');
    const next = need.that(between.quote.scaChallenge, 'the quote shows no second challenge');
    const proof = need.offered(customer.proof(next), 'the challenge cannot be proved here');
    const wrong = await customer.authorize(quote.id, mustDiffer(need, withAnotherCode(proof), proof), {
      label: 'a wrong code for the second challenge',
    });
    await checkNothingAuthorized(check, need, customer, wrong, quote.id);
  },
);

async function checkNothingAuthorized(
  check: Check,
  need: Need,
  customer: ScaCustomer,
  wrong: Answer,
  quoteId: unknown,
): Promise<void> {
  const read = await customer.read(quoteId);
  need(read).available();
  const now = await nowOf(need, customer, read, quoteId);
  // How the service says so is open: a refusal, the quote as it was, or one that has failed.
  const { released, answers } = await releaseOf(need, customer, now);
  await check('SCA-WRONG-PROOF', () => expect(released, 'the quote was released').toBe(false), [
    wrong,
    ...answers,
  ]);
}

/** A code of a form that is not known here may come out of the tampering as it was: then it is the right one. */
function mustDiffer(need: Need, wrong: Proof, right: Proof): Proof {
  need.offered(JSON.stringify(wrong) !== JSON.stringify(right), 'no wrong code of this form is known here');
  return wrong;
}

function codeOf(answer: Answer): string {
  return answer.exchange.response ? (answer.code ?? '') : '';
}
