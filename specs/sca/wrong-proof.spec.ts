import { KeyPair, type CeremonyOptions } from '../../client/crypto/index.ts';
import {
  expect,
  succeeded,
  test,
  verifies,
  WAITING,
  type Given,
  type Proof,
  type ScaCustomer,
  type SeenChallenge,
} from '../../suite/index.ts';
import {
  expectNotReleased,
  goneAsFarAsCan,
  needAuthorize,
  needAwait,
  needCompleteLogin,
  needGoing,
  needStartLogin,
  needWaitAgain,
  withAnotherCode,
  WRONG_CODES,
} from '../support/sca.ts';

/** Assertions at once, and how often: one race alone may be won by chance. */
const AT_ONCE = 4;
const RACES = 3;
const NO_WRONG_CODE = 'no wrong code of this form is known here';

/** A proof that must authorize nothing, for the last challenge of a quote. */
interface Wrong {
  readonly says: string;
  readonly rule?: string;
  readonly factor: 'SMS_OTP' | 'PASSKEY';
  /** How many the quote has; one unless given. */
  readonly challenges?: 2;
  /** How the quote is paid; from an account unless given. */
  readonly kind?: 'REALTIME_FUNDING';
  readonly make?: (situation: Situation) => Proof | Promise<Proof>;
  /** How often it is sent; once unless given. */
  readonly times?: 2 | 3;
  /** The same, where it is made for another quote, which comes before. */
  readonly makeElsewhere?: (customer: ScaCustomer, given: Given) => Promise<Proof>;
}

interface Situation {
  readonly given: Given;
  readonly customer: ScaCustomer;
  readonly challenge: SeenChallenge;
  readonly right: Proof;
  /** The first challenge of the quote, and its right proof. */
  readonly first: SeenChallenge;
  readonly proofOfFirst: Proof;
}

const WRONG: readonly Wrong[] = [
  ...WRONG_CODES.map(({ says, make }): Wrong => ({
    says,
    factor: 'SMS_OTP',
    make: ({ right }) => make(right),
  })),
  {
    says: 'a wrong code for the third time',
    factor: 'SMS_OTP',
    times: 3,
    make: ({ right }) => withAnotherCode(right),
  },
  {
    says: 'another code for a quote that is paid in real time',
    factor: 'SMS_OTP',
    kind: 'REALTIME_FUNDING',
    make: ({ right }) => withAnotherCode(right),
  },
  { says: 'no assertion at all', factor: 'PASSKEY', make: () => ({}) },
  assertion('an assertion over another challenge', () => ({
    challenge: crypto.getRandomValues(new Uint8Array(32)),
  })),
  {
    ...assertion('an assertion signed by another key, for the second time,', () => ({
      signingKey: KeyPair.generate(),
    })),
    times: 2,
  },
  {
    says: "an assertion by another customer's passkey",
    factor: 'PASSKEY',
    make: ({ given, customer, challenge }) => provenByAnother(given, customer, challenge),
  },
  assertion('an assertion for another relying party', () => ({ rpId: 'phishing.example' })),
  {
    says: 'a wrong code after a right one',
    factor: 'SMS_OTP',
    challenges: 2,
    make: ({ right }) => withAnotherCode(right),
  },
  {
    says: 'the very proof of the first challenge, sent for the second,',
    rule: 'SCA-PROOF-OF-EARLIER-CHALLENGE',
    factor: 'PASSKEY',
    challenges: 2,
    make: ({ proofOfFirst }) => proofOfFirst,
  },
  {
    says: 'a fresh assertion over the first challenge, sent for the second,',
    rule: 'SCA-PROOF-OF-EARLIER-CHALLENGE',
    factor: 'PASSKEY',
    challenges: 2,
    make: ({ customer, first }) => customer.needProve(first),
  },
  {
    says: 'the proof for the challenge of another quote',
    rule: 'SCA-PROOF-OF-OTHER-QUOTE',
    factor: 'PASSKEY',
    makeElsewhere: async (customer) =>
      customer.needProve((await needAwait(customer, 'another quote')).challenge),
  },
  {
    says: "the proof for the challenge of another customer's quote",
    rule: 'SCA-PROOF-OF-OTHER-QUOTE',
    factor: 'PASSKEY',
    makeElsewhere: async (_, given) => {
      const other = await given.scaCustomer({ challenges: 1, factor: 'PASSKEY' });
      await needAuthorize(other);
      return other.needProve((await needAwait(other)).challenge);
    },
  },
];

