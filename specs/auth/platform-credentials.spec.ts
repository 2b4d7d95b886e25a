import { basicAuthorization } from '../../client/authorization.ts';
import {
  expect,
  newEmail,
  ownershipOf,
  sendRequest,
  test,
  verifies,
  type Answer,
  type Given,
  type Need,
  type Platform,
  type StateRequest,
} from '../../suite/index.ts';
import { pending } from '../support/actions.ts';
import {
  type Attempt,
  malformedBasic,
  namesTheCause,
  unknownClients,
  untilTaken,
  wrongSecrets,
} from '../support/auth.ts';
import { type CustomerBodies, fresh } from '../support/customers.ts';
import { needAwait, needStartLogin } from '../support/sca.ts';

interface Parts {
  readonly given: Given;
  readonly platform: Platform;
  readonly need: Need;
}

interface PlatformOperation {
  readonly name: string;
  readonly prepare: (parts: Parts) => Promise<Attempt>;
}

/** What is sent to an operation, for call after call. */
type Sent = Omit<NonNullable<Parameters<Platform['call']>[1]>, 'label'>;

/** An operation that is called with the same parts each time, or with fresh ones. */
function calling(
  name: string,
  operation: string,
  about: (parts: Parts) => Promise<Sent | (() => Sent)> | Sent,
): PlatformOperation {
  return {
    name,
    prepare: async (parts) => {
      const sent = await about(parts);
      return (authorization, what) =>
        parts.platform.call(operation, {
          ...(typeof sent === 'function' ? sent() : sent),
          authorization,
          label: `${name} with ${what}`,
        });
    },
  };
}

/** The same with a request that a state tells. */
function asking(name: string, state: string, params: object, key: string): PlatformOperation {
  return {
    name,
    prepare: async ({ given, platform }) => {
      const told = await given.state<Readonly<Record<string, StateRequest>>>(state, params, [key]);
      return (authorization, what) =>
        sendRequest(platform, told[key] as StateRequest, { authorization, label: `${name} with ${what}` });
    },
  };
}

/** Where the interface shows no path or no body, an operation serves where the target is seen to take it. */
const OPERATIONS: readonly PlatformOperation[] = [
  { name: 'approving an agent action', prepare: deciding('approve', 'approval') },
  { name: 'rejecting an agent action', prepare: deciding('reject', 'rejection') },
  calling('updating a customer', 'updateCustomer', async ({ given, platform }) => {
    const { customerId } = (await given.customer()).state;
    return () => ({
      path: { customerId },
      body: platform.filled('updateCustomer', { customerType: 'INDIVIDUAL', email: newEmail() }),
    });
  }),
  {
    name: 'executing a quote',
    prepare: async ({ given, need }) => {
      const customer = await given.customer();
      return async (authorization, what) => {
        const created = await customer.create();
        need(created).available();
        const { quote } = need.offered(
          customer.sighting(created),
          'no quote could be recognised in the answer',
        );
        return customer.execute(quote.id, { authorization, label: `an execution with ${what}` });
      };
    },
  },
  calling('reading the end-user terms', 'getEndUserTerms', () => ({})),
  calling('listing approvals', 'listApprovals', () => ({})),
  calling("listing a customer's accounts", 'listInternalAccounts', async ({ given }) => {
    const { customerId } = (await given.agent()).state;
    return { query: { customerId } };
  }),
  {
    name: 'creating a quote',
    prepare: async ({ given }) => {
      const customer = await given.customer();
      return (authorization, what) =>
        customer.create({}, { authorization, label: `the creation of a quote with ${what}` });
    },
  },
  {
    name: 'authorizing a quote',
    prepare: async ({ given }) => {
      const customer = await given.scaCustomer();
      const waiting = untilTaken(() => needAwait(customer));
      return (authorization, what) =>
        waiting(({ quote, challenge }) => {
          const label = `an authorization of the quote with ${what}`;
          return customer.tryToProve(quote.id, challenge, { authorization, label });
        });
    },
  },
  {
    name: 'completing an SCA login',
    prepare: async ({ given, need }) => {
      const customer = await given.scaCustomer();
      const started = untilTaken(() => needStartLogin(customer, 'SMS_OTP'));
      return (authorization, what) =>
        started(({ challenge }) => {
          const proof = need.offered(customer.proof(challenge), 'a login by SMS_OTP cannot be proved here');
          const label = `an SCA login with ${what}`;
          return customer.completeLogin(challenge, proof, { authorization, label });
        });
    },
  },
  {
    name: 'starting an SCA login',
    prepare: async ({ given }) => {
      const customer = await given.scaCustomer();
      return (authorization, what) =>
        customer.startLogin('SMS_OTP', { authorization, label: `the start of an SCA login with ${what}` });
    },
  },
  calling('reading a customer', 'getCustomer', async ({ given }) => {
    const { customerId } = (await given.customer()).state;
    return { path: { customerId } };
  }),
  calling('reading an external account', 'getExternalAccount', async ({ given, need }) => {
    const { destinationAccountId } = (await given.customer()).state;
    return { path: { id: need.offered(destinationAccountId, 'the state names no destination account') } };
  }),
  calling('reading a quote', 'getQuote', async ({ given }) => {
    const { quote } = await (await given.customer()).needCreate();
    return { path: { quoteId: String(quote.id) } };
  }),
  calling('reading a transaction', 'getTransaction', async ({ given }) => {
    const customer = await given.customer();
    const { quote } = await customer.needCreate();
    await customer.needExecute(quote.id);
    return { path: { transactionId: String(quote.transactionId) } };
  }),
  calling('creating a customer', 'createCustomer', async ({ given, platform }) => {
    const { without } = await given.state<CustomerBodies>('due-diligence', {}, ['without']);
    return () => ({ body: platform.filled('createCustomer', fresh(without)) });
  }),
  asking('verifying a customer', 'verification', { problems: 0 }, 'verify'),
  asking('issuing a card', 'card', { kyc: 'APPROVED' }, 'issue'),
  {
    name: 'asking for an ownership challenge',
    prepare: async ({ given }) => {
      const ownership = ownershipOf(await given.customer({ ownership: 'PENDING' }));
      return (authorization, what) => {
        const label = `asking for an ownership challenge with ${what}`;
        return ownership.challenge('WALLET_SIGNATURE', { authorization, label });
      };
    },
  },
  // A change of nothing: the configuration is shared with other tests.
  calling('configuring a platform', 'updateConfig', () => ({ body: {} })),
];

