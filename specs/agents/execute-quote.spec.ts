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
  "an agent's execution of a quote is an action of type EXECUTE_QUOTE",
  verifies('ACTION-TYPE-EXECUTE-QUOTE'),
  async ({ given, need, check }) => {
    const { action, answer } = await executeQuote(await given.agent(), need);
    await check('ACTION-TYPE-EXECUTE-QUOTE', () => expect(action.type).toBe('EXECUTE_QUOTE'), [answer]);
  },
);

test(
  'the quote in the action is the quote that was executed',
  verifies('ACTION-QUOTE-IS-EXECUTED-ONE'),
  async ({ given, need, check }) => {
    const { action, answer, quoteId } = await executeQuote(await given.agent(), need);
    await check(
      'ACTION-QUOTE-IS-EXECUTED-ONE',
      () => expect(folded(action.quote?.id)).toBe(folded(quoteId)),
      [answer],
    );
  },
);

type QuoteAction = Action & { readonly quote?: { readonly id?: unknown } };

/** The interface shows neither operation: where the usual ones are not offered, the test is not verified. */
async function executeQuote(
  agent: Agent,
  need: Need,
): Promise<{ action: QuoteAction; answer: Answer; quoteId: string }> {
  const { sourceAccountId, destinationAccountId } = agent.state;
  const quoted = await agent.call('createAgentQuote', {
    label: 'the agent creates a quote',
    body: {
      source: { sourceType: 'ACCOUNT', accountId: sourceAccountId },
      destination: { destinationType: 'ACCOUNT', accountId: destinationAccountId },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: ORDINARY_AMOUNT,
    },
  });
  need(quoted).available();
  const id: unknown = objectsIn(quoted).find(
    (one) => typeof one['id'] === 'string' && one['id'].startsWith('Quote:'),
  )?.['id'];
  const quoteId = need.offered(
    typeof id === 'string' ? id : undefined,
    'no quote could be recognised in the answer',
  );
  const answer = await agent.call('executeAgentQuote', {
    label: 'the agent executes the quote',
    path: { quoteId },
  });
  need(answer).available();
  const action = objectsIn(answer).find(
    (one) => typeof one['type'] === 'string' && one['agentId'] !== undefined,
  );
  return { action: need.offered(action, 'no action could be recognised in the answer'), answer, quoteId };
}
