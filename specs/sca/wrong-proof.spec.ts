import { KeyPair, type CeremonyOptions } from '../../client/crypto/index.ts';
import {
  expect,
  test,
  verifies,
  WAITING,
  type Answer,
  type Check,
  type Need,
  type Proof,
  type QuoteSighting,
  type ScaCustomer,
} from '../../suite/index.ts';
import {
  mustAuthorize,
  mustAwait,
  mustWaitAgain,
  whetherReleased,
  withAnotherCode,
  WRONG_CODES,
} from '../support/sca.ts';

const random = () => crypto.getRandomValues(new Uint8Array(32));

/** Wrong assertions, signed over exactly what they say. */
const WRONG_ASSERTIONS: readonly { readonly says: string; readonly make: () => CeremonyOptions }[] = [
  { says: 'an assertion over another challenge', make: () => ({ challenge: random() }) },
  { says: 'an assertion signed by another key', make: () => ({ signingKey: KeyPair.generate() }) },
  { says: 'an assertion for another relying party', make: () => ({ rpId: 'phishing.example' }) },
];

for (const { says, make } of WRONG_CODES)
  test(`${says} authorizes nothing`, verifies('SCA-WRONG-PROOF'), async ({ given, check, need, observe }) => {
    const customer = await given.scaCustomer({ challenges: 1, factor: 'SMS_OTP' });
    await mustAuthorize(customer);
    const { quote, challenge } = await mustAwait(customer);
    const proof = need.offered(customer.proof(challenge), 'the challenge cannot be proved here');
    const wrong = await customer.authorize(quote.id, mustDiffer(need, make(proof), proof), {
      label: `a proof with ${says}`,
    });
    observe('sca-wrong-proof-answer', { [says]: `${wrong.outcome} ${codeOf(wrong)}` }, wrong);
    await checkNothingAuthorized({ check, need }, 'SCA-WRONG-PROOF', customer, quote.id, wrong);
  });

test(
  'no assertion at all authorizes nothing',
  verifies('SCA-WRONG-PROOF'),
  async ({ given, check, need, observe }) => {
    const customer = await given.scaCustomer({ challenges: 1, factor: 'PASSKEY' });
    await mustAuthorize(customer);
    const { quote } = await mustAwait(customer);
    const wrong = await customer.authorize(quote.id, {}, { label: 'a proof with no assertion at all' });
    observe('sca-wrong-proof-answer', { 'no assertion': `${wrong.outcome} ${codeOf(wrong)}` }, wrong);
    await checkNothingAuthorized({ check, need }, 'SCA-WRONG-PROOF', customer, quote.id, wrong);
  },
);

for (const { says, make } of WRONG_ASSERTIONS)
  test(`${says} authorizes nothing`, verifies('SCA-WRONG-PROOF'), async ({ given, check, need, observe }) => {
    const customer = await given.scaCustomer({ challenges: 1, factor: 'PASSKEY' });
    await mustAuthorize(customer);
    const { quote, challenge } = await mustAwait(customer);
    const proof = need.offered(customer.proof(challenge, make()), 'the challenge cannot be proved here');
    const wrong = await customer.authorize(quote.id, proof, { label: `a proof with ${says}` });
    observe('sca-wrong-proof-answer', { [says]: `${wrong.outcome} ${codeOf(wrong)}` }, wrong);
    await checkNothingAuthorized({ check, need }, 'SCA-WRONG-PROOF', customer, quote.id, wrong);
  });

test(
  'a wrong proof after a right one authorizes nothing',
  verifies('SCA-WRONG-PROOF'),
  async ({ given, check, need }) => {
    const customer = await given.scaCustomer({ challenges: 2, factor: 'SMS_OTP' });
    await mustAuthorize(customer);
    const { quote, challenge } = await mustWaitAgain(customer, await mustAwait(customer));
    const proof = need.offered(customer.proof(challenge), 'the challenge cannot be proved here');
    const wrong = await customer.authorize(quote.id, mustDiffer(need, withAnotherCode(proof), proof), {
      label: 'a wrong code for the second challenge',
    });
    await checkNothingAuthorized({ check, need }, 'SCA-WRONG-PROOF', customer, quote.id, wrong);
  },
);

