import { randomUUID } from 'node:crypto';
import type { AgentParams } from '../../target/states/types.ts';
import { allMistakes, type OneMistake } from '../../generators/mistakes.ts';
import { boundOf, enumOf } from '../../schemas/openapi.ts';
import {
  expect,
  ORDINARY_AMOUNT,
  since,
  test,
  verifies,
  type Agent,
  type Answer,
  type Given,
} from '../../suite/index.ts';
import { ABOVE, THRESHOLD, transferOutInFull } from '../support/actions.ts';
import { READ_ONLY } from '../support/agents.ts';
import { refusedAsInvalid } from '../support/refusals.ts';
import { inTurn } from '../support/replay.ts';
import { SourceAccount } from '../support/source-account.ts';

/** Characters. */
const LONGEST_REMITTANCE = boundOf('TransferOutRequest', 'remittanceInformation', 'maxLength');
const RAILS = enumOf('PaymentRail');
/** What a policy may grant beside CREATE_TRANSFERS, as known deployments call it. */
const OTHERS = ['VIEW_TRANSACTIONS', 'CREATE_QUOTES', 'EXECUTE_QUOTES', 'MANAGE_EXTERNAL_ACCOUNTS'] as const;
/** An id of the wrong form may be an invalid parameter or name no account: the text does not say which. */
const ANY_4XX: readonly number[] = [];

type Fields = Readonly<Record<string, unknown>>;

/** How the transfer-out is sent that has nothing wrong, and the same with what is. */
interface Way {
  /** Follows "a transfer-out" in the title. */
  readonly says: string;
  readonly policy?: AgentParams;
  readonly send: (agent: Agent, changes: Fields, label: string) => Promise<Answer>;
  /** What the right one must be beside accepted, for the wrong ones to say something. */
  readonly alsoNeeds?: (agent: Agent, right: Answer) => void;
}

const PLAIN: Way = {
  says: 'that names no more than it must',
  send: (agent, changes, label) => agent.transferOut(changes, label),
};

/** Whatever a service looks at first: what would wait is refused before anybody is asked. */
const BEFORE_APPROVAL: Way = {
  says: 'that needs approval',
  policy: { approvalThreshold: THRESHOLD },
  send: (agent, changes, label) => agent.transferOut({ amount: ABOVE, ...changes }, label),
  alsoNeeds: ({ need }, right) => {
    need.offered(!right.refused, 'this target takes no such transfer-out from this agent');
    need.offered(
      !right.accepted || right.body?.status === 'PENDING_APPROVAL',
      'what needs approval did not wait for it, so there is nobody to ask',
    );
  },
};

/** The same, where it is the policy and not the amount that asks. */
const ALWAYS_ASKED: Way = {
  ...BEFORE_APPROVAL,
  says: 'of an agent whose every action needs approval',
  policy: { execution: 'APPROVAL_REQUIRED' },
  send: (agent, changes, label) => agent.transferOut(changes, label),
};

const FULL: Way = {
  says: 'that names rail, purpose, text and key',
  send: transferOutInFull,
};

/** What is wrong in a request, or in the agent that sends it. */
interface Breach {
  readonly rule: string;
  readonly says: string;
  readonly ways?: readonly Way[];
  /** The policy of the agent that sends it, where not every agent is refused. */
  readonly by?: AgentParams;
  readonly changes?: (agent: Agent, given: Given) => Promise<Fields> | Fields;
  /** The rule's own statuses. An invalid parameter has none: its 400 is a rule beside it. */
  readonly refused?: readonly number[];
  /** Those that the text allows for an invalid parameter, where it is not 400 alone. */
  readonly invalid?: readonly number[];
  /** The question that the answer is an observation of. */
  readonly question?: string;
}

const ENDS = ['source', 'destination'] as const;
type End = (typeof ENDS)[number];
const accountAt = ({ state }: Agent, end: End) =>
  end === 'source' ? state.sourceAccountId : state.destinationAccountId;

const opposite = (end: End): End => (end === 'source' ? 'destination' : 'source');
const FORMS: Readonly<Record<End, string>> = { source: 'InternalAccount', destination: 'ExternalAccount' };