for (const { says, rule = 'SCA-WRONG-PROOF', factor, challenges = 1, times = 1, ...row } of WRONG)
  test(`${says} authorizes nothing`, verifies(rule), async ({ given, check, need, observe }) => {
    const { kind } = row;
    const customer = await given.scaCustomer({ challenges, factor, ...(kind && { kind }) });
    const usual = await needAuthorize(customer);
    const elsewhere = await row.makeElsewhere?.(customer, given);
    const first = await needAwait(customer);
    const proofOfFirst = customer.needProve(first.challenge);
    let waiting = first;
    // A quote that waits for another challenge yet would look like one that was not released.
    for (let at = 1; at < Math.max(challenges, usual); at += 1)
      waiting = await needWaitAgain(customer, waiting, at === 1 ? proofOfFirst : undefined);
    const { quote, challenge } = waiting;
    const right = customer.needProve(challenge);
    const situation = { given, customer, challenge, right, first: first.challenge, proofOfFirst };
    const proof = elsewhere ?? (await row.make?.(situation));
    // A code of a form that is not known here may come out of the tampering as it was: then it is the right one.
    need.offered(JSON.stringify(proof) !== JSON.stringify(right), NO_WRONG_CODE);
    for (let turn = 1; turn < times; turn += 1) await customer.authorize(quote.id, proof, 'a wrong proof');
    const tried = await customer.authorize(quote.id, proof, `a proof with ${says}`);
    if (rule === 'SCA-WRONG-PROOF') {
      const code = tried.exchange.response ? (tried.code ?? '') : '';
      observe('sca-wrong-proof-answer', { [says]: `${tried.outcome} ${code}` }, tried);
    }
    const seen = await customer.needRead(quote.id);
    await expectNotReleased(check, rule, { customer, seen, tried: [tried] });
  });

/** What a customer may have done before a quote. */
const EARLIER: readonly (readonly [what: string, happens: (customer: ScaCustomer) => Promise<unknown>])[] = [
  [
    'a wrong proof',
    async (customer) => {
      const { quote, challenge } = await needAwait(customer, 'another quote');
      await customer.authorize(quote.id, withAnotherCode(customer.needProve(challenge)), 'a wrong proof');
    },
  ],
  [
    'a quote that was executed',
    async (customer) => {
      const { last } = await customer.needAuthorizeAll(await needAwait(customer, 'a quote to be executed'));
      await needGoing(customer, last);
    },
  ],
];

for (const [what, happens] of EARLIER)
  test(
    `after ${what} the next quote waits as well, and no wrong code releases it`,
    verifies('SCA-CHALLENGE-REQUIRED', 'SCA-WRONG-PROOF'),
    async ({ given, need, check }) => {
      const customer = await given.scaCustomer({ challenges: 1 });
      need.offered(customer.state.challenges !== undefined, 'the state promises no challenges');
      await happens(customer);
      const created = await customer.create({}, `a quote after ${what}`);
      need.offered(succeeded(created), 'no other quote is to be had then');
      const { quote, answer } = await goneAsFarAsCan(customer, created);
      // What locks an account is not shown: then it may be refused to go on.
      need.offered(quote.status !== 'PENDING', 'whether it is to wait at its execution could not be seen');
      const waits = () => expect(quote.status).toBe(WAITING);
      if (!(await check('SCA-CHALLENGE-REQUIRED', waits, [created, answer]))) return;
      const right = customer.needProve(need.offered(quote.scaChallenge, 'the quote shows no challenge'));
      const wrong = withAnotherCode(right);
      need.offered(JSON.stringify(wrong) !== JSON.stringify(right), NO_WRONG_CODE);
      const tried = await customer.authorize(quote.id, wrong, `another code after ${what}`);
      const seen = await customer.needRead(quote.id);
      await expectNotReleased(check, 'SCA-WRONG-PROOF', { customer, seen, tried: [tried] });
    },
  );

test(
  'the authorization of a quote releases no other quote of its customer',
  verifies('SCA-PROOF-OF-OTHER-QUOTE'),
  async ({ given, check }) => {
    const customer = await given.scaCustomer({ challenges: 1 });
    const waiting = await needAwait(customer);
    await needAuthorize(customer);
    const seen = await customer.needRead(waiting.quote.id);
    await expectNotReleased(check, 'SCA-PROOF-OF-OTHER-QUOTE', { customer, seen, tried: [] });
  },
);

