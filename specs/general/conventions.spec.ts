import { randomUUID } from 'node:crypto';
import { fieldNames } from '../../schemas/openapi.ts';
import { eventually, expect, test, verifies, type Answer, type Check, type Need } from '../../suite/index.ts';
import { failureReasonsIn, removedReasonsIn } from '../../suite/answers/removed-reasons.ts';

/** Paths that the resource areas suggest, and no operation names. */
const SUGGESTED = (
  'config customers transactions exchange-rates invitations discoveries tokens ' +
  'documents cards agents webhooks receiver bulk-uploads'
).split(' ');

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

test('how a version is selected, and what another date answers', async ({
  platform,
  recorder,
  profile,
  observe,
}) => {
  const usual = await platform.call('getEndUserTerms', { label: 'an operation of this version' });
  // A path of its own cannot leave the base address; a header is what other services take.
  const asked = await platform.call('getEndUserTerms', {
    label: 'the same with a version header',
    headers: { 'x-api-version': '2020-01-01', 'accept-version': '2020-01-01' },
  });
  const under = await recorder.call({
    operation: { method: 'GET', path: '/2020-01-01/customers/end-user-terms' },
    authorization: platform.authorization,
    label: 'another date further down the path',
  });
  observe(
    'version-selection',
    {
      segment: profile.baseUrl.split('/').at(-1),
      usual: usual.outcome,
      header: asked.outcome,
      'another date in the path': under.outcome,
    },
    usual,
    asked,
    under,
  );
});

test('whether answers show a deprecation', async ({ platform, observe }) => {
  const answer = await platform.call('getEndUserTerms', { label: 'any answer' });
  const signs = Object.keys(answer.exchange.response?.headers ?? {}).filter((name) =>
    /deprecat|sunset|warning|^link$/i.test(name),
  );
  observe('deprecation-policy', signs.length > 0 ? signs : 'no sign', answer);
});

test("how far the target's clock is from that of the run", async ({ platform, observe }) => {
  const answer = await platform.call('getEndUserTerms', { label: 'any answer' });
  const date = answer.exchange.response?.headers['date'];
  const seconds =
    date === undefined ? undefined : Math.round((Date.parse(date) - answer.exchange.at) / 1_000);
  observe(
    'clock-offset',
    seconds === undefined || Number.isNaN(seconds)
      ? 'no Date header'
      : Math.abs(seconds) <= 2
        ? 'at most 2 s'
        : `${seconds} s`,
    answer,
  );
});

test('in which form uuids are written', async ({ given, need, observe }) => {
  const agent = await given.agent();
  const answer = await agent.transferOut();
  need(answer).available();
  const uuids = [
    ...answer.text.matchAll(/:([0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})"/gi),
  ];
  const cases = new Set(
    uuids.map(([, uuid]) =>
      uuid === uuid?.toLowerCase() ? 'lower case' : uuid === uuid?.toUpperCase() ? 'upper case' : 'mixed',
    ),
  );
  observe(
    'uuid-form',
    { case: [...cases], version: [...new Set(uuids.map(([, , version]) => version))] },
    answer,
  );
  const known = new Set(fieldNames('AgentAction'));
  observe(
    'extra-response-fields',
    Object.keys((answer.body as object | undefined) ?? {}).filter((name) => !known.has(name)),
    answer,
  );
});

test('which further endpoints there are', async ({ platform, observe }) => {
  const found: Record<string, string> = {};
  const answers: Answer[] = [];
  for (const path of SUGGESTED.map((name) => `/${name}`)) {
    const answer = await platform.call({ method: 'GET', path }, { label: `whether ${path} can be read` });
    answers.push(answer);
    found[path] = answer.outcome;
  }
  const nothing = await platform.call(
    { method: 'GET', path: `/${randomUUID()}` },
    { label: 'a path that is surely none' },
  );
  observe('endpoint-list', { ...found, 'a path that is none': nothing.outcome }, ...answers, nothing);
});

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