for (const [says, fresh] of [
  ['the very proof', false],
  ['a fresh assertion over the challenge', true],
] as const)
  test(
    `${says} of the first challenge does not serve the second`,
    verifies('SCA-PROOF-OF-EARLIER-CHALLENGE'),
    async ({ given, check, need }) => {
      const customer = await given.scaCustomer({ challenges: 2, factor: 'PASSKEY' });
      await mustAuthorize(customer);
      const { quote, challenge } = await mustAwait(customer);
      const proof = need.offered(customer.proof(challenge), 'the challenge cannot be proved here');
      const first = await customer.authorize(quote.id, proof, { label: 'authorizing challenge 1' });
      need(first).accepted();
      const between = await nowOf(need, customer, first, quote.id);
      need.offered(between.quote.status === WAITING, 'one authorization was enough');
      const again = await customer.authorize(quote.id, fresh ? customer.proof(challenge) : proof, {
        label: `${says} of challenge 1 for challenge 2`,
      });
      await checkNothingAuthorized(
        { check, need },
        'SCA-PROOF-OF-EARLIER-CHALLENGE',
        customer,
        quote.id,
        again,
      );
    },
  );

test(
  'the proof for the challenge of one quote does not authorize another',
  verifies('SCA-PROOF-OF-OTHER-QUOTE'),
  async ({ given, check, need }) => {
    const customer = await given.scaCustomer({ challenges: 1, factor: 'PASSKEY' });
    await mustAuthorize(customer);
    const one = await mustAwait(customer, 'a quote');
    const other = await mustAwait(customer, 'another quote');
    const proof: Proof = need.offered(customer.proof(one.challenge), 'the challenge cannot be proved here');
    const foreign = await customer.authorize(other.quote.id, proof, { label: 'the proof of another quote' });
    await checkNothingAuthorized(
      { check, need },
      'SCA-PROOF-OF-OTHER-QUOTE',
      customer,
      other.quote.id,
      foreign,
    );
  },
);

test(
  "the proof for the challenge of another customer's quote does not authorize",
  verifies('SCA-PROOF-OF-OTHER-QUOTE'),
  async ({ given, check, need }) => {
    const customer = await given.scaCustomer({ challenges: 1, factor: 'PASSKEY' });
    const otherCustomer = await given.scaCustomer({ challenges: 1, factor: 'PASSKEY' });
    await mustAuthorize(customer);
    await mustAuthorize(otherCustomer);
    const elsewhere = await mustAwait(otherCustomer);
    const { quote } = await mustAwait(customer);
    const proof: Proof = need.offered(
      otherCustomer.proof(elsewhere.challenge),
      'the challenge cannot be proved here',
    );
    const foreign = await customer.authorize(quote.id, proof, {
      label: "the proof of another customer's quote",
    });
    await checkNothingAuthorized({ check, need }, 'SCA-PROOF-OF-OTHER-QUOTE', customer, quote.id, foreign);
  },
);

/** @param tried the answer to the proof */
async function checkNothingAuthorized(
  { check, need }: { readonly check: Check; readonly need: Need },
  rule: string,
  customer: ScaCustomer,
  quoteId: unknown,
  tried: Answer,
): Promise<void> {
  const read = await customer.read(quoteId);
  need(read).available();
  const now = await nowOf(need, customer, read, quoteId);
  // How the service says so is open: a refusal, the quote as it was, or one that has failed.
  const { released, answers } = await whetherReleased(customer, now);
  await check(rule, () => expect(released, 'the quote was released').toBe(false), [tried, ...answers]);
}

/** A code of a form that is not known here may come out of the tampering as it was: then it is the right one. */
function mustDiffer(need: Need, wrong: Proof, right: Proof): Proof {
  need.offered(JSON.stringify(wrong) !== JSON.stringify(right), 'no wrong code of this form is known here');
  return wrong;
}

function codeOf(answer: Answer): string {
  return answer.exchange.response ? (answer.code ?? '') : '';
}

/** The quote as it is now: in the answer, where it is there, else in a read. */
async function nowOf(
  need: Need,
  customer: ScaCustomer,
  answer: Answer,
  quoteId: unknown,
): Promise<QuoteSighting> {
  return need.offered(await customer.look(answer, quoteId), 'the quote could not be seen again');
}