test(
  'one assertion that is sent several times at once authorizes one challenge',
  verifies('SCA-PROOF-OF-EARLIER-CHALLENGE'),
  async ({ given, check, need }) => {
    for (let race = 0; race < RACES; race += 1) {
      const customer = await given.scaCustomer({ challenges: 2, factor: 'PASSKEY' });
      if (race === 0) await needAuthorize(customer);
      const { quote, challenge } = await needAwait(customer);
      const proof = customer.needProve(challenge);
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, at) =>
          customer.authorize(quote.id, proof, `the same assertion, ${at + 1} of ${AT_ONCE} at once`),
        ),
      );
      need.that(answers.some(succeeded), 'none of the assertions was taken');
      // How many challenges there are may change; only a state that says so has promised that one is not enough.
      need.offered((customer.state.challenges ?? 0) > 1, 'one authorization may have been enough');
      const seen = await customer.needRead(quote.id);
      const kept = await expectNotReleased(check, 'SCA-PROOF-OF-EARLIER-CHALLENGE', {
        customer,
        seen,
        tried: answers,
      });
      if (!kept) return;
    }
  },
);

const FOR_ANOTHER = "a right assertion for another customer's challenge";

const OPENS_NONE: readonly (readonly [
  says: string,
  factor: 'SMS_OTP' | 'PASSKEY',
  make: (customer: ScaCustomer, challenge: SeenChallenge, given: Given) => Proof | Promise<Proof>,
])[] = [
  ['another code', 'SMS_OTP', (customer, challenge) => withAnotherCode(customer.needProve(challenge))],
  ['no proof at all', 'SMS_OTP', () => ({})],
  [
    'an assertion signed by another key',
    'PASSKEY',
    (customer, challenge) => customer.needProve(challenge, { signingKey: KeyPair.generate() }),
  ],
  [
    "an assertion by another customer's passkey",
    'PASSKEY',
    (customer, challenge, given) => provenByAnother(given, customer, challenge),
  ],
  // This customer has not asked for a login, so there is no challenge that the proof could be for.
  [FOR_ANOTHER, 'PASSKEY', (customer, challenge) => customer.needProve(challenge)],
];

for (const [says, factor, make] of OPENS_NONE)
  test(
    `${says} opens no session at a login by ${factor}`,
    verifies('SCA-WRONG-PROOF'),
    async ({ given, check, need }) => {
      const customer = await given.scaCustomer({ challenges: 1, factor, loggedIn: false });
      const authorize = async (when: string) => {
        const { quote, challenge } = await needAwait(customer, `a quote ${when}`);
        return customer.authorize(quote.id, customer.needProve(challenge), `authorizing ${when}`);
      };
      const refused = await authorize('before any login');
      need.that(
        refused.exchange.response?.status === 409,
        'no login was needed, so none can be seen to fail',
      );
      const whose = says === FOR_ANOTHER ? await given.scaCustomer({ factor }) : customer;
      const { challenge } = await needStartLogin(whose, factor);
      const wrong = await make(customer, challenge, given);
      const right = whose.needProve(challenge);
      need.offered(JSON.stringify(wrong) !== JSON.stringify(right), NO_WRONG_CODE);
      const tried = await customer.completeLogin(challenge, wrong, `completing the login with ${says}`);
      const authorized = await authorize(`after a login with ${says}`);
      await needCompleteLogin(customer, factor);
      await needAuthorize(customer);
      // How the service says so is open: what counts is that there is no session.
      await check('SCA-WRONG-PROOF', () => expect(authorized).toBeRefused(), [tried, authorized]);
    },
  );

/** An assertion over this challenge by a passkey that is right for somebody else. */
async function provenByAnother(
  given: Given,
  customer: ScaCustomer,
  challenge: SeenChallenge,
): Promise<Proof> {
  const other = await given.scaCustomer({ challenges: 1, factor: 'PASSKEY' });
  await needAuthorize(other);
  const [own, foreign] = [customer, other].map(({ state }) => state.passkey?.credentialId);
  customer.need.offered(own !== foreign, 'the state gives both customers the same passkey');
  return other.needProve(challenge);
}

/** A wrong assertion, signed over exactly what it says. */
function assertion(says: string, tamper: () => CeremonyOptions): Wrong {
  return {
    says,
    factor: 'PASSKEY',
    make: ({ customer, challenge }) => customer.needProve(challenge, tamper()),
  };
}
