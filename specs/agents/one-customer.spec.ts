import {
  eventually,
  expect,
  test,
  verifies,
  type Agent,
  type Answer,
  type Given,
  type Need,
} from '../../suite/index.ts';
import { idOf, objectsIn } from '../support/actions.ts';
import { folded, sameId } from '../../suite/same-id.ts';

const READS = [
  { operation: 'getMe', what: 'itself', own: (agent: Agent) => agent.state.agentId },
  {
    operation: 'listMyInternalAccounts',
    what: 'its internal accounts',
    own: (agent: Agent) => agent.state.sourceAccountId,
  },
  {
    operation: 'listMyExternalAccounts',
    what: 'its external accounts',
    own: (agent: Agent) => agent.state.destinationAccountId,
  },
] as const;

for (const { operation, what, own } of READS)
  test(
    `an agent reads ${what}, and nothing of another customer's agent`,
    verifies('AGENT-ONE-CUSTOMER'),
    async ({ given, need, check }) => {
      const [agent, other] = await agentsOfTwoCustomers(given, need);
      // The other one first: what an answer is kept for must not be forgotten.
      const before = await eventually(
        () => other.call(operation, `the other agent reads ${what}`),
        (seen) => !seen.accepted || idsIn(seen).some((id) => sameId(id, own(other))),
        other.patienceMs,
      );
      const read = await agent.call(operation, `the agent reads ${what}`);
      for (const one of [before, read]) need(one).available();
      need.offered(
        idsIn(before).some((id) => sameId(id, own(other))),
        'what is read could not be recognised',
      );
      await check(
        'AGENT-ONE-CUSTOMER',
        () => expect(idsIn(read).map(folded)).not.toContain(folded(own(other))),
        [read],
      );
    },
  );

test(
  "an agent lists no action of another customer's agent",
  verifies('AGENT-ONE-CUSTOMER'),
  async ({ given, need, check }) => {
    const [agent, other] = await agentsOfTwoCustomers(given, need);
    const mine = await agent.transferOut({}, 'the agent sends');
    const theirs = await other.transferOut({}, 'the other agent sends');
    need(mine).accepted();
    need(theirs).accepted();
    const id = idOf(agent, theirs);
    const before = await other.call('listMyActions', "listing the other agent's actions");
    need.offered(
      idsIn(before).some((one) => sameId(one, id)),
      "this target offers no list of an agent's actions",
    );
    const list = await agent.call('listMyActions', "listing the agent's actions");
    need(list).available();
    await check('AGENT-ONE-CUSTOMER', () => expect(idsIn(list).map(folded)).not.toContain(folded(id)), [
      list,
    ]);
  },
);

test(
  "an agent lists no transaction of another customer's agent",
  verifies('AGENT-ONE-CUSTOMER'),
  async ({ given, need, check }) => {
    const [agent, other] = await agentsOfTwoCustomers(given, need);
    const theirs = transactionOf(await other.transferOut({}, 'the other agent sends'), need);
    const before = await other.call('listMyTransactions', "listing the other agent's transactions");
    need.offered(
      idsIn(before).some((one) => sameId(one, theirs)),
      "this target offers no list of an agent's transactions",
    );
    const list = await agent.call('listMyTransactions', "listing the agent's transactions");
    need(list).available();
    await check('AGENT-ONE-CUSTOMER', () => expect(idsIn(list).map(folded)).not.toContain(folded(theirs)), [
      list,
    ]);
  },
);

test(
  "another customer's agent cannot read an action by its id",
  verifies('AGENT-ACTION-NOT-VISIBLE-TO-OTHERS'),
  async ({ given, need, check }) => {
    const [agent, other] = await agentsOfTwoCustomers(given, need);
    const answer = await agent.mustTransfer();
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
async function agentsOfTwoCustomers(given: Given, need: Need): Promise<readonly [Agent, Agent]> {
  const agent = await given.agent();
  const other = await given.agent();
  need.offered(
    agent.state.customerId !== other.state.customerId,
    'two agents of different customers are needed',
  );
  return [agent, other];
}

function idsIn(list: Answer): readonly unknown[] {
  return objectsIn(list).map((one) => one['id']);
}

/** The id of an executed action's transaction, whose fields are not shown. */
function transactionOf(answer: Answer, need: Need): string {
  need(answer).accepted();
  const id: unknown = (answer.body as { transaction?: { id?: unknown } | null }).transaction?.id;
  return need.offered(typeof id === 'string' ? id : undefined, 'the action shows no id of its transaction');
}
