import { randomUUID } from 'node:crypto';
import { expect, ORDINARY_AMOUNT, test, verifies, type Agent, type Given } from '../../suite/index.ts';
import { amountOfItsOwn, needApprove, needReject, pending, TO_NOBODY } from '../support/actions.ts';
import { replay } from '../support/replay.ts';

/** Threshold and limit of the policies of this file, in the smallest unit; both amounts are some of their own. */
const MOST = 40_000;
const below = () => amountOfItsOwn(MOST / 4);
const above = () => amountOfItsOwn(2 * MOST);

/** What an agent may have done before, and what the platform made of it. Ends the test where the target offers no such thing. */
type Earlier = readonly [what: string, happens: (agent: Agent) => Promise<unknown>];

const OF_ANY_AGENT: readonly Earlier[] = [
  ['a transfer-out of an invalid amount', (agent) => refused(agent, { amount: -1 })],
  ['a transfer-out to an account that nobody has', (agent) => refused(agent, TO_NOBODY)],
  [
    'a transfer-out that came again with its key',
    async (agent) => {
      const key = randomUUID();
      for (const label of ['a transfer-out with a key', 'the same again'])
        agent.need(await replay(agent, ORDINARY_AMOUNT, key, label)).available();
    },
  ],
  ['a transfer-in', async (agent) => agent.need(await agent.transferIn()).available()],
];

const OF_AGENTS_THAT_WAIT: readonly Earlier[] = [
  [
    'an approval, and another of the same action',
    async (agent) => {
      const { id } = await pending(agent, above());
      await needApprove(agent, id);
      await agent.approve(id, 'the platform approves once more');
    },
  ],
  ['a rejection', async (agent) => needReject(agent, (await pending(agent, above())).id)],
];

for (const [what, happens] of [...OF_ANY_AGENT, ...OF_AGENTS_THAT_WAIT])
  test(
    `after ${what} an agent's transfer-outs wait above the threshold of its policy, and not below`,
    verifies('TRANSFER-APPROVAL-PENDING', 'TRANSFER-APPROVAL-AUTOMATIC', 'TRANSFER-ACCEPTED'),
    async ({ given, need, check }) => {
      const agent = await given.agent({ approvalThreshold: MOST });
      await happens(agent);
      const small = await agent.transferOut(
        { amount: below() },
        `a transfer-out below the threshold, after ${what}`,
      );
      if (small.refused) await needTake(given);
      if (!(await check('TRANSFER-ACCEPTED', () => expect(small).toBeAccepted()))) return;
      await check('TRANSFER-APPROVAL-AUTOMATIC', () => expect(small).toHaveStatus('APPROVED'));
      const large = await agent.transferOut(
        { amount: above() },
        `a transfer-out above the threshold, after ${what}`,
      );
      need.offered(!large.refused, 'this target takes no such transfer-out from this agent');
      await check('TRANSFER-APPROVAL-PENDING', () => expect(large).toHaveStatus('PENDING_APPROVAL'));
    },
  );

for (const [what, happens] of OF_ANY_AGENT)
  test(
    `after ${what} a transfer-out over the limit of a single one is refused`,
    verifies('TRANSFER-SPENDING-LIMIT'),
    async ({ given, check }) => {
      const agent = await given.agent({ perTransactionLimit: MOST });
      await happens(agent);
      const over = await agent.transferOut(
        { amount: above() },
        `a transfer-out over the limit, after ${what}`,
      );
      await check('TRANSFER-SPENDING-LIMIT', () => expect(over).toBeRefused());
    },
  );

async function refused(agent: Agent, changes: Parameters<Agent['transferOut']>[0]): Promise<void> {
  const answer = await agent.transferOut(changes, 'a transfer-out that is not possible');
  agent.need.offered(answer.refused, 'such a transfer-out is not refused here');
}

/** The control of one that is refused: another agent sends as much in as many transfer-outs. */
async function needTake(given: Given): Promise<void> {
  const other = await given.agent();
  for (const amount of [above(), below()])
    await other.needTransfer({ amount }, 'a transfer-out of another agent');
}
