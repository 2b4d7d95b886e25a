import { ruleOf } from '../../schemas/rules.ts';
import { shapeRules } from '../../schemas/openapi.ts';
import {
  expect,
  isPromised,
  test,
  verifies,
  WAITING,
  type Answer,
  type Check,
  type QuoteSighting,
  type ScaCustomer,
  type ScaLoop,
  type SeenChallenge,
} from '../../suite/index.ts';
import { variantSent } from '../../suite/answers/body-form.ts';
import { expectNotExecuted, RECEIVED_IS_LOCKED } from '../support/quotes.ts';
import {
  authorizedOnce,
  expectAsPromised,
  goneAsFarAsCan,
  needAuthorize,
  needAwait,
} from '../support/sca.ts';

/**
 * Every answer is held against its object wherever it comes up: a challenge of a quote, in each form. Origins are told at a
 * login alone.
 */
const OF_CHALLENGES = shapeRules('Quote').filter(
  (id) => ruleOf(id).area === 'sca' && id !== 'SCA-PASSKEY-ORIGINS',
);
const SHAPES = {
  PASSKEY: OF_CHALLENGES,
  SMS_OTP: OF_CHALLENGES.filter((id) => id !== 'SCA-PASSKEY-OPTIONS'),
};

/** Labels of steps: known ones, none, and one that nobody knows. */
const PURPOSES = ['CURRENCY_CONVERSION', 'PAYOUT', null, 'ASSAY_UNHEARD_OF_STEP', 'TRANSFER'] as const;

test(
  'a challenge is issued for SMS_OTP where nothing else was asked for',
  verifies('SCA-FACTOR-DEFAULT'),
  async ({ given, check, need }) => {
    const customer = await given.scaCustomer({ availableFactors: ['PASSKEY', 'SMS_OTP'] });
    const { challenge } = await needAwait(customer);
    need.offered(challenge.availableFactors?.includes('SMS_OTP'), 'the customer cannot use SMS_OTP');
    await check('SCA-FACTOR-DEFAULT', () => expect(challenge.factor).toBe('SMS_OTP'));
  },
);

test(
  'the assertion over the options of a challenge authorizes it',
  verifies('SCA-PASSKEY-ACCEPTED'),
  async ({ given, check, need, observe }) => {
    await needAuthorize(await given.scaCustomer({ challenges: 1, factor: 'SMS_OTP' }));
    const customer = await given.scaCustomer({ challenges: 1, factor: 'PASSKEY' });
    const { quote, challenge } = await needAwait(customer);
    need.offered(challenge.factor === 'PASSKEY', 'the challenge was not issued for a passkey');
    const answer = await customer.tryToProve(quote.id, challenge, 'authorizing by a passkey');
    // How the result of the ceremony is written is not shown.
    await check('SCA-PASSKEY-ACCEPTED', () => expect(answer).toBeAccepted(), {
      assumes: [variantSent('authorizeQuote', answer.exchange)],
    });
    observe('sca-authorization-fields', ['origin', 'passkeyAssertion'], answer);
  },
);

