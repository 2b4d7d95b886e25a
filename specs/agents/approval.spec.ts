import { eventually, expect, test, verifies, type Agent } from '../../suite/index.ts';
import { NOT_FOR_AGENTS } from '../support/agents.ts';
import {
  ABOVE,
  afterDecision,
  mustApprove,
  BELOW,
  idOf,
  pending,
  readAction,
  readUntil,
  mustReject,
  sightingOf,
  THRESHOLD,
} from '../support/actions.ts';
import { SourceAccount } from '../support/source-account.ts';

test(
  "the platform's approval moves a pending action to APPROVED",
  verifies('ACTION-APPROVE-APPROVES'),
  async ({ given, need, check, observe }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const { id } = await pending(agent);
    const decision = await agent.approve(id);
    observe('approve-answer', decision);
    observe(
      'transaction-in-approval-answer',
      sightingOf(decision, id)?.action.transaction ? 'yes' : 'no',
      decision,
    );

    const seen = need.offered(
      await afterDecision(agent, decision, id, 'APPROVED'),
      'neither the answer to the approval nor a read shows the action',
    );
    await check('ACTION-APPROVE-APPROVES', () => expect(seen.action.status).toBe('APPROVED'), [decision]);

    const nobody = 'AgentAction:00000000-0000-4000-8000-000000000000';
    observe('approve-unknown-action', await agent.approve(nobody, 'the platform approves an unknown action'));
  },
);

test(
  'after the approval the execution begins by itself, and the action carries its transaction',
  verifies('ACTION-APPROVE-BEGINS-EXECUTION'),
  async ({ given, need, check }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const { id } = await pending(agent);
    const decided = await mustApprove(agent, id);
    const seen = need.offered(
      decided.action.transaction
        ? decided
        : await readUntil(agent, id, ({ action }) => Boolean(action.transaction)),
      'this target shows no action after its approval',
    );
    // The text names no time for it.
    await check(
      'ACTION-APPROVE-BEGINS-EXECUTION',
      () => expect(seen.action.transaction ?? null).not.toBeNull(),
      { assumes: ['effectSeconds'] },
    );
  },
);

test(
  'an approved action takes its amount once, also when it is approved again',
  verifies('ACTION-APPROVE-MONEY-ONCE'),
  async ({ given, need, check, observe }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const account = await SourceAccount.of(agent);
    const plain = await account.mustMove(BELOW);

    const { id } = await pending(agent, ABOVE);
    const before = await account.taken();
    await mustApprove(agent, id);
    need.that(
      (await account.untilTaken(plain + ABOVE)).amount >= plain + ABOVE,
      'the approved amount did not leave in time',
    );
    observe('approve-twice', await agent.approve(id, 'the platform approves the action again'));

    // Measured by what an executed transfer-out costs here, fees included, from before the approval on.
    const single = (plain / BELOW) * ABOVE;
    const forbidden = before.amount + single + ABOVE / 2;
    const after = await account.watch(forbidden);
    await check('ACTION-APPROVE-MONEY-ONCE', () => expect(after.amount).toBeLessThan(forbidden), [
      after.answer,
    ]);
  },
);

test(
  'reads show the action pending before the approval and approved after it',
  verifies('ACTION-READ-STATUS'),
  async ({ given, need, check }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const { id } = await pending(agent);
    const before = need.offered(await readAction(agent, id), 'this target offers no read of an action');
    await check('ACTION-READ-STATUS', () => expect(before.action.status).toBe('PENDING_APPROVAL'));

    await mustApprove(agent, id);
    const after = need.offered(
      await readUntil(agent, id, ({ action }) => action.status === 'APPROVED'),
      'this target offers no read of an approved action',
    );
    await check('ACTION-READ-STATUS', () => expect(after.action.status).toBe('APPROVED'));
  },
);

/** How an action leaves PENDING_APPROVAL, or never is in it, and what it may be from then on. */
const DECIDED: readonly {
  readonly says: string;
  readonly statuses: readonly string[];
  readonly idOfOne: (agent: Agent) => Promise<string>;
}[] = [
  {
    says: 'that the platform approved',
    statuses: ['APPROVED', 'FAILED'],
    idOfOne: async (agent) => {
      const { id } = await pending(agent);
      await mustApprove(agent, id);
      return id;
    },
  },
  {
    says: 'that the platform rejected',
    statuses: ['REJECTED'],
    idOfOne: async (agent) => {
      const { id } = await pending(agent);
      await mustReject(agent, id);
      return id;
    },
  },
  {
    says: 'that ran at once',
    statuses: ['APPROVED', 'FAILED'],
    idOfOne: async (agent) => {
      const answer = await agent.mustTransfer({ amount: BELOW }, 'a transfer-out that runs at once');
      agent.need.that(answer.body?.status === 'APPROVED', 'the transfer-out did not run at once');
      return idOf(agent, answer);
    },
  },
];

for (const { says, statuses, idOfOne } of DECIDED)
  test(
    `the list shows an action ${says} as ${statuses[0]}`,
    verifies('ACTION-READ-STATUS'),
    async ({ given, need, check }) => {
      const agent = await given.agent({ approvalThreshold: THRESHOLD });
      const id = await idOfOne(agent);
      const listed = await eventually(
        async () => sightingOf(await agent.call('listMyActions', "listing the agent's actions"), id),
        (seen) => seen?.action.status === undefined || statuses.includes(String(seen.action.status)),
        agent.patienceMs,
      );
      // The interface shows no list: one may leave actions out, or their status.
      const status = need.offered(listed?.action.status, 'no list of actions shows the status of this one');
      await check('ACTION-READ-STATUS', () => expect(statuses).toContain(status), [listed!.answer]);
    },
  );

test(
  'an agent cannot approve, not even its own action',
  verifies('ACTION-APPROVE-NEEDS-PLATFORM'),
  async ({ given, need, check, observe }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const other = await pending(agent);
    need(await agent.approve(other.id)).accepted();

    const { id } = await pending(agent);
    const attempt = await agent.approve(id, {
      authorization: agent.authorization,
      label: 'the agent tries to approve its own action',
    });
    observe('approve-by-agent', attempt);
    const refused = await check('ACTION-APPROVE-NEEDS-PLATFORM', () =>
      expect(attempt).toBeRefused(...NOT_FOR_AGENTS),
    );
    const seen = await readAction(agent, id);
    if (refused && seen)
      await check('ACTION-APPROVE-NEEDS-PLATFORM', () => expect(seen.action.status).toBe('PENDING_APPROVAL'));
  },
);
