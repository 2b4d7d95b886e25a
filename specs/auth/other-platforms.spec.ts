import { objectsWithin } from '../../suite/objects-within.ts';
import { folded } from '../../suite/same-id.ts';
import {
  expect,
  newEmail,
  ownershipOf,
  sendRequest,
  sessionRequests,
  sessionSigned,
  test,
  verifies,
  type Answer,
  type Given,
  type QuoteCustomer,
  type StateRequest,
} from '../../suite/index.ts';
import { pending } from '../support/actions.ts';
import { needTaken } from '../support/auth.ts';
import { expectNotExecuted } from '../support/quotes.ts';
import { needAwait, needStartLogin } from '../support/sca.ts';

const RULE = 'AUTH-OTHER-PLATFORM';

/** Sends the request that was prepared. @param authorization of another platform; the right one unless given */
type Send = (label: string, authorization?: string) => Promise<Answer>;

/** A request about a record of one platform, each time about a new one. @returns how it is sent */
type Prepare = (given: Given) => Promise<Send>;

/** Signed operations but for those on credentials, whose first calls and retries credential-operations.spec.ts sends. */
const BESIDE_CREDENTIALS = sessionSigned.filter(({ rule }) => !rule.startsWith('RETRY-CREDENTIAL-'));

/** What is refused to a platform that does not own the record. */
const ACTS: Readonly<Record<string, Prepare>> = {
  'reading a quote': async (given) => {
    const customer = await given.customer();
    const { quote } = await customer.needCreate();
    return (...sent) => customer.read(quote.id, toldOf(...sent));
  },
  'creating a quote': ofCustomer(
    (customer) =>
      (...sent) =>
        customer.create({}, toldOf(...sent)),
  ),
  'authorizing a quote': async (given) => {
    const customer = await given.scaCustomer();
    const { quote, challenge } = await needAwait(customer);
    return (...sent) => customer.tryToProve(quote.id, challenge, toldOf(...sent));
  },
  'completing an SCA login': async (given) => {
    const customer = await given.scaCustomer({ factor: 'SMS_OTP' });
    const { challenge } = await needStartLogin(customer, 'SMS_OTP');
    const proof = customer.needProve(challenge);
    return (...sent) => customer.completeLogin(challenge, proof, toldOf(...sent));
  },
  'starting an SCA login': async (given) => {
    const customer = await given.scaCustomer({ factor: 'SMS_OTP' });
    return (...sent) => customer.startLogin('SMS_OTP', toldOf(...sent));
  },
  'verifying a customer': ofState('verification', { problems: 0 }, 'verify'),
  'issuing a card': ofState('card', { kyc: 'APPROVED' }, 'issue'),
  'asking for a code by e-mail': async (given) => {
    const customer = await given.customer({ contactVerification: true });
    const path = { customerId: customer.state.customerId };
    return (...sent) => customer.call('verifyEmail', { path, ...toldOf(...sent) });
  },
  'proving an ownership': async (given) => {
    const ownership = ownershipOf(await given.customer({ ownership: 'PENDING' }));
    const challenge = await ownership.challenge();
    return async (...sent) => {
      const proved = await ownership.verify(challenge, {}, toldOf(...sent));
      return ownership.customer.need.offered(proved, 'the challenge shows no message to sign');
    };
  },
  'reading a transaction': async (given) => {
    const customer = await given.customer();
    const { quote } = await customer.needCreate();
    await customer.needExecute(quote.id);
    const path = { transactionId: String(quote.transactionId) };
    return (...sent) => customer.call('getTransaction', { path, ...toldOf(...sent) });
  },
  'updating a customer': ofCustomer((customer) => {
    const { customerId } = customer.state;
    const body = customer.told('updateCustomer', { customerType: 'INDIVIDUAL', email: newEmail() });
    return (...sent) => customer.call('updateCustomer', { path: { customerId }, body, ...toldOf(...sent) });
  }),
  'reading a customer': ofCustomer(
    (customer) =>
      (...sent) =>
        customer.call('getCustomer', {
          path: { customerId: customer.state.customerId },
          ...toldOf(...sent),
        }),
  ),
  'reading an external account': ofCustomer((customer) => {
    const { destinationAccountId } = customer.state;
    const id = customer.need.offered(destinationAccountId, 'the state names no destination account');
    return (...sent) => customer.call('getExternalAccount', { path: { id }, ...toldOf(...sent) });
  }),
  'asking for an ownership challenge': async (given) => {
    const ownership = ownershipOf(await given.customer({ ownership: 'PENDING' }));
    return (...sent) => ownership.challenge('WALLET_SIGNATURE', toldOf(...sent));
  },
  ...Object.fromEntries(
    BESIDE_CREDENTIALS.map((operation): [string, Prepare] => [
      operation.name,
      async (given) => {
        const { wallet } = await given.signedIn(operation.signsInWith);
        const { request } = await wallet.prepare(operation);
        const first = wallet.need.that(request, 'the request cannot be sent alone');
        return (...sent) => wallet.send({ ...first, ...toldOf(...sent) });
      },
    ]),
  ),
};

