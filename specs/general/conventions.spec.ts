import { eventually, expect, test, verifies, type Answer, type Check, type Need } from '../../suite/index.ts';
import { failureReasonsIn, removedReasonsIn } from '../../suite/answers/removed-reasons.ts';

const REMOVED_REASONS = 'TRANSACTION-REMOVED-REASONS';

test(
  'records are named by type and uuid, and amounts are whole numbers, where no field is shown too',
  verifies('GENERAL-ID-FORM', 'GENERAL-AMOUNT-INTEGER'),
  async ({ given, need }) => {
    // Every answer is held to the conventions as it comes in: the test only has to bring some about.
    const agent = await given.agent();
    await agent.mustTransfer();
    const accounts = await agent.call('listMyInternalAccounts', "accounts of the agent's customer");
    need(accounts).available();
    await agent.call('listMyTransactions', "transactions of the agent's customer");
  },
);

test('timestamps are given in UTC', verifies('GENERAL-TIMESTAMP-UTC'), async ({ given, need }) => {
  const agent = await given.agent();
  // Every documented timestamp is held against UTC as its answer comes in: the test only has to bring one about.
  await agent.mustTransfer();
  const customer = await given.customer();
  const quote = await customer.create();
  need(quote).accepted();
});

test('successes and refusals are JSON', verifies('GENERAL-RESPONSES-JSON'), async ({ given }) => {
  const agent = await given.agent();
  // Every answer is held against JSON and its shape as it comes in: the test only has to bring both kinds about.
  await agent.mustTransfer();
  await agent.transferOut({ source: undefined }, 'a refused transfer-out');
  await agent.call('transferOut', { raw: '{', label: 'a body that is not JSON' });
});

// Every answer of a run is held against the removed reasons as it comes in: these tests bring failures about.
test(
  'a quote that fails to execute does not give a removed reason',
  verifies(REMOVED_REASONS),
  async ({ given, need, check, observe, platform }) => {
    const customer = await given.customer({ executionFails: true });
    const { quote } = await customer.mustCreate();
    const executed = await customer.execute(quote.id, 'executing a quote that fails');
    const failed = await customer.until(quote.id, ({ status }) => status === 'FAILED');
    need.offered(failed?.quote.status === 'FAILED', 'the quote was not seen to fail');
    const transaction = await platform.call('getTransaction', {
      label: 'reading the failed transaction',
      path: { transactionId: String(quote.transactionId) },
    });
    const list = await platform.call(
      { method: 'GET', path: '/transactions' },
      { label: "reading the customer's transactions", query: { customerId: customer.state.customerId } },
    );
    const answers = [executed, ...(failed ? [failed.answer] : []), transaction, list];
    await noneRemoved(check, need, answers);
    observe('failure-reasons-seen', reasonsIn(answers), ...answers);
  },
);

test(
  'an action that fails to execute does not give a removed reason',
  verifies(REMOVED_REASONS),
  async ({ given, need, check, observe }) => {
    const agent = await given.agentThatCannotExecute();
    const answer = await agent.transferOut(
      { amount: agent.state.amount },
      'a transfer-out that cannot be executed',
    );
    need(answer).available();
    const id = need.offered(answer.body?.id, 'the action came without an id');
    const read = await eventually(
      () => agent.readAction(id),
      (seen) => !seen.exchange.response || !seen.accepted || seen.body?.status === 'FAILED',
      agent.patienceMs,
    );
    const list = await agent.call('listMyTransactions', "the agent reads its customer's transactions");
    const answers = [answer, read, list];
    await noneRemoved(check, need, answers);
    observe('failure-reasons-seen', reasonsIn(answers), ...answers);
  },
);

async function noneRemoved(check: Check, need: Need, answers: readonly Answer[]): Promise<void> {
  need.offered(reasonsIn(answers).length > 0, 'no failure reason of the transaction could be recognised');
  const removed = shownBodies(answers).flatMap((body) => removedReasonsIn(body).breaches);
  await check(
    REMOVED_REASONS,
    () =>
      expect(
        removed.map(({ message }) => message),
        'removed failure reasons',
      ).toEqual([]),
    answers.filter(({ exchange }) => exchange.response),
  );
}

function reasonsIn(answers: readonly Answer[]): readonly string[] {
  const reasons = shownBodies(answers).flatMap((body) => failureReasonsIn(body));
  return [...new Set(reasons.map(({ value }) => value))];
}

function shownBodies(answers: readonly Answer[]): readonly unknown[] {
  return answers.flatMap((answer) => (answer.exchange.response && answer.accepted ? [answer.body] : []));
}