for (const factor of ['SMS_OTP', 'PASSKEY'] as const)
  for (const challenges of [1, 2, 3, 5])
    test(
      `${challenges} challenges of ${factor}, authorized in turn`,
      verifies(
        'SCA-CHALLENGE-REQUIRED',
        'SCA-AUTHORIZE-ACCEPTED',
        'SCA-NEXT-CHALLENGE-NEW-ID',
        'SCA-LOOP-ENDS',
        'SCA-STATUS-KEPT-BETWEEN',
        'SCA-FACTOR-AVAILABLE',
        'SCA-EXPIRES-AT',
        ...SHAPES[factor],
      ),
      async ({ given, check, need, observe, clock }) => {
        const purposes = PURPOSES.slice(0, challenges);
        const customer = await given.scaCustomer({ challenges, factor, purposes });
        const seen = await goneAsFarAsCan(customer);
        // The text does not say that every quote needs it: a state that asks for challenges has promised so.
        if (customer.state.challenges !== undefined)
          await check('SCA-CHALLENGE-REQUIRED', () => expect(seen.quote.status).toBe(WAITING));
        need.that(seen.quote.status === WAITING, 'the quote does not wait for authorization');

        const loop = await customer.authorizeAll(seen);
        const { steps, last, end, says } = loop;
        if (factor === 'PASSKEY') await needTakeCodes(await given.scaCustomer({ challenges: 1 }));
        // A passkey that is refused where codes are taken is the concern of SCA-PASSKEY-ACCEPTED.
        if (factor === 'SMS_OTP')
          for (const { answer } of steps) {
            // Whether a login has come to anything, only a state promises.
            const isNoLogin = answer.exchange.response?.status === 409 && !isPromised(customer.state);
            need.offered(!isNoLogin, 'the customer may not be logged in');
            await check('SCA-AUTHORIZE-ACCEPTED', () => expect(answer).toBeAccepted(), {
              assumes: ['scaProof'],
            });
          }
        const offset = await clock.offset(customer.state);
        for (const step of steps) await expectOfUse(step, offset, check);
        if (factor === 'PASSKEY' && end === 'stuck')
          await check('SCA-LOOP-ENDS', ...(await canGoOn(customer, loop)));
        need.that(end !== 'stuck', says);
        await check('SCA-LOOP-ENDS', () => expect(end, says).toBe('left'), [last.answer]);
        const ids = steps.map(({ challenge }) => challenge.id);
        if (ids.length > 1)
          await check(
            'SCA-NEXT-CHALLENGE-NEW-ID',
            () => expect(new Set(ids).size, `ids of the challenges: ${ids.join(', ')}`).toBe(ids.length),
            steps.map(({ shownBy }) => shownBy),
          );
        await expectAsPromised(check, customer, loop);
        const count = `${steps.length} where ${challenges} were prepared`;
        observe('sca-challenge-count', count, last.answer);
        observe('quote-state-after-authorization', last.quote.status ?? 'none', last.answer);
        const shown = steps.map(({ challenge }) => challenge.purpose ?? 'none');
        observe('sca-purposes-seen', shown, seen.answer);
        observe('sca-factors', seen.quote.scaChallenge?.availableFactors ?? 'none', seen.answer);
        if (factor === 'PASSKEY' || challenges > 1 || customer.state.challenges === undefined) return;
        const second = await goneAsFarAsCan(customer, 'a second quote');
        await check('SCA-CHALLENGE-REQUIRED', () => expect(second.quote.status).toBe(WAITING), [
          second.answer,
        ]);
      },
    );

for (const [which, params, changes] of [
  ['funded in real time', { kind: 'REALTIME_FUNDING' }, {}],
  ['whose amount received is locked', {}, RECEIVED_IS_LOCKED],
] as const)
  test(
    `a quote ${which} waits for authorization like any other`,
    verifies('SCA-CHALLENGE-REQUIRED'),
    async ({ given, check, need }) => {
      await needAwait(await given.scaCustomer({ challenges: 1 }));
      const customer = await given.scaCustomer({ challenges: 1, ...params });
      need.offered(customer.state.challenges !== undefined, 'the state promises no challenges');
      const created = await customer.create(changes, `a quote ${which}`);
      need(created).accepted();
      const { quote, answer } = await goneAsFarAsCan(customer, created);
      await check('SCA-CHALLENGE-REQUIRED', () => expect(quote.status).toBe(WAITING), [created, answer]);
    },
  );

/** A challenge of the loop is for a factor that may be used, and one that was authorized had not expired before. */
async function expectOfUse(
  { challenge, shownBy, answer }: ScaLoop['steps'][number],
  offset: number,
  check: Check,
): Promise<void> {
  const { factor, availableFactors, expiresAt } = challenge;
  // What is no list, or no time, is the concern of their shapes.
  if (Array.isArray(availableFactors))
    await check('SCA-FACTOR-AVAILABLE', () => expect(factor, 'the factor').toBeOneOf(availableFactors), [
      shownBy,
    ]);
  const end = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN;
  if (!answer.accepted || Number.isNaN(end)) return;
  // Of our clock and the target's the one that is behind.
  const sent = Date.parse(answer.header('date') ?? '');
  const now = Math.min(Date.now() + offset, Number.isNaN(sent) ? Infinity : sent);
  const expired = () =>
    expect((now - end) / 1_000, 'seconds from expiresAt to the accepted authorization').toBeLessThanOrEqual(
      0,
    );
  await check('SCA-EXPIRES-AT', expired, [shownBy, answer]);
}

