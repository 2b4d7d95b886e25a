import { ruleOf } from '../../schemas/rules.ts';
import { shapeRules } from '../../schemas/openapi.ts';
import { test, verifies } from '../../suite/index.ts';
import { idOf, pending, readAction, readUntil, THRESHOLD } from '../support/actions.ts';

/**
 * Every answer is held against its object wherever it comes up; these tests see to it that the object of an action
 * comes up in each of its states. They prove nothing by themselves, so they hold no check.
 */
const SHAPE = shapeRules('TransferOutAction').filter(
  (id) => /^(ACTION|TRANSFER)-/.test(id) && ruleOf(id).area === 'agents',
);
const ofTransfers = SHAPE.filter((id) => !/EXECUTE|ACTION-QUOTE$/.test(id));
const inState = (...ids: string[]) =>
  verifies(...ofTransfers.filter((id) => !PER_STATE.has(id) || ids.includes(id)));
const PER_STATE = new Set([
  'ACTION-NO-TRANSACTION-WHILE-PENDING',
  'ACTION-NO-TRANSACTION-WHEN-REJECTED',
  'ACTION-REJECTION-REASON',
  'ACTION-REJECTION-REASON-ONLY-REJECTED',
  'ACTION-TRANSACTION',
  'ACTION-TRANSACTION-TYPE',
  'TRANSFER-APPROVED-HAS-TRANSACTION',
]);

test(
  'the action of a transfer-out that runs at once',
  inState(
    'ACTION-REJECTION-REASON-ONLY-REJECTED',
    'ACTION-TRANSACTION',
    'ACTION-TRANSACTION-TYPE',
    'TRANSFER-APPROVED-HAS-TRANSACTION',
  ),
  async ({ given }) => {
    const agent = await given.agent();
    const answer = await agent.mustTransfer({}, 'a transfer-out that runs at once');
    await readAction(agent, idOf(agent, answer));
  },
);

test(
  'the action of a transfer-out that waits for approval',
  inState('ACTION-NO-TRANSACTION-WHILE-PENDING', 'ACTION-REJECTION-REASON-ONLY-REJECTED'),
  async ({ given }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const { id } = await pending(agent);
    await readAction(agent, id);
  },
);

test(
  'an action that the platform approved',
  inState('ACTION-REJECTION-REASON-ONLY-REJECTED', 'ACTION-TRANSACTION', 'ACTION-TRANSACTION-TYPE'),
  async ({ given, need }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const { id } = await pending(agent);
    need(await agent.approve(id)).accepted();
    await readUntil(agent, id, ({ action }) => Boolean(action.transaction));
  },
);

test(
  'an action that the platform rejected',
  inState('ACTION-NO-TRANSACTION-WHEN-REJECTED', 'ACTION-REJECTION-REASON'),
  async ({ given, need }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const { id } = await pending(agent);
    need(
      await agent.reject(id, {
        body: { reason: 'The recipient is not known to us.' },
      }),
    ).available();
    await readAction(agent, id);
  },
);

test(
  'an action whose execution failed',
  inState('ACTION-REJECTION-REASON-ONLY-REJECTED'),
  async ({ given, need }) => {
    const agent = await given.agentThatCannotExecute();
    const answer = await agent.transferOut(
      { amount: agent.state.amount },
      'a transfer-out that cannot be executed',
    );
    need(answer).available();
    await readUntil(agent, idOf(agent, answer), ({ action }) => action.status === 'FAILED');
  },
);
