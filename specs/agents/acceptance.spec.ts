import { randomUUID } from 'node:crypto';
import {
  expect,
  ORDINARY_AMOUNT,
  test,
  verifies,
  type Agent,
  type Answer,
  type Need,
} from '../../suite/index.ts';
import { folded } from '../../suite/same-id.ts';
import { BELOW, objectsIn, type Action } from '../support/actions.ts';

/** Codes that speak of the amount alone. */
const OF_THE_AMOUNT = new Set(['AMOUNT_OUT_OF_RANGE', 'TRANSACTION_SIZE_LIMIT_EXCEEDED']);

test(
  "a transfer-out between two accounts of the agent's customer, within the policy, is accepted",
  verifies('TRANSFER-ACCEPTED', 'TRANSFER-SUCCESS-STATUS'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    // With a key and without one: whether the key may be left out is another rule's matter.
    const plain = await agent.transferOut({}, 'a plain transfer-out');
    const keyed = await agent.transferOut(
      {},
      { label: 'a transfer-out with a key', idempotencyKey: randomUUID() },
    );
    const seen = plain.exchange.response && plain.accepted ? plain : keyed;
    // The least and the greatest amount that a service takes are not shown.
    need.offered(
      !seen.exchange.response || seen.accepted || !OF_THE_AMOUNT.has(seen.code ?? ''),
      `the amount of ${ORDINARY_AMOUNT} is not one that this target takes (${seen.outcome})`,
    );
    await check('TRANSFER-ACCEPTED', () => expect(seen).toBeAccepted(), {
      assumes: ['agentToken'],
    });
  },
);

test(
  'a transfer-out that needs no approval is approved at once',
  verifies('TRANSFER-APPROVAL-AUTOMATIC'),
  async ({ given, check, observe }) => {
    const agent = await given.agent({ execution: 'AUTO' });
    const answer = await agent.mustTransfer({ amount: BELOW });
    await check('TRANSFER-APPROVAL-AUTOMATIC', () => expect(answer).toHaveStatus('APPROVED'));
    observe('approved-transaction-status', answer.body.transaction?.status ?? null, answer);
  },
);

test(
  'the action of a transfer-out has the type TRANSFER_OUT',
  verifies('ACTION-TYPE-TRANSFER-OUT'),
  async ({ given, check }) => {
    const agent = await given.agent();
    const answer = await agent.mustTransfer();
    await check('ACTION-TYPE-TRANSFER-OUT', () => expect(answer.body.type).toBe('TRANSFER_OUT'));
  },
);

test(
  'a transfer-in is an action of type TRANSFER_IN',
  verifies('ACTION-TYPE-TRANSFER-IN'),
  async ({ given, need, check }) => {
    const { action, answer } = await transferredIn(await given.agent(), need);
    await check('ACTION-TYPE-TRANSFER-IN', () => expect(action.type).toBe('TRANSFER_IN'), [answer]);
  },
);

test(
  'a transfer-in goes from the external to the internal account',
  verifies('TRANSFER-IN-DETAILS-DIRECTION'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    const { action, answer } = await transferredIn(agent, need);
    const { sourceAccountId, destinationAccountId } = agent.state;
    await check(
      'TRANSFER-IN-DETAILS-DIRECTION',
      () => {
        expect(folded(action.transferDetails?.['sourceAccountId'])).toBe(folded(destinationAccountId));
        expect(folded(action.transferDetails?.['destinationAccountId'])).toBe(folded(sourceAccountId));
      },
      [answer],
    );
  },
);

/** The interface shows no body of a transfer-in: where the mirrored one is not taken, the test is not verified. */
async function transferredIn(agent: Agent, need: Need): Promise<{ action: Action; answer: Answer }> {
  const answer = await agent.transferIn();
  need(answer).available();
  const action = objectsIn(answer).find(
    (one) => typeof one['type'] === 'string' && one['transferDetails'] !== undefined,
  );
  return {
    action: need.offered(action, 'no action could be recognised in the answer to a transfer-in'),
    answer,
  };
}
