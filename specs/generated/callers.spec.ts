import { randomUUID } from 'node:crypto';
import {
  credentialRequests,
  expect,
  survey,
  test,
  verifies,
  type Agent,
  type Answer,
  type Authorization,
  type Given,
  type Need,
  type Platform,
  type Profile,
} from '../../suite/index.ts';
import { THRESHOLD, waitingAction } from '../support/actions.ts';
import { malformedBasic, refusalsOfToken, unknownClients, wrongSecrets } from '../support/auth.ts';

interface Parts {
  readonly given: Given;
  readonly need: Need;
  readonly platform: Platform;
  readonly agent: Agent;
}
/** A request that is right but for who sends it; what it is about is made anew where it changes something. */
type Send = (authorization: Authorization | undefined, label: string) => Promise<Answer>;
type Operations = Readonly<Record<string, (parts: Parts) => Promise<Send>>>;
/** The same with its control: sent once by whom it is for. */
interface Prepared {
  readonly send: Send;
  readonly right: Answer;
}

/** One wrong way to say who calls. */
interface WrongCaller {
  readonly says: string;
  readonly rule: string;
  readonly authorization: Authorization | undefined;
  readonly statuses: readonly number[];
  /** Rules that are narrower. */
  readonly unless?: readonly string[];
  /** Codes of a 401, where the text settles them. */
  readonly codes: readonly string[];
}

const asAgent =
  (operation: string) =>
  async ({ agent, need }: Parts): Promise<Send> => {
    const own = await agent.transferOut({}, { label: 'a transfer-out of the agent' });
    need(own).accepted();
    const path = operation === 'getMyAction' ? { path: { actionId: String(own.body.id) } } : {};
    const body = operation === 'transferOut' ? { body: agent.transferOutBody() } : {};
    return (authorization, label) => agent.call(operation, { authorization, label, ...path, ...body });
  };

/** Operations for agents; the interface shows the first alone, the others serve where the target offers them. */
const FOR_AGENTS: Operations = Object.fromEntries(
  [
    'transferOut',
    'getMe',
    'listMyActions',
    'getMyAction',
    'listMyInternalAccounts',
    'listMyExternalAccounts',
    'listMyTransactions',
  ].map((operation) => [operation, asAgent(operation)]),
);

/** Operations for the platform, on records that are there. */
const FOR_THE_PLATFORM: Operations = {
  approveAgentAction: async ({ given, need, platform }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const waiting = waitingAction(agent, need);
    return (authorization, label) =>
      waiting((id) => platform.approve(agent.state.agentId, id, { authorization, label }));
  },
  listApprovals:
    async ({ platform }) =>
    (authorization, label) =>
      platform.call('listApprovals', { authorization, label }),
  getEndUserTerms:
    async ({ platform }) =>
    (authorization, label) =>
      platform.call('getEndUserTerms', { authorization, label }),
  listInternalAccounts: async ({ given, platform }) => {
    const { customerId } = (await given.customer()).state;
    return (authorization, label) =>
      platform.call('listInternalAccounts', { query: { customerId }, authorization, label });
  },
  createQuote: async ({ given }) => {
    const customer = await given.customer();
    return (authorization, label) => customer.create({}, { authorization, label });
  },
  getQuote: async ({ given, need }) => {
    const customer = await given.customer();
    const created = await customer.create();
    need(created).accepted();
    const { quote } = need.offered(customer.sighting(created), 'no quote could be recognised in the answer');
    return (authorization, label) => customer.read(quote.id, { authorization, label });
  },
};