/** Accounts that are another customer's. */
const FOREIGN: readonly {
  readonly whose: string;
  /** Where it is the account at this end alone, and where both are. */
  readonly ways?: Readonly<Record<End | 'both', readonly Way[]>>;
  readonly accounts: (agent: Agent, given: Given) => Promise<Readonly<Record<End, string>>>;
}[] = [
  {
    whose: "another customer's account",
    ways: {
      source: [PLAIN, BEFORE_APPROVAL, FULL],
      destination: [PLAIN, ALWAYS_ASKED, FULL],
      both: [PLAIN, ALWAYS_ASKED],
    },
    accounts: async (_, given) => {
      const { internalAccountId, externalAccountId } = await given.foreignAccounts();
      return { source: internalAccountId, destination: externalAccountId };
    },
  },
  {
    whose: "the account of another agent's customer",
    accounts: async (agent, given) => {
      const other = await agentOfAnotherCustomer(agent, given);
      return { source: accountAt(other, 'source'), destination: accountAt(other, 'destination') };
    },
  },
];

/** Ids of accounts that there are not, or that are none. */
const IDS: readonly {
  readonly kind: 'unknown' | 'form';
  readonly says: string;
  readonly ways?: readonly Way[];
  readonly of: (agent: Agent, end: End) => string | undefined;
  readonly refused?: readonly number[];
  readonly question?: string;
}[] = [
  {
    kind: 'unknown',
    says: 'an account that nobody has',
    ways: [PLAIN, ALWAYS_ASKED, FULL],
    of: (_, end) => `${FORMS[end]}:${randomUUID()}`,
    refused: [404],
    question: 'unknown-account-code',
  },
  {
    kind: 'unknown',
    says: 'an id one digit beside a real one',
    of: (agent, end) => accountAt(agent, end).replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
    refused: [404],
  },
  {
    kind: 'unknown',
    says: 'the account at the other end, under this name,',
    of: (agent, end) => `${FORMS[end]}:${accountAt(agent, opposite(end)).split(':')[1]}`,
    refused: [404],
  },
  {
    kind: 'unknown',
    says: 'the nil uuid',
    of: (_, end) => `${FORMS[end]}:00000000-0000-0000-0000-000000000000`,
    // A reader of uuids may take it for none.
    refused: [400, 404],
  },
  {
    kind: 'form',
    says: 'the account at the other end',
    of: (agent, end) => accountAt(agent, opposite(end)),
  },
  {
    kind: 'form',
    says: 'a bare uuid',
    of: (agent, end) => accountAt(agent, end).split(':')[1],
    question: 'malformed-account-id',
  },
];

const RULES = {
  foreign: { source: 'TRANSFER-SOURCE-FOREIGN', destination: 'TRANSFER-DESTINATION-FOREIGN' },
  unknown: { source: 'TRANSFER-SOURCE-UNKNOWN', destination: 'TRANSFER-DESTINATION-UNKNOWN' },
  form: { source: 'TRANSFER-SOURCE-FORM', destination: 'TRANSFER-DESTINATION-FORM' },
} as const;

