import {
  eventually,
  expect,
  isPromised,
  succeeded,
  test,
  verifies,
  type Agent,
  type Answer,
  type Given,
} from '../../suite/index.ts';
import type { DialectAssumption } from '../../target/dialect/keys.ts';
import { objectsWithin } from '../../suite/objects-within.ts';
import { agentName } from '../../target/providers/public-calls/agents.ts';
import { type Action, amountOfItsOwn, amountsIn, BELOW } from '../support/actions.ts';
import {
  MAY_SEND,
  MOST,
  addAgent,
  NOT_FOR_AGENTS,
  READ_ONLY,
  showsPermissions,
  updatePolicy,
  withGenerousLimits,
} from '../support/agents.ts';
import { SourceAccount } from '../support/source-account.ts';

/** The same policy without the permission to send. */
const MAY_NOT_SEND = { ...MAY_SEND, permissions: READ_ONLY } as const;

test(
  'the redeemed device code gives a token with which the agent is accepted',
  verifies('AGENT-DEVICE-CODE-REDEEM'),
  async ({ given, check, need }) => {
    const agent = await given.agent();
    // By public calls every agent is a redeemed one: then its token alone is judged.
    const hasControl = isPromised(agent.state);
    if (hasControl) await agent.needTransfer({}, 'a transfer-out of a prepared agent');
    const fresh = await addAgent(agent, MAY_SEND);
    const answer = await agent.transferOut(
      {},
      { label: 'a transfer-out with the redeemed token', authorization: fresh.authorization },
    );
    need.offered(
      hasControl || answer.accepted || answer.status === 401,
      'the transfer-out was refused for something else',
    );
    await check('AGENT-DEVICE-CODE-REDEEM', () => expect(answer).toBeAccepted(), {
      evidence: [fresh.redeemed],
      assumes: ['agentToken', 'bodies.createAgent'],
    });
  },
);

/** What the platform does with agents, for the control on one of them and for the attempt on another. */
const MANAGING: readonly {
  readonly says: string;
  readonly operation: string;
  readonly call: (agent: Agent) => object;
}[] = [
  {
    says: 'create an agent',
    operation: 'createAgent',
    call: ({ platform, state }) => ({
      body: platform.filled('createAgent', {
        name: agentName(),
        customerId: state.customerId,
        policy: withGenerousLimits(MAY_SEND, state.currency),
      }),
    }),
  },
  {
    says: "change an agent's policy",
    operation: 'updateAgentPolicy',
    call: ({ state }) => ({
      path: { agentId: state.agentId },
      body: withGenerousLimits(MAY_SEND, state.currency),
    }),
  },
  {
    says: 'pause an agent',
    operation: 'updateAgent',
    call: ({ state }) => ({ path: { agentId: state.agentId }, body: { isPaused: true } }),
  },
  {
    says: 'delete an agent',
    operation: 'deleteAgent',
    call: ({ state }) => ({ path: { agentId: state.agentId } }),
  },
];

/** After which the agent may act no more. */
const ENDS_AN_AGENT: readonly string[] = ['updateAgent', 'deleteAgent'];

for (const { says, operation, call } of MANAGING)
  for (const [who, authorizationOf] of [
    ['an agent', (agent: Agent) => agent.authorization],
    ['another platform', (_: Agent, given: Given) => given.otherPlatform()],
    ['somebody without credentials', () => undefined],
  ] as const)
    test(
      `${who} cannot ${says}`,
      verifies('AGENT-MANAGED-BY-PLATFORM'),
      async ({ given, need, check, platform }) => {
        const agent = await given.agent();
        const control = ENDS_AN_AGENT.includes(operation) ? await given.agent() : agent;
        const label = `the platform tries to ${says}`;
        need(await platform.call(operation, { ...call(control), label })).available();
        const attempt = await platform.call(operation, {
          ...call(agent),
          label: `${who} tries to ${says}`,
          authorization: await authorizationOf(agent, given),
        });
        await check('AGENT-MANAGED-BY-PLATFORM', () => expect(attempt).toBeRefused(...NOT_FOR_AGENTS));
      },
    );

