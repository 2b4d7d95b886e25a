import {
  expect,
  newEmail,
  test,
  verifies,
  type Answer,
  type Given,
  type Need,
  type Platform,
} from '../../suite/index.ts';
import { decidingOnPending } from '../support/actions.ts';
import {
  type Attempt,
  malformedBasic,
  namesTheCause,
  unknownClients,
  wrongSecrets,
} from '../support/auth.ts';

interface Parts {
  readonly given: Given;
  readonly platform: Platform;
  readonly need: Need;
}

interface PlatformOperation {
  readonly name: string;
  readonly prepare: (parts: Parts) => Promise<Attempt>;
}

/** The interface names the first two; the others serve where the target offers them. */
const OPERATIONS: readonly PlatformOperation[] = [
  {
    name: 'approving an agent action',
    prepare: deciding('approve', 'approval'),
  },
  {
    name: 'rejecting an agent action',
    prepare: deciding('reject', 'rejection'),
  },
  {
    name: 'updating a customer',
    prepare: async ({ given, platform }) => {
      const { customerId } = (await given.customer()).state;
      return (authorization, what) =>
        platform.call('updateCustomer', {
          path: { customerId },
          body: platform.filled('updateCustomer', { customerType: 'INDIVIDUAL', email: newEmail() }),
          authorization,
          label: `an update of the customer with ${what}`,
        });
    },
  },
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
  {
    name: 'reading the end-user terms',
    prepare:
      async ({ platform }) =>
      (authorization, what) =>
        platform.call('getEndUserTerms', { authorization, label: `the end-user terms with ${what}` }),
  },
  {
    name: 'listing approvals',
    prepare:
      async ({ platform }) =>
      (authorization, what) =>
        platform.call('listApprovals', { authorization, label: `pending approvals with ${what}` }),
  },
  {
    name: "listing a customer's accounts",
    prepare: async ({ given, platform }) => {
      const { customerId } = (await given.agent()).state;
      return (authorization, what) =>
        platform.call('listInternalAccounts', {
          query: { customerId },
          authorization,
          label: `internal accounts with ${what}`,
        });
    },
  },
];

function deciding(decide: 'approve' | 'reject', noun: string): PlatformOperation['prepare'] {
  return async ({ given, platform }) => {
    const agent = await given.agent({ execution: 'APPROVAL_REQUIRED' });
    const waiting = decidingOnPending(agent);
    return (authorization, what) =>
      waiting((id) =>
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

for (const { name, prepare } of OPERATIONS) {
  test(
    `${name} takes the platform's client id and secret`,
    verifies('AUTH-PLATFORM-ACCEPTED'),
    async ({ given, need, check, platform }) => {
      const attempt = await prepare({ given, platform, need });
      const right = await attempt(platform.authorization, 'the right credentials');
      need.offered(
        right.status !== 404 && right.status !== 405,
        `this target does not offer "${right.label}" (${right.outcome})`,
      );

      need.that(
        right.accepted || right.status === 401,
        `"${right.label}" was answered ${right.outcome}, which says nothing of the credentials`,
      );
      await check('AUTH-PLATFORM-ACCEPTED', () => expect(right).toBeAccepted());
    },
  );

  test(
    `${name} takes no wrong credentials, and does not go without`,
    verifies('AUTH-PLATFORM-NONE', ...WRONG.map(([rule]) => rule), 'AUTH-FAILURE-CODE'),
    async ({ given, need, check, platform, profile, observe }) => {
      const attempt = await prepare({ given, platform, need });
      need(await attempt(platform.authorization, 'the right credentials')).available();
      const none = await attempt(undefined, 'no credentials');
      await check('AUTH-PLATFORM-NONE', () => expect(none).toHaveHttpStatus(401));
      await namesTheCause(check, none);
      observe('www-authenticate', none.header('www-authenticate') ?? 'absent', none);

      for (const [rule, statuses, credentials] of WRONG) {
        const answers: Answer[] = [];
        for (const [authorization, what] of credentials(profile))
          answers.push(await attempt(authorization, what));
        await check(rule, () => {
          for (const answer of answers) expect(answer).toHaveHttpStatus(...statuses);
        });
        await namesTheCause(check, ...answers);
        if (rule === 'AUTH-PLATFORM-MALFORMED' && answers[0])
          observe('platform-malformed-authorization', answers[0]);
      }
    },
  );
}
