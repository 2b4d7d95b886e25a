import { shapeRules } from '../../schemas/openapi.ts';
import {
  eventually,
  expect,
  movesClock,
  test,
  verifies,
  type Answer,
  type Given,
  type Need,
  type Platform,
  type SeenQuote,
} from '../../suite/index.ts';
import { folded, sameId } from '../../suite/same-id.ts';
import { lifetimeOf } from '../support/quotes.ts';

/** Rules of actions that execute a quote; the shapes are held wherever an action comes up. */
const SHAPE = shapeRules('AgentAction').filter((id) =>
  ['ACTION-QUOTE', 'ACTION-QUOTE-FOR-EXECUTE', 'ACTION-NO-DETAILS-FOR-EXECUTE'].includes(id),
);
const EFFECT = ['ACTION-TYPE-EXECUTE-QUOTE', 'ACTION-QUOTE-IS-EXECUTED-ONE', 'ACTION-TRANSACTION-OF-QUOTE'];

/** What a quote is that is executed, or on its way there when all patience is used up. */
const EXECUTED = new Set<unknown>(['PROCESSING', 'COMPLETED']);
/** What becomes of it is not decided yet. */
const UNDECIDED = new Set<unknown>(['PENDING', 'PROCESSING']);
/** A limit that every quote exceeds, in the smallest unit of the currency. */
const LEAST = 1;
/** Seconds after expiresAt at which the platform approves. Both times are the target's own. */
const AFTER_SECONDS = 5;

for (const execution of ['AUTO', 'APPROVAL_REQUIRED'] as const)
  test(
    `the action of an agent that executes a quote (${execution}) carries the quote and no transferDetails`,
    verifies(...SHAPE, ...EFFECT),
    async ({ given, check, need, platform }) => {
      const agent = await given.agentWithQuotes({ execution });
      const created = await agent.call('createAgentQuote', {
        label: 'the agent creates a quote',
        body: platform.filled('createAgentQuote', agent.state.body),
      });
      need(created).available();
      const quoteId = need.offered(idOf(created, 'Quote'), 'no quote could be recognised in the answer');
      const executed = await agent.call('executeAgentQuote', {
        label: 'the agent executes the quote',
        path: { quoteId },
      });
      need(executed).available();
      const actionId = need.offered(
        idOf(executed, 'AgentAction'),
        'no action could be recognised in the answer',
      );
      const read = await agent.readAction(actionId);
      for (const answer of [executed, read]) {
        const action = actionIn(answer);
        if (!action) continue;
        await check('ACTION-TYPE-EXECUTE-QUOTE', () => expect(action.type).toBe('EXECUTE_QUOTE'), [answer]);
        // That the quote is there at all is a rule of its own.
        if (!action.quote) continue;
        await check(
          'ACTION-QUOTE-IS-EXECUTED-ONE',
          () => expect(folded(action.quote?.id)).toBe(folded(quoteId)),
          [answer],
        );
        // The fields of a transaction are not shown: it is known by an id of the documented form.
        const id = action.transaction?.id;
        if (typeof id === 'string' && id.startsWith('Transaction:'))
          await check(
            'ACTION-TRANSACTION-OF-QUOTE',
            () => expect(folded(id)).toBe(folded(action.quote?.transactionId)),
            [answer],
          );
      }
    },
  );

test(
  "an agent's quote is not executed while the platform is asked, nor when it rejects",
  verifies('TRANSFER-PENDING-NOT-EXECUTED', 'ACTION-REJECT-NOT-EXECUTED'),
  async ({ given, check, need, platform }) => {
    const approved = await waitingForApproval(
      await given.agentWithQuotes({ execution: 'APPROVAL_REQUIRED' }),
      need,
    );
    const rejected = await waitingForApproval(
      await given.agentWithQuotes({ execution: 'APPROVAL_REQUIRED' }),
      need,
    );
    const waiting = await rejected.statusNow();
    const decision = await rejected.rejectedBy(platform);
    // The control, and a mark in time: by then, what must not come would have come as well.
    need(await approved.approvedBy(platform)).available();
    need.offered(
      EXECUTED.has(await approved.status()),
      'the action does not show that its quote was executed',
    );
    need.offered(waiting, 'the action does not show its quote');
    // What else a quote may be whose execution waits is not shown.
    await check(
      'TRANSFER-PENDING-NOT-EXECUTED',
      () => expect(waiting, 'status of the quote that waits').not.toBe('COMPLETED'),
      [rejected.answer],
    );
    need(decision).available();
    const after = need.offered(await rejected.statusNow(), 'the action does not show its quote');
    await check(
      'ACTION-REJECT-NOT-EXECUTED',
      () => expect(after, 'status of the rejected quote').not.toBe('COMPLETED'),
      [decision],
    );
  },
);