test(
  'a transfer-out refused for its permission leaves no action and moves no money',
  verifies('TRANSFER-REFUSED-LEAVES-NOTHING'),
  async ({ given, need, check }) => {
    const amount = amountOfItsOwn(BELOW);
    const agent = await given.agent({ permissions: READ_ONLY });
    const permitted = await given.agent();
    const account = await SourceAccount.of(agent);
    const moving = await SourceAccount.of(permitted);
    need(await agent.transferOut({ amount }, 'a transfer-out without the permission')).refused();
    await permitted.needTransfer({ amount }, 'a transfer-out with the permission');

    const listed = async (one: Agent, label: string) => {
      const list = await one.call('listMyActions', { label });
      return { list, amounts: amountsIn(list) };
    };
    const control = await listed(permitted, "listing the permitted agent's actions");
    const own = await listed(agent, "listing the agent's actions");
    // Without the permission the list itself may be closed, and then shows nothing.
    if (control.amounts.includes(amount) && own.list.accepted)
      await check('TRANSFER-REFUSED-LEAVES-NOTHING', () => expect(own.amounts).not.toContain(amount), [
        own.list,
      ]);
    await moving.needMove();
    const taken = await account.takenAfterwards();
    await check(
      'TRANSFER-REFUSED-LEAVES-NOTHING',
      () => expect(taken).toHaveTaken({ atLeast: 0, below: amount }),
      [taken.answer],
    );
  },
);

test(
  'a request is judged by the policy of its own agent, not of another agent of the customer',
  verifies('AGENT-POLICY-OWN'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    const reader = await given.agent({ permissions: READ_ONLY });
    need(await reader.transferOut({}, 'a transfer-out without the permission')).refused();
    await agent.needTransfer({}, 'a transfer-out of the first agent');
    const sender = await addAgent(agent, MAY_SEND);
    const watcher = await addAgent(agent, MAY_NOT_SEND);

    const sent = await agent.transferOut(
      {},
      { label: 'the agent that may send', authorization: sender.authorization },
    );
    const refused = await agent.transferOut(
      {},
      { label: 'the agent of the same customer that may not send', authorization: watcher.authorization },
    );
    // Beyond its permissions a policy is not shown: this one may lack what another service wants in it.
    await check('AGENT-POLICY-OWN', () => expect(sent).toBeAccepted(), { assumes: ['bodies.createAgent'] });
    await check('AGENT-POLICY-OWN', () => expect(refused).toBeRefused());
  },
);

for (const [change, before, after] of [
  ['taken away is gone', MAY_SEND, MAY_NOT_SEND],
  ['given counts', MAY_NOT_SEND, MAY_SEND],
] as const)
  test(
    `a permission ${change} for later requests`,
    verifies('AGENT-POLICY-CURRENT'),
    async ({ given, need, check }) => {
      const agent = await given.agent(before === MAY_SEND ? {} : { permissions: READ_ONLY });
      // The controls: who may send is accepted here, and who may only read is refused.
      await (before === MAY_SEND ? agent : await given.agent()).needTransfer({}, 'with the permission');
      const reader = before === MAY_SEND ? await given.agent({ permissions: READ_ONLY }) : agent;
      const refused = await reader.transferOut({}, 'a transfer-out without the permission');
      need(refused).refused();
      const time = await changePolicy(agent, withGenerousLimits(after, agent.state.currency), (answer) =>
        showsPermissions(answer, after.permissions),
      );
      const gives = after === MAY_SEND;
      const later = await sendUntil(
        agent,
        (answer) => (gives ? succeeded(answer) : answer.exchange.response?.status === refused.status),
        `a transfer-out after the permission was ${gives ? 'given' : 'taken away'}`,
      );
      const isCurrent = await check(
        'AGENT-POLICY-CURRENT',
        () => (gives ? expect(later).toBeAccepted() : expect(later).toBeRefused(refused.status)),
        { assumes: gives ? ['bodies.updateAgentPolicy', ...time] : time },
      );
      if (!gives || !isCurrent) return;
      const timeAgain = await changePolicy(
        agent,
        withGenerousLimits(before, agent.state.currency),
        (answer) => showsPermissions(answer, before.permissions),
      );
      const last = await sendUntil(
        agent,
        (answer) => answer.exchange.response?.status === refused.status,
        'a transfer-out after the permission was taken away again',
      );
      await check('AGENT-POLICY-CURRENT', () => expect(last).toBeRefused(refused.status), {
        assumes: timeAgain,
      });
    },
  );

