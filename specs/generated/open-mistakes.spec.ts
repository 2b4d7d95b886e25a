import { mistakesIn, spread, type Body } from '../../generators/contract/mistakes.ts';
import { requestShape } from '../../generators/contract/request-shapes.ts';
import { schemaByExample } from '../../generators/contract/schema-by-example.ts';
import { expect, survey, test, verifies, WAITING, type Answer } from '../../suite/index.ts';
import { notAccepted } from '../support/transfer-mistakes.ts';
import { mustWait } from '../support/sca-proofs.ts';

/** Mistakes of one kind in one field that are tried. */
const ALIKE = 2;
const byExample = (body: Body) => spread(mistakesIn(schemaByExample(body), body), ALIKE);

test(
  'a proof with one mistake authorizes nothing',
  verifies('SCA-WRONG-PROOF'),
  async ({ given, need, check }) => {
    const customer = await given.scaCustomer({ challenges: 1 });
    const { quote, challenge } = await mustWait(need, customer);
    const proof = need.offered(customer.proof(challenge), 'the challenge cannot be proved here');

    await survey(check, byExample(proof), async ({ field, kind, body }, on) => {
      const fresh = await given.scaCustomer({ challenges: 1 });
      const { quote: waiting } = await mustWait(need, fresh);
      const label = `authorizing a quote, ${field}: ${kind}`;
      const answer = on.told(await fresh.authorize(waiting.id, body, { label }));
      const seen = on.must(await fresh.look(answer, waiting.id), 'the quote could not be seen again');
      await on.hold(
        'SCA-WRONG-PROOF',
        () => expect(['PENDING', 'PROCESSING', 'COMPLETED']).not.toContain(seen.quote.status),
        [answer, seen.answer],
      );
      on.must(seen.quote.status === WAITING, 'what else a wrong proof does is not shown');
    });
    const right = await customer.prove(quote.id, challenge);
    need(need.that(right, 'the challenge cannot be proved here')).accepted();
  },
);

test(
  'a passkey challenge with one mistake mints no session',
  verifies('CHALLENGE-PASSKEY-CLIENT-KEY'),
  async ({ given, need, check }) => {
    given.mustProve('PASSKEY');
    const control = await given.holding('PASSKEY');
    need.that((await control.wallet.login(control.credential)).session, 'the control was refused');
    const legal = { clientPublicKey: control.wallet.newKey().uncompressed };
    const mistakes = mistakesIn(requestShape('challengeCredential').body!.schema, legal);

    await survey(
      check,
      // What another text than a key is, is another matter than no key.
      mistakes.filter(({ kind }) => kind !== 'not of its form'),
      async ({ field, kind, body }, on) => {
        const { wallet, credential } = await given.holding('PASSKEY');
        const label = `asking for a challenge, ${field}: ${kind}`;
        const challenge = on.told(await wallet.challenge(credential, { body, label }));
        on.must(challenge.exchange.response, 'the challenge got no answer');
        const last: Answer = challenge.accepted
          ? on.told((await wallet.login(credential, { challenge })).answer)
          : challenge;
        await on.hold('CHALLENGE-PASSKEY-CLIENT-KEY', () => notAccepted(last), [challenge]);
      },
    );
  },
);

test(
  'what becomes of mistakes in a request that the interface does not show is left open',
  verifies('QUOTE-CREATE-ACCEPTED'),
  async ({ given, need, check, observe }) => {
    const customer = await given.customer();
    const outcomes = new Map<string, string[]>();
    for (const { field, kind, body } of byExample(customer.body())) {
      const label = `creating a quote, ${field}: ${kind}`;
      const { outcome } = await customer.call('createQuote', { body, label });
      outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), `${field}: ${kind}`]);
    }
    observe('open-request-mistakes', Object.fromEntries([...outcomes].sort()));
    // Whatever was made of them, the right request is taken after all.
    const right = await customer.create();
    need(right).accepted();
    await check('QUOTE-CREATE-ACCEPTED', () => expect(right).toBeAccepted());
  },
);