function deciding(decide: 'approve' | 'reject', noun: string): PlatformOperation['prepare'] {
  return async ({ given, platform }) => {
    const agent = await given.agent({ execution: 'APPROVAL_REQUIRED' });
    const waiting = untilTaken(() => pending(agent));
    return (authorization, what) =>
      waiting(({ id }) =>
        platform[decide](agent.state.agentId, id, { authorization, label: `${noun} with ${what}` }),
      );
  };
}

const WRONG = [
  ['AUTH-PLATFORM-WRONG-SECRET', [401], wrongSecrets],
  ['AUTH-PLATFORM-UNKNOWN-CLIENT', [401], unknownClients],
  // A header that cannot be read may also be called an invalid request.
  ['AUTH-PLATFORM-MALFORMED', [400, 401], malformedBasic],
] as const;

/** Credentials are read in one place, so that all wrong ones are tried at one operation; at each of the others the first of a rule. */
const FEW = 1;

for (const [at, { name, prepare }] of OPERATIONS.entries())
  test(
    `${name} takes the platform's client id and secret, and nothing else`,
    verifies(
      'AUTH-PLATFORM-ACCEPTED',
      'AUTH-PLATFORM-NONE',
      ...WRONG.map(([rule]) => rule),
      'AUTH-FAILURE-CODE',
    ),
    async ({ given, need, check, platform, profile, observe }) => {
      const attempt = await prepare({ given, platform, need });
      const right = await attempt(platform.authorization, 'the right credentials');
      // Refused otherwise, it says nothing of the credentials.
      if (right.exchange.response?.status !== 401) need(right).available();
      await check('AUTH-PLATFORM-ACCEPTED', () => expect(right).toBeAccepted());
      need(right).accepted();
      const none = await attempt(undefined, 'no credentials');
      await check('AUTH-PLATFORM-NONE', () => expect(none).toHaveHttpStatus(401));
      await namesTheCause(check, [none]);
      observe('www-authenticate', none.header('www-authenticate') ?? 'absent', none);

      for (const [rule, statuses, credentials] of WRONG) {
        const answers: Answer[] = [];
        for (const [authorization, what] of credentials(profile).slice(0, at === 0 ? undefined : FEW))
          answers.push(await attempt(authorization, what));
        await check(rule, () => {
          for (const answer of answers) expect(answer).toHaveHttpStatus(...statuses);
        });
        await namesTheCause(check, answers);
        if (rule === 'AUTH-PLATFORM-MALFORMED' && answers[0])
          observe('platform-malformed-authorization', answers[0]);
      }
    },
  );

for (const { name, prepare } of OPERATIONS)
  test(
    `${name} does not take the secret of another platform for that of this one`,
    verifies('AUTH-PLATFORM-WRONG-SECRET'),
    async ({ given, need, check, platform, profile }) => {
      const { clientSecret } = await given.state<{ clientSecret: string }>('other-platform', {}, [
        'clientSecret',
      ]);
      need.offered(clientSecret !== profile.clientSecret, 'both platforms have one secret');
      const attempt = await prepare({ given, platform, need });
      need(await attempt(platform.authorization, 'the right secret')).available();
      const answer = await attempt(
        basicAuthorization(profile.clientId, clientSecret),
        "another platform's secret",
      );
      await check('AUTH-PLATFORM-WRONG-SECRET', () => expect(answer).toHaveHttpStatus(401));
    },
  );