test(
  'an agent executes no quote that expired while the platform was asked',
  movesClock(verifies('QUOTE-EXPIRED-NOT-EXECUTABLE')),
  async ({ given, check, clock, need, platform }) => {
    const inTime = await waitingForApproval(
      await given.agentWithQuotes({ execution: 'APPROVAL_REQUIRED' }),
      need,
    );
    need(await inTime.approvedBy(platform)).available();
    need.offered(EXECUTED.has(await inTime.status()), 'the action does not show that its quote was executed');

    const agent = await given.agentWithQuotes({ execution: 'APPROVAL_REQUIRED' });
    const late = await waitingForApproval(agent, need);
    need.that((await late.statusNow()) !== 'COMPLETED', 'the quote was executed before anybody approved');
    await clock.advance(Math.ceil(lifetimeOf(late.quote, need)) + AFTER_SECONDS, agent.state.customerId);
    const decision = await late.approvedBy(platform);
    if (decision.exchange.response && decision.accepted) {
      const status = need.offered(await late.status(), 'the action does not show what became of its quote');
      await check(
        'QUOTE-EXPIRED-NOT-EXECUTABLE',
        () => expect([...EXECUTED], 'what an executed quote is').not.toContain(status),
        [decision],
      );
    } else await check('QUOTE-EXPIRED-NOT-EXECUTABLE', () => expect(decision).toBeRefused());
  },
);

test(
  'an agent pays from and to no account of another customer by a quote',
  verifies('AGENT-QUOTE-SCOPED'),
  async ({ given, check, need, observe }) => {
    const agent = await given.agentWithQuotes();
    const { body } = agent.state;
    const create = (label: string, changes: object = {}) =>
      agent.call('createAgentQuote', { label, body: { ...body, ...changes } });
    const own = await create("the agent creates a quote from its customer's account");
    need(own).available();
    const { internalAccountId, externalAccountId } = await given.foreignAccounts();
    const source = body['source'] as Readonly<Record<string, unknown>> | undefined;
    need.offered(typeof source?.['accountId'] === 'string', 'the prepared quote is not paid from an account');
    const from = { source: { ...source, accountId: internalAccountId } };
    const to = { destination: { destinationType: 'ACCOUNT', accountId: externalAccountId } };
    const foreign = [
      await create("the agent creates a quote from another customer's account", from),
      await create("the agent creates a quote between another customer's accounts", { ...from, ...to }),
      await create("the agent creates a quote to another customer's external account", to),
    ];
    observe('foreign-account-answer', foreign[0], ...foreign);
    await check('AGENT-QUOTE-SCOPED', () => {
      for (const answer of foreign) expect(answer).toBeRefused();
    });
  },
);

test(
  'an agent executes no quote of another customer',
  verifies('AGENT-QUOTE-SCOPED'),
  async ({ given, check, need, observe }) => {
    const [owner, other] = [await given.agentWithQuotes(), await given.agentWithQuotes()];
    need.offered(owner.state.customerId !== other.state.customerId, 'agents of two customers are needed');
    const own = await created(owner, need);
    need(await execute(owner, own, 'the agent executes its own quote')).available();
    const foreign = await execute(
      other,
      await created(owner, need),
      "an agent executes another customer's quote",
    );
    observe('foreign-account-answer', { 'a quote': foreign.outcome }, foreign);
    await check('AGENT-QUOTE-SCOPED', () => expect(foreign).toBeRefused());
  },
);

