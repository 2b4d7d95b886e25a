import { randomUUID } from 'node:crypto';
import { fieldNames } from '../../schemas/openapi.ts';
import {
  eventually,
  expect,
  succeeded,
  test,
  verifies,
  type Answer,
  type Given,
  type Platform,
} from '../../suite/index.ts';
import { executedByAgent, executedByPlatform } from '../support/quotes.ts';
import { failureReasonsIn, removedReasonsIn } from '../../suite/answers/removed-reasons.ts';

/** Paths that the resource areas suggest, and no operation names. */
const SUGGESTED = (
  'config customers transactions exchange-rates invitations discoveries tokens ' +
  'documents cards agents webhooks receiver bulk-uploads'
).split(' ');

test(
  'records are named by type and uuid, amounts are whole numbers, times are in UTC, and all is JSON',
  verifies('GENERAL-ID-FORM', 'GENERAL-AMOUNT-INTEGER', 'GENERAL-TIMESTAMP-UTC', 'GENERAL-RESPONSES-JSON'),
  async ({ given }) => {
    // Every answer is held to the conventions as it comes in: the test only has to bring some about.
    const agent = await given.agent();
    await agent.needTransfer();
    await agent.transferOut({ source: undefined }, 'a refused transfer-out');
    await agent.call('transferOut', { raw: '{', label: 'a body that is not JSON' });
    await agent.call('listMyInternalAccounts', "accounts of the agent's customer");
    await agent.call('listMyTransactions', "transactions of the agent's customer");
  },
);

type Bring = (given: Given, platform: Platform) => Promise<readonly Answer[]>;

/** Executions that fail, as every answer shows them. Every answer of a run is held against the removed reasons as it comes in. */
const FAILURES: readonly (readonly [what: string, bring: Bring])[] = [
  ['a quote', failedQuote(executedByPlatform)],
  ['a quote of an agent', failedQuote(executedByAgent)],
  [
    'an action',
    async (given) => {
      const agent = await given.agentThatCannotExecute();
      const label = 'a transfer-out that cannot be executed';
      const answer = await agent.transferOut({ amount: agent.state.amount }, label);
      agent.need(answer).available();
      const id = agent.need.offered(answer.body?.id, 'the action came without an id');
      const read = await eventually(
        () => agent.readAction(id),
        (seen) => !succeeded(seen) || seen.body?.status === 'FAILED',
        agent.patienceMs,
      );
      const list = await agent.call('listMyTransactions', "the agent reads its customer's transactions");
      return [answer, read, list];
    },
  ],
];

function failedQuote(execute: typeof executedByPlatform): Bring {
  return async (given, platform) => {
    const customer = await given.customer({ executionFails: true });
    const { quote, executed } = await execute(customer, {}, 'executing a quote that fails', given);
    const seen = await customer.until(quote.id, ({ status }) => status === 'FAILED');
    const failed = seen?.quote.status === 'FAILED' && seen.answer;
    const shows = customer.need.offered(failed, 'the quote was not seen to fail');
    const transaction = await platform.call('getTransaction', {
      label: 'reading the failed transaction',
      path: { transactionId: String(quote.transactionId) },
    });
    const list = await platform.call(
      { method: 'GET', path: '/transactions' },
      { label: "reading the customer's transactions", query: { customerId: customer.state.customerId } },
    );
    return [executed, shows, transaction, list];
  };
}

for (const [what, bring] of FAILURES)
  test(
    `${what} that fails to execute does not give a removed reason`,
    verifies('TRANSACTION-REMOVED-REASONS'),
    async ({ given, need, check, observe, platform }) => {
      const answers = await bring(given, platform);
      const bodies = answers.filter(succeeded).map(({ body }) => body as unknown);
      const reasons = [...new Set(bodies.flatMap(failureReasonsIn).map(({ value }) => value))];
      need.offered(reasons.length > 0, 'no failure reason of the transaction could be recognised');
      const removed = bodies.flatMap((body) => removedReasonsIn(body).breaches.map(({ message }) => message));
      await check(
        'TRANSACTION-REMOVED-REASONS',
        () => expect(removed, 'removed failure reasons').toEqual([]),
        answers.filter(({ exchange }) => exchange.response),
      );
      observe('failure-reasons-seen', reasons, ...answers);
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

test("whether answers show a deprecation, and how far the target's clock is from that of the run", async ({
  platform,
  observe,
}) => {
  const answer = await platform.call('getEndUserTerms', { label: 'any answer' });
  const headers = answer.exchange.response?.headers ?? {};
  const signs = Object.keys(headers).filter((name) => /deprecat|sunset|warning|^link$/i.test(name));
  observe('deprecation-policy', signs.length > 0 ? signs : 'no sign', answer);
  const seconds = Math.round((Date.parse(headers['date'] ?? '') - answer.exchange.at) / 1_000);
  const offset = Math.abs(seconds) <= 2 ? 'at most 2 s' : `${seconds} s`;
  observe('clock-offset', Number.isNaN(seconds) ? 'no Date header' : offset, answer);
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
