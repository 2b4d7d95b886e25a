import { noJson } from '../../generators/json.ts';
import { mistakesIn, spread, type Body } from '../../generators/mistakes.ts';
import { requestShape } from '../../generators/requests.ts';
import { schemaByExample } from '../../generators/schemas.ts';
import type { CallParts } from '../../suite/api/platform.ts';
import { sentBody } from '../../suite/bodies.ts';
import {
  expect,
  newEmail,
  ORDINARY_AMOUNT,
  survey,
  test,
  verifies,
  type Agent,
  type Answer,
  type Given,
  type Need,
  type Platform,
  type Wallet,
} from '../../suite/index.ts';
import { MAY_SEND, withGenerousLimits } from '../support/agents.ts';
import { mustWait, releaseOf } from '../support/sca.ts';
import { notAccepted } from '../support/refusals.ts';

/** Mistakes of one kind in one field that are tried. */
const ALIKE = 2;
const byExample = (body: Body) => spread(mistakesIn(schemaByExample(body), body), ALIKE);

/** A prepared operation that takes a JSON body: a legal one, and how to send any text in its place. */
interface Prepared {
  readonly body: Readonly<Record<string, unknown>>;
  readonly send: (parts: CallParts) => Promise<Answer>;
}

/** The operations of the interface with a body, on records that are there, so that nothing but the text is wrong. */
const WITH_BODY: Readonly<Record<string, (given: Given, need: Need) => Promise<Prepared>>> = {
  async transferOut(given) {
    const agent = await given.agent();
    return { body: agent.transferOutBody(), send: (parts) => agent.call('transferOut', parts) };
  },
  async createCredential(given) {
    const { wallet } = await given.signedIn();
    const { body } = await wallet.draftOauth();
    return { body, send: (parts) => wallet.send({ operation: 'createCredential', ...parts }) };
  },
  async verifyCredential(given) {
    const { wallet, credential } = await given.signedIn('OAUTH');
    const path = { id: credential.id };
    let body: Readonly<Record<string, unknown>> = {};
    await wallet.login(credential, {
      verify: (request) => {
        body = request.body as Readonly<Record<string, unknown>>;
        return request;
      },
    });
    return { body, send: (parts) => wallet.send({ operation: 'verifyCredential', path, ...parts }) };
  },
  async createQuote(given) {
    const customer = await given.customer();
    return { body: customer.body(), send: (parts) => customer.call('createQuote', parts) };
  },
  async authorizeQuote(given, need) {
    const customer = await given.scaCustomer({ challenges: 1 });
    const { quote, challenge } = await mustWait(need, customer);
    const body = need.offered(customer.proof(challenge), 'the challenge cannot be proved here');
    const path = { quoteId: String(quote.id) };
    return { body, send: (parts) => customer.call('authorizeQuote', { path, ...parts }) };
  },
};