test(
  'a proof needs no id of its challenge',
  verifies('SCA-CHALLENGE-ID-NOT-SENT'),
  async ({ given, check, need, observe }) => {
    const customer = await given.scaCustomer({ challenges: 1 });
    const { quote, challenge } = await needAwait(customer);
    const written = (form: { readonly withId: boolean }) =>
      need.offered(customer.prover.proof(challenge, form), 'the challenge cannot be proved here');
    const proof = written({ withId: false });
    const bare = await customer.authorize(quote.id, proof, 'a proof without the id of its challenge');
    if (bare.exchange.response && !bare.accepted) {
      const withId = written({ withId: true });
      need(await customer.authorize(quote.id, withId, 'the same proof with the id')).accepted();
    }
    await check('SCA-CHALLENGE-ID-NOT-SENT', () => expect(bare).toBeAccepted());
    observe('sca-authorization-fields', Object.keys(proof).sort(), bare);
  },
);

test('what authorizing gets when nothing waits, and with the address of the user', async ({
  given,
  observe,
}) => {
  const customer = await given.scaCustomer({ challenges: 1 });
  const { quote, challenge } = await needAwait(customer);
  await customer.tryToProve(quote.id, challenge);
  const late = customer.proof(challenge);
  const again = await customer.authorize(quote.id, late, 'authorizing when nothing waits');
  observe('sca-authorize-nothing-pending', again);
  const other = await needAwait(customer);
  const proof = { ...customer.proof(other.challenge), endUserIpAddress: '203.0.113.7' };
  const withAddress = await customer.authorize(other.quote.id, proof, 'a proof with endUserIpAddress');
  const fields = Object.keys(proof).sort().join(', ');
  observe('sca-authorization-fields', `${fields}: ${withAddress.outcome}`, withAddress);
});

for (const challenges of [2, 3])
  test(
    `the first of ${challenges} authorizations does not release the quote`,
    verifies('SCA-STATUS-KEPT-BETWEEN'),
    async ({ given, check, need }) => {
      const customer = await given.scaCustomer({ challenges });
      const start = await needAwait(customer);
      const between = await authorizedOnce(customer, start);
      // How many there are may change; only a state that says so has promised that more than one is needed.
      const promised = customer.state.challenges;
      const more = promised !== undefined && promised > 1;
      need.offered(more || between.quote.status === WAITING, 'one authorization may have been enough');
      if (more) await check('SCA-STATUS-KEPT-BETWEEN', () => expect(between.quote.status).toBe(WAITING));
      if (between.quote.status !== WAITING) return;
      const early = await customer.execute(start.quote.id, 'executing between two authorizations');
      await expectNotExecuted(check, 'SCA-STATUS-KEPT-BETWEEN', {
        customer,
        executed: early,
        quoteId: start.quote.id,
      });
    },
  );

/**
 * A challenge without passkeyAssertionOptions, which is allowed, may be proved in a way that is not known here. Where an
 * earlier one of the same quote had them, and it was proved from them, the next one can be proved from nothing.
 */
async function canGoOn(
  customer: ScaCustomer,
  { steps, last, says }: ScaLoop,
): Promise<[run: () => void, evidence: readonly Answer[]]> {
  const hasOptions = ({ passkeyAssertionOptions }: SeenChallenge) =>
    (passkeyAssertionOptions ?? null) !== null;
  const lacksOptions = ({ status, scaChallenge: next }: QuoteSighting['quote']) =>
    status === WAITING && next?.factor === 'PASSKEY' && !hasOptions(next);
  const earlier = steps.map(({ challenge }) => challenge);
  const hadThem = earlier.every((one) => one.factor === 'PASSKEY' && hasOptions(one));
  customer.need.that(earlier.length > 0 && hadThem && lacksOptions(last.quote), says);
  // The read may show what the answer does not.
  const seen = (await customer.until(last.quote.id, (quote) => !lacksOptions(quote))) ?? last;
  const message = 'the next challenge for PASSKEY has no options to prove it from';
  return [() => expect(lacksOptions(seen.quote), message).toBe(false), [last.answer, seen.answer]];
}

async function needTakeCodes(customer: ScaCustomer): Promise<void> {
  const { quote, challenge } = await needAwait(customer, 'a quote to be authorized by a code');
  customer.need(await customer.tryToProve(quote.id, challenge, 'authorizing by a code')).accepted();
}