/** What may answer another platform, and then shows nothing of the record. */
const LISTS: Readonly<Record<string, Prepare>> = {
  "listing a customer's accounts": ofCustomer(
    (customer) =>
      (...sent) =>
        customer.call('listInternalAccounts', {
          query: { customerId: customer.state.customerId },
          ...toldOf(...sent),
        }),
  ),
  'listing approvals': async (given) => {
    const agent = await given.agent({ execution: 'APPROVAL_REQUIRED' });
    await pending(agent);
    return (...sent) => agent.platform.call('listApprovals', toldOf(...sent));
  },
  "listing an account's sessions": async (given) => {
    const { wallet } = await given.signedIn();
    return (...sent) => wallet.send({ ...sessionRequests.list(wallet.accountId), ...toldOf(...sent) });
  },
};

/** What is asked about a record leaves it as it was. */
const IS_READ = new Set([
  ...Object.keys(ACTS).filter((name) => name.startsWith('reading ')),
  ...BESIDE_CREDENTIALS.map(({ name }) => name),
]);

for (const [name, prepare] of Object.entries(ACTS))
  test(
    `${name} is nothing that another platform can do`,
    verifies(RULE),
    async ({ given, need, check, platform }) => {
      const other = await given.otherPlatform();
      const send = await prepare(given);
      need(await send(`${name} as its platform`)).available();
      await needTaken(platform, need, other);
      const sendAgain = IS_READ.has(name) ? send : await prepare(given);
      const tried = await sendAgain(`${name} as another platform`, other);
      await check(RULE, () => expect(tried).toBeRefused());
    },
  );

test(
  'executing a quote is nothing that another platform can do, and nothing comes of it',
  verifies(RULE),
  async ({ given, need, check, platform }) => {
    const other = await given.otherPlatform();
    const customer = await given.customer();
    await customer.needExecute((await customer.needCreate()).quote.id);
    await needTaken(platform, need, other);
    const quoteId = (await customer.needCreate()).quote.id;
    const tried = await customer.execute(quoteId, toldOf('executing a quote as another platform', other));
    await check(RULE, () => expect(tried).toBeRefused());
    await expectNotExecuted(check, RULE, { customer, executed: tried, quoteId });
  },
);

for (const end of ['source', 'destination'])
  test(
    `a quote with another platform's account as its ${end} is refused`,
    verifies(RULE),
    async ({ given, need, check }) => {
      const own = await given.customer({ ownPlatform: true });
      need.offered(own.state.clientId, 'the state gives no platform of its own');
      const foreign = (await given.customer()).body()[end];
      await own.needCreate();
      const tried = await own.create({ [end]: foreign }, toldOf(`creating a quote with a foreign ${end}`));
      await check(RULE, () => expect(tried).toBeRefused());
    },
  );

for (const [name, prepare] of Object.entries(LISTS))
  test(`${name} shows another platform nothing`, verifies(RULE), async ({ given, need, check, platform }) => {
    const other = await given.otherPlatform();
    const send = await prepare(given);
    const own = await send(`${name} as its platform`);
    need(own).available();
    const shown = need.offered(idsIn(own).length > 0 && idsIn(own), 'the list shows no id of a record');
    await needTaken(platform, need, other);
    const tried = await send(`${name} as another platform`, other);
    const seen = tried.exchange.response && tried.accepted ? idsIn(tried) : [];
    await check(RULE, () => expect(seen.filter((id) => shown.includes(id))).toEqual([]), [own, tried]);
  });

/** What authorizes the call stands there only where it is not the usual. */
function toldOf(label: string, authorization?: string) {
  return { label, ...(authorization === undefined ? {} : { authorization }) };
}

function ofCustomer(prepare: (customer: QuoteCustomer) => Send): Prepare {
  return async (given) => prepare(await given.customer());
}

/** A request that a state tells, about a customer of the platform. */
function ofState(name: string, params: object, key: string): Prepare {
  return async (given) => {
    const state = await given.state<Readonly<Record<string, StateRequest>>>(name, params, [key]);
    return (...sent) => sendRequest(given.platformOf({}), state[key] as StateRequest, toldOf(...sent));
  };
}

function idsIn(answer: Answer): readonly unknown[] {
  return objectsWithin(answer.body as unknown).flatMap(({ id }) => (id === undefined ? [] : [folded(id)]));
}