/** Operations on credentials, where the right request changes nothing yet. */
const ON_CREDENTIALS: Operations = {
  listCredentials: async ({ given }) => {
    const { wallet } = await given.signedIn();
    return (authorization, label) =>
      wallet.send(credentialRequests.list(wallet.accountId), { authorization, label });
  },
  createCredential: async ({ given }) => {
    const { wallet } = await given.signedIn();
    const { body } = await wallet.draft('OAUTH');
    return (authorization, label) => wallet.send(credentialRequests.register(body), { authorization, label });
  },
  challengeCredential: async ({ given }) => {
    const wallet = await given.wallet({ credentials: ['EMAIL_OTP'] });
    return (authorization, label) =>
      wallet.challenge(wallet.credentialOf('EMAIL_OTP'), { authorization, label });
  },
  verifyCredential: async ({ given }) => {
    const { wallet, credential } = await given.holding('OAUTH');
    // A token serves for one verify only.
    return async (authorization, label) =>
      (await wallet.login(credential, { verify: (request) => ({ ...request, authorization, label }) }))
        .answer;
  },
  revokeCredential: async ({ given }) => {
    const { wallet, session } = await given.signedIn();
    const { credential } = await wallet.probe(session, { label: 'registering a further credential' });
    return (authorization, label) =>
      wallet.send(credentialRequests.revoke(credential?.id ?? ''), { authorization, label });
  },
};

function wrongForAgents(agent: Agent, platform: Platform): readonly WrongCaller[] {
  const { accessToken } = agent.state;
  const middle = Math.floor(accessToken.length / 2);
  const altered = `${accessToken.slice(0, middle)}${accessToken[middle] === 'a' ? 'b' : 'a'}${accessToken.slice(middle + 1)}`;
  // How a token is made is not shown: its header may be a signature header.
  const token = { statuses: [401], codes: ['UNAUTHORIZED', 'INVALID_SIGNATURE'] };
  return [
    {
      says: 'no credentials',
      rule: 'AUTH-AGENT-NONE',
      authorization: undefined,
      statuses: [401],
      codes: ['UNAUTHORIZED'],
    },
    {
      says: "the platform's credentials",
      rule: 'AUTH-AGENT-REFUSES-BASIC',
      authorization: platform.authorization,
      statuses: [401, 403],
      codes: ['UNAUTHORIZED'],
    },
    ...[
      ['an invented token', randomUUID()],
      ['a token with one letter changed', altered],
      ['a token cut in half', accessToken.slice(0, middle)],
      ['a token and one letter more', `${accessToken}x`],
    ].map(([says = '', text = '']) => ({
      says,
      rule: 'AUTH-AGENT-WRONG-TOKEN',
      authorization: agent.authorizationWith(text),
      ...token,
    })),
  ];
}

function wrongForThePlatform(profile: Profile): readonly WrongCaller[] {
  const rows = [
    ['AUTH-PLATFORM-WRONG-SECRET', wrongSecrets(profile), [401]],
    ['AUTH-PLATFORM-UNKNOWN-CLIENT', unknownClients(profile), [401]],
    // A header that cannot be read may also be called an invalid request.
    ['AUTH-PLATFORM-MALFORMED', malformedBasic(profile), [400, 401]],
  ] as const;
  return [
    {
      says: 'no credentials',
      rule: 'AUTH-PLATFORM-NONE',
      authorization: undefined,
      statuses: [401],
      codes: ['UNAUTHORIZED'],
    },
    ...rows.flatMap(([rule, wrong, statuses]) =>
      wrong.map(([authorization, says]) => ({
        says,
        rule,
        authorization,
        statuses,
        codes: ['UNAUTHORIZED'],
        // Where any client is taken, or any secret, so are those that are hardly there.
        unless: rule.endsWith('MALFORMED')
          ? ['AUTH-PLATFORM-WRONG-SECRET', 'AUTH-PLATFORM-UNKNOWN-CLIENT']
          : [],
      })),
    ),
  ];
}