/** Policies that are stricter than the one before, in the form that known services take, and what shows that they count. */
const STRICTER = [
  {
    what: 'a limit of a single transfer',
    from: { perTransactionLimit: BELOW / 2 },
    field: 'perTransactionLimit',
    value: BELOW / 2,
    policy: (currency: string | undefined) => ({
      ...MAY_SEND,
      spendingLimits: { currency, perTransactionLimit: BELOW / 2, dailyLimit: MOST, monthlyLimit: MOST },
    }),
    counts: (answer: Answer) => answer.exchange.response?.status === 403,
    holds: (answer: Answer) => expect(answer).toBeRefused(403),
  },
  {
    what: 'that every action needs approval',
    from: { execution: 'APPROVAL_REQUIRED' },
    field: 'defaultExecutionMode',
    value: 'APPROVAL_REQUIRED',
    policy: (currency: string | undefined) =>
      withGenerousLimits({ ...MAY_SEND, defaultExecutionMode: 'APPROVAL_REQUIRED' }, currency),
    counts: (answer: Answer) =>
      succeeded(answer) && (answer.body as Action | undefined)?.status === 'PENDING_APPROVAL',
    holds: (answer: Answer) => expect(answer).toHaveStatus('PENDING_APPROVAL'),
  },
] as const;

for (const { what, from, field, value, policy, counts, holds } of STRICTER)
  test(
    `${what} that the policy of an agent gets counts for later requests`,
    verifies('AGENT-POLICY-CURRENT'),
    async ({ given, need, check }) => {
      const born = await (
        await given.agent(from)
      ).transferOut({ amount: BELOW }, 'a transfer-out of an agent that has had this policy from the first');
      need.that(counts(born), 'the policy does not count where it has been from the first');
      const agent = await given.agent();
      await agent.needTransfer({ amount: BELOW }, 'a transfer-out before the change');
      const time = await changePolicy(agent, policy(agent.state.currency), (answer) =>
        objectsWithin(answer.body as unknown).some((one) => one[field] === value),
      );
      const later = await sendUntil(agent, counts, 'a transfer-out after the change');
      await check('AGENT-POLICY-CURRENT', () => holds(later), {
        assumes: ['bodies.updateAgentPolicy', ...time],
      });
    },
  );

/**
 * Changes the policy; not verified where no answer shows that the new one was taken.
 *
 * @returns what a later request stands on: time alone, unless the agent itself reads that the new policy is its own
 */
async function changePolicy(
  agent: Agent,
  policy: object,
  shows: (answer: Answer) => boolean,
): Promise<readonly DialectAssumption[]> {
  const changed = await updatePolicy(agent, policy, "the platform changes the agent's policy");
  const isRead = shows(await agent.call('getMe', 'the agent reads its policy'));
  agent.need.offered(isRead || shows(changed), 'no answer shows that the changed policy was taken');
  return isRead ? [] : ['effectSeconds'];
}

/** Sends until a policy counts. Once the money is spent nothing more is learned: then it is the last one that was taken. */
async function sendUntil(agent: Agent, counts: (answer: Answer) => boolean, label: string): Promise<Answer> {
  let taken: Answer | undefined;
  const last = await eventually(
    async () => {
      // A service may take what is the same for a doubled request.
      const answer = await agent.transferOut({ amount: amountOfItsOwn(BELOW) }, label);
      if (succeeded(answer)) taken = answer;
      return answer;
    },
    counts,
    agent.patienceMs,
  );
  return counts(last) ? last : (taken ?? last);
}