test(
  "an agent's quote over the spending limit of its policy is not executed",
  verifies('AGENT-QUOTE-SPENDING-LIMIT'),
  async ({ given, check, need, observe }) => {
    const free = await given.agentWithQuotes();
    const control = await execute(
      free,
      await created(free, need),
      'the agent executes a quote without a limit',
    );
    need(control).available();
    need(await free.transferOut({}, { label: 'a transfer-out without a limit' })).accepted();

    const agent = await given.agentWithQuotes({ perTransactionLimit: LEAST });
    const transfer = await agent.transferOut({}, { label: 'the same with a limit' });
    need.offered(transfer.refused && transfer.status === 403, 'the limit of the policy is not in force');
    const asked = await agent.call('createAgentQuote', {
      label: 'a quote over the limit',
      body: agent.state.body,
    });
    const quoteId = idOf(asked, 'Quote');
    const last =
      quoteId === undefined ? asked : await execute(agent, quoteId, 'executing a quote over the limit');
    observe('agent-quote-over-limit', quoteId === undefined ? 'at its creation' : 'at its execution', last);
    if (!last.accepted) {
      await check('AGENT-QUOTE-SPENDING-LIMIT', () => expect(last).toBeRefused());
      return;
    }
    // What was accepted may wait, or fail later.
    const action = need.offered(idOf(last, 'AgentAction'), 'no action could be recognised in the answer');
    const status = need.offered(
      await quoteStatus(agent, action, quoteId ?? ''),
      'what became of the quote is not shown',
    );
    await check(
      'AGENT-QUOTE-SPENDING-LIMIT',
      () => expect([...EXECUTED], 'what an executed quote is').not.toContain(status),
      [last],
    );
  },
);

type QuotingAgent = Awaited<ReturnType<Given['agentWithQuotes']>>;

/** The id of a quote that the agent has created. */
async function created(agent: QuotingAgent, need: Need): Promise<string> {
  const answer = await agent.call('createAgentQuote', {
    label: 'the agent creates a quote',
    body: agent.state.body,
  });
  need(answer).available();
  return need.offered(idOf(answer, 'Quote'), 'no quote could be recognised in the answer');
}

function execute(agent: QuotingAgent, quoteId: string, label: string): Promise<Answer> {
  return agent.call('executeAgentQuote', { label, path: { quoteId } });
}

/** Of the quote that an action executes; undefined where the action does not show it. */
async function statusNow(agent: QuotingAgent, actionId: string, quoteId: string): Promise<unknown> {
  const quote = actionIn(await agent.readAction(actionId))?.quote;
  return sameId(quote?.id, quoteId) ? quote?.status : undefined;
}

/** The same, once it is decided. */
function quoteStatus(agent: QuotingAgent, actionId: string, quoteId: string): Promise<unknown> {
  return eventually(
    () => statusNow(agent, actionId, quoteId),
    (status) => !UNDECIDED.has(status),
    agent.patienceMs,
  );
}

/** An agent's execution of a quote that the platform has to approve. */
async function waitingForApproval(agent: QuotingAgent, need: Need) {
  const { agentId, body } = agent.state;
  const created = await agent.call('createAgentQuote', { label: 'the agent creates a quote', body });
  need(created).available();
  const quoteId = need.offered(idOf(created, 'Quote'), 'no quote could be recognised in the answer');
  const quote = partsOf(created).find(({ id }) => id === quoteId) as SeenQuote;
  const label = 'the agent executes the quote, which waits for approval';
  const executed = await agent.call('executeAgentQuote', { label, path: { quoteId } });
  need(executed).available();
  const actionId = need.offered(idOf(executed, 'AgentAction'), 'no action could be recognised in the answer');
  need.that(actionIn(executed)?.status === 'PENDING_APPROVAL', 'the execution does not wait for approval');
  return {
    quote,
    answer: executed,
    approvedBy: (platform: Platform) => platform.approve(agentId, actionId),
    rejectedBy: (platform: Platform) => platform.reject(agentId, actionId),
    statusNow: () => statusNow(agent, actionId, quoteId),
    /** Of the quote, once it is decided, as the action shows it. */
    status: () => quoteStatus(agent, actionId, quoteId),
  };
}

interface Action {
  readonly status?: unknown;
  readonly id?: unknown;
  readonly type?: unknown;
  readonly quote?: { readonly id?: unknown; readonly transactionId?: unknown; readonly status?: unknown };
  readonly transaction?: { readonly id?: unknown } | null;
}

function actionIn(answer: Answer): Action | undefined {
  return partsOf(answer).find((one) => String(one['id']).startsWith('AgentAction:')) as Action | undefined;
}

function idOf(answer: Answer, type: string): string | undefined {
  const found = partsOf(answer).find(({ id }) => typeof id === 'string' && id.startsWith(`${type}:`));
  return found?.['id'] as string | undefined;
}

/** An accepted answer of unknown shape: itself and its properties. */
function partsOf(answer: Answer): readonly Readonly<Record<string, unknown>>[] {
  if (!answer.exchange.response || !answer.accepted) return [];
  const body: unknown = answer.body;
  return isObject(body) ? [body, ...Object.values(body).filter(isObject)] : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