const BREACHES: readonly Breach[] = [
  // A service that compares the owners of both ends alone finds nothing wrong where both are another's.
  ...[['source'] as const, ['destination'] as const, ENDS].flatMap((ends) =>
    FOREIGN.map(({ whose, ways, accounts }): Breach => ({
      rule: RULES.foreign[ends[0]],
      says: `with ${whose} as ${ends.join(' and ')}`,
      ...(ways ? { ways: ways[ends.length > 1 ? 'both' : ends[0]] } : {}),
      changes: async (agent, given) => {
        const ids = await accounts(agent, given);
        return Object.fromEntries(ends.map((end) => [end, { accountId: ids[end] }]));
      },
      refused: [400, 403, 404],
      question: 'foreign-account-answer',
    })),
  ),
  ...ENDS.flatMap((end) =>
    IDS.map(({ kind, says, of, ...more }): Breach => ({
      rule: RULES[kind][end],
      says: `with ${says} as ${end}`,
      changes: (agent) => ({ [end]: { accountId: of(agent, end) } }),
      ...(kind === 'form' ? { invalid: ANY_4XX } : {}),
      ...more,
    })),
  ),
  {
    rule: 'TRANSFER-RAIL-UNKNOWN',
    says: 'with a rail outside the list',
    ways: [PLAIN, ALWAYS_ASKED],
    changes: (agent) => by(agent, 'NO_SUCH_RAIL'),
  },
  {
    rule: 'TRANSFER-RAIL-UNSUPPORTED',
    says: 'with a rail that the destination does not support',
    ways: [BEFORE_APPROVAL, ALWAYS_ASKED],
    changes: (agent) => {
      const supported = agent.state.supportedRails ?? [];
      const other = RAILS.find((rail) => !supported.includes(rail));
      const known = supported.length > 0 && other;
      return by(
        agent,
        agent.need.offered(known, 'which rails the destination does not support is not known'),
      );
    },
    // An invalid parameter, or something that the policy of the account does not permit: every refusal is right.
    invalid: ANY_4XX,
    question: 'unsupported-rail-answer',
  },
  {
    rule: 'TRANSFER-PURPOSE-UNKNOWN',
    says: 'with a purpose outside the list',
    ways: [PLAIN, ALWAYS_ASKED],
    changes: () => ({ purposeOfPayment: 'NO_SUCH_PURPOSE' }),
  },
  {
    rule: 'TRANSFER-REMITTANCE-MAX',
    says: 'with a remittanceInformation one character too long',
    ways: [PLAIN, BEFORE_APPROVAL, ALWAYS_ASKED, FULL],
    changes: () => ({ remittanceInformation: 'x'.repeat(LONGEST_REMITTANCE + 1) }),
  },
  {
    rule: 'TRANSFER-PERMISSION-REQUIRED',
    says: 'by an agent that may only look',
    ways: [PLAIN, ALWAYS_ASKED],
    by: { permissions: READ_ONLY },
    refused: [403],
    question: 'permission-missing-code',
  },
  {
    rule: 'TRANSFER-PERMISSION-REQUIRED',
    says: 'by an agent with every permission but CREATE_TRANSFERS',
    by: { permissions: OTHERS },
    refused: [403],
  },
  {
    rule: 'TRANSFER-PERMISSION-REQUIRED',
    says: 'by an agent without permissions',
    ways: [FULL],
    by: { permissions: [] },
    refused: [403],
  },
  {
    rule: 'TRANSFER-SPENDING-LIMIT',
    says: 'over the spending limit of the policy',
    ways: [FULL],
    by: { perTransactionLimit: ORDINARY_AMOUNT - 1 },
    refused: [403],
  },
];

for (const { rule, says, ways = [PLAIN], by, changes, refused, invalid, question } of BREACHES)
  for (const way of ways)
    test(
      `a transfer-out ${way.says} is refused ${says}`,
      refused ? verifies(rule) : verifies(rule, 'TRANSFER-INVALID-STATUS'),
      async ({ given, need, check, observe }) => {
        const agent = await given.agent(way.policy);
        const right = await way.send(agent, {}, `a transfer-out ${way.says}`);
        way.alsoNeeds?.(agent, right);
        need(right).accepted();
        const sender = by ? await given.agent({ ...way.policy, ...by }) : agent;
        const fields = (await changes?.(agent, given)) ?? {};
        const wrong = await way.send(sender, fields, `the same ${says}`);
        if (refused) {
          await check(rule, () => expect(wrong).toBeRefused(...refused));
          const again = await way.send(sender, fields, `the same ${says}, once more`);
          await check(rule, () => expect(again).toBeRefused(...refused));
        } else await refusedAsInvalid(check, rule, [wrong], invalid);
        if (question) observe(question, wrong);
      },
    );