function wrongForCredentials(agent: Agent): readonly WrongCaller[] {
  const unless = { codes: ['UNAUTHORIZED'] };
  return [
    {
      says: 'no credentials',
      rule: 'AUTH-CREDENTIALS-NEED-BASIC',
      authorization: undefined,
      statuses: [401],
      ...unless,
    },
    {
      says: 'an agent token',
      rule: 'AUTH-CREDENTIALS-REFUSE-AGENT',
      authorization: agent.authorization,
      statuses: [401, 403],
      ...unless,
    },
  ];
}

interface Group {
  readonly title: string;
  readonly rules: readonly string[];
  readonly operations: Operations;
  readonly wrong: (agent: Agent, platform: Platform, profile: Profile) => readonly WrongCaller[];
}

const GROUPS: readonly Group[] = [
  {
    title: 'agents',
    rules: ['AUTH-AGENT-NONE', 'AUTH-AGENT-WRONG-TOKEN', 'AUTH-AGENT-REFUSES-BASIC'],
    operations: FOR_AGENTS,
    wrong: wrongForAgents,
  },
  {
    title: 'the platform',
    rules: [
      'AUTH-PLATFORM-NONE',
      'AUTH-PLATFORM-WRONG-SECRET',
      'AUTH-PLATFORM-UNKNOWN-CLIENT',
      'AUTH-PLATFORM-MALFORMED',
    ],
    operations: FOR_THE_PLATFORM,
    wrong: (_agent, _platform, profile) => wrongForThePlatform(profile),
  },
  {
    title: 'the platform on credentials',
    rules: ['AUTH-CREDENTIALS-NEED-BASIC', 'AUTH-CREDENTIALS-REFUSE-AGENT'],
    operations: ON_CREDENTIALS,
    wrong: wrongForCredentials,
  },
];

for (const { title, rules, operations, wrong } of GROUPS)
  test(
    `no operation for ${title} opens to a wrong caller`,
    verifies(...rules, 'AUTH-FAILURE-CODE'),
    async ({ given, need, check, platform, profile }) => {
      const agent = await given.agent();
      need(await agent.transferOut({}, { label: 'the agent that the token belongs to' })).accepted();
      const callers = wrong(agent, platform, profile);
      // Where every platform operation opens to them it is no matter of credentials.
      const elsewhere = title.endsWith('credentials')
        ? await Promise.all(
            callers.map(({ authorization, says }) =>
              platform.call('listApprovals', { authorization, label: `pending approvals with ${says}` }),
            ),
          )
        : [];
      need.that(
        elsewhere.every((answer) =>
          [400, 401, 403, 404, 405].includes(answer.exchange.response?.status ?? 0),
        ),
        'other operations of the platform open to them as well, which is the matter of another rule',
      );
      const inputs = Object.keys(operations).flatMap((operation) =>
        callers.map((_, caller) => ({ operation, caller })),
      );
      const prepared = new Map<string, Promise<Prepared>>();
      const ready = async (operation: string): Promise<Prepared> => {
        const send = await operations[operation]!({ given, need, platform, agent });
        const own = operation in FOR_AGENTS ? agent.authorization : platform.authorization;
        return { send, right: await send(own, `${operation} with the right credentials`) };
      };

      await survey(check, inputs, async ({ operation, caller }, on) => {
        const {
          says,
          rule,
          authorization,
          statuses,
          codes,
          unless = [],
        } = on.must(callers[caller], 'there is no such caller');
        if (!prepared.has(operation)) prepared.set(operation, ready(operation));
        const { send, right } = await prepared.get(operation)!;
        on.must(right.exchange.response && right.accepted, 'the control was refused');
        const answer = on.told(await send(authorization, `${operation} with ${says}`));
        const refusals =
          rule === 'AUTH-CREDENTIALS-REFUSE-AGENT' ? refusalsOfToken(elsewhere[caller]) : statuses;
        await on.hold(rule, () => expect(answer).toBeRefused(...refusals), { unless });
        if (answer.status === 401)
          await on.hold('AUTH-FAILURE-CODE', () => expect(answer).toHaveCode(...codes));
      });
    },
  );
