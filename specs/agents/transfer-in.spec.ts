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
import { objectsIn, type Action } from '../support/actions.ts';

test(
  'a transfer-in is an action of type TRANSFER_IN',
  verifies('ACTION-TYPE-TRANSFER-IN'),
  async ({ given, need, check }) => {
    const { action, answer } = await transferIn(await given.agent(), need);
    await check('ACTION-TYPE-TRANSFER-IN', () => expect(action.type).toBe('TRANSFER_IN'), [answer]);
  },
);

test(
  'a transfer-in goes from the external to the internal account',
  verifies('TRANSFER-IN-DETAILS-DIRECTION'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    const { action, answer } = await transferIn(agent, need);
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
async function transferIn(agent: Agent, need: Need): Promise<{ action: Action; answer: Answer }> {
  const answer = await agent.call('transferIn', {
    label: 'a transfer-in',
    body: {
      source: { accountId: agent.state.destinationAccountId },
      destination: { accountId: agent.state.sourceAccountId },
      amount: ORDINARY_AMOUNT,
    },
  });
  need(answer).available();
  const action = objectsIn(answer).find(
    (one) => typeof one['type'] === 'string' && one['transferDetails'] !== undefined,
  );
  return {
    action: need.offered(action, 'no action could be recognised in the answer to a transfer-in'),
    answer,
  };
}