test(
  'a proof with one mistake authorizes nothing',
  verifies('SCA-WRONG-PROOF'),
  async ({ given, need, check }) => {
    const customer = await given.scaCustomer({ challenges: 1 });
    const { quote, challenge } = await mustWait(need, customer);
    const proof = need.offered(customer.proof(challenge), 'the challenge cannot be proved here');

    await survey(check, byExample(proof), async ({ field, kind, body }, on) => {
      const fresh = await given.scaCustomer({ challenges: 1 });
      const { quote: waiting } = await mustWait(on.need, fresh);
      const label = `authorizing a quote, ${field}: ${kind}`;
      const answer = on.told(await fresh.authorize(waiting.id, body, { label }));
      const seen = on.must(await fresh.look(answer, waiting.id), 'the quote could not be seen again');
      // A quote that began to wait with its execution may be PENDING again, and wait anew with the next one.
      const { released, answers } = await releaseOf(on.need, fresh, seen);
      await on.hold('SCA-WRONG-PROOF', () => expect(released, 'the quote was released').toBe(false), [
        answer,
        ...answers,
      ]);
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

/** A request whose body the interface does not show, as deployments take it and as the profile tells it. */
interface OpenRequest {
  readonly body: Body;
  readonly send: (body: unknown, label: string) => Promise<Answer>;
}
interface OpenParts {
  readonly given: Given;
  readonly platform: Platform;
  readonly told: (operation: string, usual: Body) => Body;
}

const byAgent =
  (operation: string, bodyOf: (agent: Agent) => Body) =>
  async ({ given, told }: OpenParts): Promise<OpenRequest> => {
    const agent = await given.agent();
    return {
      body: told(operation, bodyOf(agent)),
      send: (body, label) => agent.call(operation, { body, label }),
    };
  };
const byWallet =
  (operation: string, bodyOf: (wallet: Wallet) => Body) =>
  async ({ given, told }: OpenParts): Promise<OpenRequest> => {
    const { wallet } = await given.signedIn();
    const path = { id: wallet.accountId };
    return {
      body: told(operation, bodyOf(wallet)),
      send: (body, label) => wallet.send({ operation, path, body, label }),
    };
  };

/** Operations whose bodies stand in no sentence of the interface. */
const OPEN: Readonly<Record<string, (parts: OpenParts) => Promise<OpenRequest>>> = {
  transferIn: byAgent('transferIn', ({ state }) => ({
    source: { accountId: state.destinationAccountId },
    destination: { accountId: state.sourceAccountId },
    amount: ORDINARY_AMOUNT,
  })),
  createAgentQuote: byAgent('createAgentQuote', ({ state }) => ({
    source: { sourceType: 'ACCOUNT', accountId: state.sourceAccountId },
    destination: { destinationType: 'ACCOUNT', accountId: state.destinationAccountId },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: ORDINARY_AMOUNT,
  })),
  exportWallet: byWallet('exportWallet', (wallet) => ({ clientPublicKey: wallet.newKey().uncompressed })),
  updateInternalAccount: byWallet('updateInternalAccount', () => ({ privateEnabled: true })),
  async createAgent({ given, platform, told }) {
    const { customerId, currency } = (await given.agent()).state;
    const policy = withGenerousLimits(MAY_SEND, currency);
    return {
      body: told('createAgent', { name: 'Assay agent with a mistake', customerId, policy }),
      send: (body, label) => platform.call('createAgent', { body, label }),
    };
  },
  async updateCustomer({ given, platform, told }) {
    const { customerId } = (await given.customer()).state;
    return {
      body: told('updateCustomer', { customerType: 'INDIVIDUAL', email: newEmail() }),
      send: (body, label) => platform.call('updateCustomer', { path: { customerId }, body, label }),
    };
  },
  async startScaLogin({ given }) {
    const customer = await given.scaCustomer({ loggedIn: false });
    return {
      body: customer.told('startScaLogin', { factor: 'SMS_OTP' }),
      send: (body, label) => customer.startLogin('SMS_OTP', { body, label }),
    };
  },
};

for (const [operation, prepare] of Object.entries(OPEN))
  test(`what becomes of mistakes in a body of ${operation}, which is not shown, is left open`, async ({
    given,
    need,
    observe,
    platform,
    profile,
  }) => {
    const told = (name: string, usual: Body): Body => ({ ...usual, ...profile.dialect.bodies[name] });
    const { body, send } = await prepare({ given, platform, told });
    // Where not even this is taken, a mistake in it is none.
    need(await send(body, `${operation} without a mistake`)).available();
    const outcomes = new Map<string, string[]>();
    for (const { field, kind, body: mistaken } of spread(mistakesIn(schemaByExample(body), body), 1)) {
      const { outcome } = await send(mistaken, `${operation}, ${field}: ${kind}`);
      outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), `${field}: ${kind}`]);
    }
    observe('open-request-mistakes', { [operation]: Object.fromEntries([...outcomes].sort()) });
    need(await send(body, `${operation} without a mistake, after all`)).available();
  });

for (const [operation, prepare] of Object.entries(WITH_BODY))
  test(
    `${operation}: a body that is no JSON answers 400`,
    verifies('ERROR-MALFORMED-JSON', 'GENERAL-RESPONSES-JSON'),
    async ({ given, need, check }) => {
      const { body, send } = await prepare(given, need);
      const shape = requestShape(operation);

      await survey(check, noJson(body), async ({ says, text }, on) => {
        const answer = on.told(await send({ raw: text, label: `${operation}, a body ${says}` }));
        on.must(sentBody(shape, answer) === 'no JSON', 'what was sent is JSON');
        await on.hold('ERROR-MALFORMED-JSON', () => expect(answer).toHaveHttpStatus(400));
      });
      // A token serves for one verify only, and the one of this body may have served already.
      if (operation !== 'verifyCredential')
        need(await send({ body, label: `${operation} in plain JSON` })).accepted();
    },
  );
