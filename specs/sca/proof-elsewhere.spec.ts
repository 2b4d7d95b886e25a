import { expect, test, verifies, WAITING, type Proof } from '../../suite/index.ts';
import { mustAuthorize, mustWait, nowOf, releaseOf } from '../support/sca.ts';

for (const [says, fresh] of [
  ['the very proof', false],
  ['a fresh assertion over the challenge', true],
] as const)
  test(
    `${says} of the first challenge does not serve the second`,
    verifies('SCA-PROOF-OF-EARLIER-CHALLENGE'),
    async ({ given, check, need }) => {
      const customer = await given.scaCustomer({ challenges: 2, factor: 'PASSKEY' });
      await mustAuthorize(need, customer);
      const { quote, challenge } = await mustWait(need, customer);
      const proof = need.offered(customer.proof(challenge), 'the challenge cannot be proved here');
      const first = await customer.authorize(quote.id, proof, { label: 'authorizing challenge 1' });
      need(first).accepted();
      const between = await nowOf(need, customer, first, quote.id);
      need.offered(between.quote.status === WAITING, 'one authorization was enough');
      const again = await customer.authorize(quote.id, fresh ? customer.proof(challenge) : proof, {
        label: `${says} of challenge 1 for challenge 2`,
      });
      const read = await customer.read(quote.id);
      need(read).available();
      const now = await nowOf(need, customer, read, quote.id);
      const { released, answers } = await releaseOf(need, customer, now);
      await check(
        'SCA-PROOF-OF-EARLIER-CHALLENGE',
        () => expect(released, 'the quote was released').toBe(false),
        [again, ...answers],
      );
    },
  );

test(
  'the proof for the challenge of one quote does not authorize another',
  verifies('SCA-PROOF-OF-OTHER-QUOTE'),
  async ({ given, check, need }) => {
    const customer = await given.scaCustomer({ challenges: 1, factor: 'PASSKEY' });
    await mustAuthorize(need, customer);
    const one = await mustWait(need, customer, 'a quote');
    const other = await mustWait(need, customer, 'another quote');
    const proof: Proof = need.offered(customer.proof(one.challenge), 'the challenge cannot be proved here');
    const foreign = await customer.authorize(other.quote.id, proof, { label: 'the proof of another quote' });
    const read = await customer.read(other.quote.id);
    need(read).available();
    const now = await nowOf(need, customer, read, other.quote.id);
    const { released, answers } = await releaseOf(need, customer, now);
    await check('SCA-PROOF-OF-OTHER-QUOTE', () => expect(released, 'the quote was released').toBe(false), [
      foreign,
      ...answers,
    ]);
  },
);

test(
  "the proof for the challenge of another customer's quote does not authorize",
  verifies('SCA-PROOF-OF-OTHER-QUOTE'),
  async ({ given, check, need }) => {
    const customer = await given.scaCustomer({ challenges: 1, factor: 'PASSKEY' });
    const otherCustomer = await given.scaCustomer({ challenges: 1, factor: 'PASSKEY' });
    await mustAuthorize(need, customer);
    await mustAuthorize(need, otherCustomer);
    const elsewhere = await mustWait(need, otherCustomer);
    const { quote } = await mustWait(need, customer);
    const proof: Proof = need.offered(
      otherCustomer.proof(elsewhere.challenge),
      'the challenge cannot be proved here',
    );
    const foreign = await customer.authorize(quote.id, proof, {
      label: "the proof of another customer's quote",
    });
    const read = await customer.read(quote.id);
    need(read).available();
    const now = await nowOf(need, customer, read, quote.id);
    const { released, answers } = await releaseOf(need, customer, now);
    await check('SCA-PROOF-OF-OTHER-QUOTE', () => expect(released, 'the quote was released').toBe(false), [
      foreign,
      ...answers,
    ]);
  },
);
