import {
  eventually,
  expect,
  test,
  verifies,
  type Agent,
  type Answer,
  type Given,
} from '../../suite/index.ts';
import { folded, sameId } from '../../suite/same-id.ts';
import { idOf, objectsIn, transactionOf } from '../support/actions.ts';

/** What an agent reads, and the id in it that is its own. */
const READS: readonly {
  readonly operation: string;
  readonly what: string;
  readonly own: (agent: Agent) => unknown;
}[] = [
  { operation: 'getMe', what: 'itself', own: ({ state }) => state.agentId },
  {
    operation: 'listMyInternalAccounts',
    what: 'its internal accounts',
    own: ({ state }) => state.sourceAccountId,
  },
  {
    operation: 'listMyExternalAccounts',
    what: 'its external accounts',
    own: ({ state }) => state.destinationAccountId,
  },
  {
    operation: 'listMyActions',
    what: 'its actions',
    own: async (agent) => idOf(agent, await agent.needTransfer()),
  },
  { operation: 'listMyTransactions', what: 'its transactions', own: transactionOf },
];

for (const { operation, what, own } of READS)
  test(
    `an agent reads ${what}, and nothing of another customer's agent`,
    verifies('AGENT-ONE-CUSTOMER'),
    async ({ given, need, check }) => {
      const [agent, other] = await agentsOfTwoCustomers(given);
      const theirs = await own(other);
      // The other one first: what an answer is kept for must not be forgotten.
      const before = await eventually(
        () => other.call(operation, `the other agent reads ${what}`),
        (seen) => !seen.accepted || idsIn(seen).some((id) => sameId(id, theirs)),
        other.patienceMs,
      );
      const read = await agent.call(operation, `the agent reads ${what}`);
      for (const one of [before, read]) need(one).available();
      need.offered(
        idsIn(before).some((id) => sameId(id, theirs)),
        'what is read could not be recognised',
      );
      await check('AGENT-ONE-CUSTOMER', () => expect(idsIn(read).map(folded)).not.toContain(folded(theirs)), [
        read,
      ]);
    },
  );

test(
  "another customer's agent cannot read an action by its id",
  verifies('AGENT-ACTION-NOT-VISIBLE-TO-OTHERS'),
  async ({ given, need, check }) => {
    const [agent, other] = await agentsOfTwoCustomers(given);
    const answer = await agent.needTransfer();
    const id = idOf(agent, answer);
    need(await agent.readAction(id, 'the agent reads its own action')).available();
    const foreign = await other.readAction(id, 'the other agent reads that action');
    // The operation is not shown, and so is the status of what it does not find.
    await check('AGENT-ACTION-NOT-VISIBLE-TO-OTHERS', () => expect(foreign).toBeRefused());
  },
);

for (const [side, ...changed] of [
  ['to', 'destination'],
  ['from', 'source'],
  // A service that compares the owners of both ends alone finds nothing wrong here.
  ['from and to', 'source', 'destination'],
] as const)
  test(
    `an agent transfers nothing in ${side} another customer's account`,
    verifies('TRANSFER-IN-SCOPED'),
    async ({ given, need, check, observe }) => {
      const agent = await given.agent();
      const foreign = await given.foreignAccounts();
      need(await agent.transferIn({}, 'a transfer-in between own accounts')).available();
      const ids = { source: foreign.externalAccountId, destination: foreign.internalAccountId };
      const changes = Object.fromEntries(changed.map((end) => [end, { accountId: ids[end] }]));
      const label = `a transfer-in ${side} an account of another customer`;
      const wrong = await agent.transferIn(changes, { label });
      observe('foreign-account-answer', wrong);
      await check('TRANSFER-IN-SCOPED', () => expect(wrong).toBeRefused());
    },
  );

/** Agents of two customers. */
async function agentsOfTwoCustomers(given: Given): Promise<readonly [Agent, Agent]> {
  const agent = await given.agent();
  const other = await given.agent();
  agent.need.offered(
    agent.state.customerId !== other.state.customerId,
    'two agents of different customers are needed',
  );
  return [agent, other];
}

function idsIn(list: Answer): readonly unknown[] {
  return objectsIn(list).map((one) => one['id']);
}