test(
  "a transfer-out that is refused for its foreign source takes nothing of the other customer's account",
  verifies('TRANSFER-SOURCE-FOREIGN'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    await agent.needTransfer();
    const other = await agentOfAnotherCustomer(agent, given);
    const account = await SourceAccount.of(other);
    await account.needMove();
    const before = await account.taken();
    const source = { accountId: other.state.sourceAccountId };
    const refused = await agent.transferOut({ source }, "a transfer-out from another customer's account");
    need(refused).refused();
    const after = await account.takenAfterwards();
    await check('TRANSFER-SOURCE-FOREIGN', () => expect(since(before, after)).toHaveTaken({ below: 1 }), [
      refused,
      after.answer,
    ]);
  },
);

test(
  'a remittanceInformation of the greatest length is taken beside rail, purpose and key',
  verifies('TRANSFER-REMITTANCE-ACCEPTED'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    need(await FULL.send(agent, {}, 'the same with a short text')).accepted();
    const remittanceInformation = 'x'.repeat(LONGEST_REMITTANCE);
    const longest = await FULL.send(agent, { remittanceInformation }, 'a transfer-out with the longest text');
    await check('TRANSFER-REMITTANCE-ACCEPTED', () => expect(longest).toBeAccepted());
  },
);

/** The rule that each single mistake breaks, by the field it is made in; mistakes that no rule speaks of stand not here. */
const MISTAKES: readonly (readonly [
  rule: string,
  of: (one: OneMistake) => boolean,
  more?: (agent: Agent) => readonly OneMistake[],
])[] = [
  ['TRANSFER-SOURCE-REQUIRED', isMissing('source')],
  ['TRANSFER-SOURCE-ACCOUNT-ID-REQUIRED', isMissing('source.accountId')],
  ['TRANSFER-DESTINATION-REQUIRED', isMissing('destination')],
  ['TRANSFER-DESTINATION-ACCOUNT-ID-REQUIRED', isMissing('destination.accountId')],
  [
    'TRANSFER-REFERENCE-TYPES',
    ({ field, mistake }) => /^(source|destination)(\.accountId)?$/.test(field) && mistake !== 'missing',
    // The right id without an object around it.
    (agent) =>
      ENDS.map((field) => ({
        field,
        mistake: 'wrong type',
        body: agent.transferOutBody({ [field]: accountAt(agent, field) }),
      })),
  ],
  ['TRANSFER-RAIL-UNKNOWN', ({ field }) => field === 'destination.paymentRail'],
  ['TRANSFER-AMOUNT-TEXT', ({ field }) => field === 'amount'],
  ['TRANSFER-REMITTANCE-TYPE', ({ field }) => field === 'remittanceInformation'],
  ['TRANSFER-PURPOSE-UNKNOWN', ({ field }) => field === 'purposeOfPayment'],
];

for (const [rule, of, more] of MISTAKES)
  test(
    `one mistake is enough to be refused: ${rule}`,
    verifies(rule, 'TRANSFER-INVALID-STATUS'),
    async ({ given, check }) => {
      const agent = await given.agent();
      await agent.needTransfer();
      const mistakes = [
        ...allMistakes('TransferOutRequest', agent.transferOutBody()).filter(of),
        ...(more?.(agent) ?? []),
      ];
      const answers = await inTurn(mistakes, ({ body, field, mistake }) =>
        agent.call('transferOut', { body, label: `${field}: ${mistake}` }),
      );
      await refusedAsInvalid(check, rule, answers);
    },
  );

/** The control: that agent may send what the first one must not. */
async function agentOfAnotherCustomer(agent: Agent, given: Given): Promise<Agent> {
  given.unshared('prepared agents may act for one customer');
  const other = await given.agent();
  await other.needTransfer({}, "a transfer-out between the other customer's own accounts");
  agent.need.offered(
    agent.state.customerId !== other.state.customerId,
    'the prepared agents act for one customer',
  );
  return other;
}

function isMissing(where: string): (one: OneMistake) => boolean {
  return ({ field, mistake }) => field === where && mistake === 'missing';
}

function by({ state }: Agent, paymentRail: unknown): Fields {
  return { destination: { accountId: state.destinationAccountId, paymentRail } };
}
