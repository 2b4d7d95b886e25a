import { shapeRules } from '../../schemas/openapi.ts';
import {
  actionIn,
  eventually,
  expect,
  inTime,
  isExecuted,
  movesClock,
  quoteIn,
  succeeded,
  test,
  verifies,
  type Answer,
  type Check,
  type Given,
  type QuoteCustomer,
  type QuotingAgent,
  type SeenQuote,
} from '../../suite/index.ts';
import { folded, sameId } from '../../suite/same-id.ts';
import { readAction } from '../support/actions.ts';
import { expectSameTerms, isBarred, lifetimeOf, SAME_TERMS } from '../support/quotes.ts';
import { expectError } from '../support/refusals.ts';
import { inTurn } from '../support/replay.ts';
import { SourceAccount } from '../support/source-account.ts';
import { paidByAgent } from '../support/agents.ts';

/** Rules of actions that execute a quote; the shapes are held wherever an action comes up. */
const SHAPE = shapeRules('AgentAction').filter((id) =>
  ['ACTION-QUOTE', 'ACTION-QUOTE-FOR-EXECUTE', 'ACTION-NO-DETAILS-FOR-EXECUTE'].includes(id),
);
const EFFECT = ['ACTION-TYPE-EXECUTE-QUOTE', 'ACTION-QUOTE-IS-EXECUTED-ONE', 'ACTION-TRANSACTION-OF-QUOTE'];

/** A limit that every quote exceeds, in the smallest unit of the currency. */
const LEAST = 1;
/** A limit that a payment may be below, and every prepared quote exceeds. */
const LITTLE = 100;
/** Seconds after expiresAt at which the platform approves. Both times are the target's own. */
const AFTER_SECONDS = 5;
/** Statuses of a quote that nobody is going to execute. */
const OVER = new Set<unknown>(['EXPIRED', 'FAILED']);

for (const execution of ['AUTO', 'APPROVAL_REQUIRED'] as const)
  test(
    `the action of an agent that executes a quote (${execution}) carries the quote and no transferDetails`,
    verifies(...SHAPE, ...EFFECT, ...SAME_TERMS),
    async ({ given, check }) => {
      const agent = await given.agentWithQuotes({ execution });
      // The second action must not show what the first one did.
      for (const one of [await executedQuote(agent), await executedQuote(agent)])
        for (const answer of [one.executed, await agent.readAction(one.actionId)])
          await expectToExecute(check, one.quote, answer);
    },
  );

async function expectToExecute(
  check: Check,
  quote: SeenQuote & { readonly id: string },
  answer: Answer,
): Promise<void> {
  const action = actionIn(answer);
  if (!action) return;
  await check('ACTION-TYPE-EXECUTE-QUOTE', () => expect(action.type).toBe('EXECUTE_QUOTE'), [answer]);
  // That the quote is there at all is a rule of its own.
  const shown = action.quote;
  if (!shown) return;
  const isSame = () => expect(folded(shown.id)).toBe(folded(quote.id));
  if (!(await check('ACTION-QUOTE-IS-EXECUTED-ONE', isSame, [answer]))) return;
  await expectSameTerms(check, quote, { quote: shown, answer });
  // The fields of a transaction are not shown: it is known by an id of the documented form.
  const id = action.transaction?.id;
  if (typeof id !== 'string' || !id.startsWith('Transaction:')) return;
  const isOfQuote = () => expect(folded(id)).toBe(folded(shown.transactionId));
  await check('ACTION-TRANSACTION-OF-QUOTE', isOfQuote, [answer]);
}

for (const [says, policy] of [
  ['', {}],
  [' and the platform approves', { execution: 'APPROVAL_REQUIRED' }],
] as const)
  test(
    `a quote that an agent executes${says} takes its totalSendingAmount, and takes it once`,
    verifies('QUOTE-DEBIT-IS-TOTAL'),
    async ({ given, check, need }) => {
      const agent = await given.agentWithQuotes(policy);
      const account = await paidFrom(agent);
      const { quote, actionId, status: waits } = await executedQuote(agent);
      if (waits === 'PENDING_APPROVAL') need(await agent.approve(actionId)).available();
      const total = need.that(quote.totalSendingAmount, 'the quote tells no totalSendingAmount');
      const status = await agent.decidedStatus(actionId, quote.id);
      need.offered(status === 'COMPLETED', 'the action does not show that its quote was executed');
      const once = await account.untilTaken(total);
      // Money that came in late hides what has left.
      need.that(once.amount > 0, 'the balance shows no movement');
      await check('QUOTE-DEBIT-IS-TOTAL', () => expect(once).toHaveTaken({ exactly: total }), {
        evidence: [once.answer],
        assumes: once.amount < total ? ['effectSeconds'] : [],
      });
      const again = await agent.executeQuote(quote.id, 'the agent executes the quote once more');
      const twice = await account.takenAfterwards();
      await check('QUOTE-DEBIT-IS-TOTAL', () => expect(twice).toHaveTaken({ exactly: once.amount }), [
        again,
        twice.answer,
      ]);
    },
  );

for (const [first, second] of [
  ['its agent', 'the platform'],
  ['the platform', 'its agent'],
] as const)
  test(
    `a quote that ${first} has executed is not paid again when ${second} executes it`,
    verifies('QUOTE-DEBIT-IS-TOTAL'),
    async ({ given, check, need }) => {
      const agent = await given.agentWithQuotes();
      const account = await paidFrom(agent);
      const { id: quoteId, totalSendingAmount } = await agent.needQuote();
      const total = need.that(totalSendingAmount, 'the quote tells no totalSendingAmount');
      const executed = (by: typeof first) => {
        const label = `${by} executes the quote`;
        return by === 'its agent'
          ? agent.executeQuote(quoteId, label)
          : agent.platform.call('executeQuote', {
              label,
              path: { quoteId },
              ...agent.platform.bodyTold('executeQuote'),
            });
      };
      need(await executed(first)).available();
      const once = await account.untilTaken(total);
      need.that(once.amount === total, 'the first execution did not take the total');
      const again = await executed(second);
      const twice = await account.takenAfterwards();
      await check('QUOTE-DEBIT-IS-TOTAL', () => expect(twice).toHaveTaken({ exactly: total }), [
        again,
        twice.answer,
      ]);
    },
  );

test(
  'a quote whose execution an agent asks for twice, and the platform approves twice, is paid once',
  verifies('QUOTE-DEBIT-IS-TOTAL'),
  async ({ given, check, need }) => {
    const agent = await given.agentWithQuotes({ execution: 'APPROVAL_REQUIRED' });
    const account = await paidFrom(agent);
    const { quote, actionId, status } = await executedQuote(agent);
    const asked = await agent.executeQuote(quote.id, 'the agent asks for the execution once more');
    const second = actionIn(asked);
    const wait = status === 'PENDING_APPROVAL' && second?.status === status && !sameId(second.id, actionId);
    need.offered(wait, 'no two executions of one quote wait for approval');
    need(await agent.approve(actionId)).available();
    const once = await account.untilTaken(1);
    need.that(once.amount > 0, 'the balance shows no movement');
    await agent.approve(String(second?.id));
    const twice = await account.takenAfterwards();
    const isPaidOnce = () => expect(twice).toHaveTaken({ exactly: once.amount });
    await check('QUOTE-DEBIT-IS-TOTAL', isPaidOnce, [twice.answer]);
  },
);

test(
  "an agent's quote is not executed while the platform is asked, nor when it rejects",
  verifies('TRANSFER-PENDING-NOT-EXECUTED', 'ACTION-REJECT-NOT-EXECUTED'),
  async ({ given, check, need }) => {
    const approved = await waitingForApproval(given);
    const rejected = await waitingForApproval(given);
    const waiting = await rejected.statusNow();
    const decision = await rejected.reject();
    // The control, and a mark in time: by then, what must not come would have come as well.
    await approved.needExecuted();
    await rejected.needShow(waiting);
    // What else a quote may be whose execution waits is not shown.
    const isOpen = () => expect(waiting, 'status of the quote that waits').not.toBe('COMPLETED');
    await check('TRANSFER-PENDING-NOT-EXECUTED', isOpen, [rejected.answer]);
    need(decision).available();
    const after = await rejected.needShow(rejected.statusNow());
    const isUndone = () => expect(after, 'status of the rejected quote').not.toBe('COMPLETED');
    await check('ACTION-REJECT-NOT-EXECUTED', isUndone, [decision]);
  },
);

test(
  'an agent executes no quote that expired while the platform was asked',
  movesClock(
    verifies(
      'QUOTE-EXPIRED-NOT-EXECUTABLE',
      'ACTION-EXECUTION-FAILURE',
      'ACTION-EXECUTION-FAILURE-NOT-REJECTED',
    ),
  ),
  async ({ given, check, clock, need }) => {
    await (await waitingForApproval(given)).needExecuted();
    const late = await waitingForApproval(given);
    need.that((await late.statusNow()) !== 'COMPLETED', 'the quote was executed before anybody approved');
    await clock.advance(Math.ceil(lifetimeOf(late.quote, need)) + AFTER_SECONDS, late.customerId);
    const decision = await late.approve();
    const status = succeeded(decision) ? await late.needShow(late.status()) : undefined;
    await check(
      'QUOTE-EXPIRED-NOT-EXECUTABLE',
      () => (status === undefined ? expect(decision).toBeRefused() : expectUnexecuted(status)),
      [decision],
    );
    const seen = succeeded(decision) ? await late.action() : undefined;
    // A read may lag, so that one which still waits says nothing.
    const isNotRejected = () => expect(seen?.action.status, 'status of the action').not.toBe('REJECTED');
    if (seen) await check('ACTION-EXECUTION-FAILURE-NOT-REJECTED', isNotRejected, [decision, seen.answer]);
    need.offered(OVER.has(status), 'nothing shows that an execution failed');
    const failed = need.offered(
      await eventually(late.action, (now) => now?.action.status === 'FAILED', late.patienceMs),
      'this target offers no read of an action, so it cannot be seen to fail',
    );
    need.offered(failed.action.status !== 'PENDING_APPROVAL', 'the action is shown to wait still');
    const { quote } = failed.action as { readonly quote?: { readonly status?: unknown } };
    // What shows itself that its quote has failed has no more time.
    const isKnown = OVER.has(quote?.status);
    await check(
      'ACTION-EXECUTION-FAILURE',
      () => expect(failed.action.status, 'status of the action').toBe('FAILED'),
      isKnown ? [decision, failed.answer] : inTime(decision, failed.answer),
    );
  },
);

test(
  'the action of a quote that fails at its execution becomes FAILED',
  verifies('ACTION-EXECUTION-FAILURE', 'ACTION-EXECUTION-FAILURE-NOT-REJECTED'),
  async ({ given, check, need, platform }) => {
    const sound = await paidByAgent(given, (await given.customer()).state, 'a quote that will not fail');
    need.offered(isExecuted(sound.status), 'no quote of an agent was seen to be executed');
    const { state } = await given.customer({ executionFails: true });
    const { last, read } = await paidByAgent(given, state, 'a quote that will fail');
    need(last).available();
    const reads = need.offered(read, 'the answer to the execution shows no action');
    const seen = await eventually(reads, (one) => actionIn(one)?.status === 'FAILED', platform.patienceMs);
    const status = need.offered(actionIn(seen)?.status, 'this target offers no read of an action');
    const isFailed = status === 'FAILED' || OVER.has(quoteIn(seen)?.status);
    need.offered(isFailed, 'the execution was not seen to fail');
    need.offered(status !== 'PENDING_APPROVAL', 'the action is shown to wait still');
    const isNotRejected = () => expect(actionIn(seen)?.status).not.toBe('REJECTED');
    await check('ACTION-EXECUTION-FAILURE-NOT-REJECTED', isNotRejected, [last]);
    await check('ACTION-EXECUTION-FAILURE', () => expect(actionIn(seen)?.status).toBe('FAILED'), [last]);
  },
);

test(
  'an agent executes no quote after its expiresAt',
  movesClock(verifies('QUOTE-EXPIRED-NOT-EXECUTABLE')),
  async ({ given, check, clock, need }) => {
    await executedQuote(await given.agentWithQuotes());
    const agent = await given.agentWithQuotes();
    const quote = await agent.needQuote();
    await clock.advance(Math.ceil(lifetimeOf(quote, need)) + AFTER_SECONDS, agent.state.customerId);
    const last = await agent.executeQuote(quote.id, 'executing a quote after its expiresAt');
    await expectNotPaid(check, 'QUOTE-EXPIRED-NOT-EXECUTABLE', { agent, last, quoteId: quote.id });
  },
);

test(
  'an agent pays from and to no account of another customer by a quote',
  verifies('AGENT-QUOTE-SCOPED'),
  async ({ given, check, need, observe }) => {
    const agent = await given.agentWithQuotes();
    const { body } = agent.state;
    const own = await agent.createQuote({}, "the agent creates a quote from its customer's account");
    need(own).available();
    const { internalAccountId, externalAccountId } = await given.foreignAccounts();
    const source = body['source'] as Readonly<Record<string, unknown>> | undefined;
    need.offered(typeof source?.['accountId'] === 'string', 'the prepared quote is not paid from an account');
    const from = { source: { ...source, accountId: internalAccountId } };
    const to = { destination: { destinationType: 'ACCOUNT', accountId: externalAccountId } };
    const foreign = await inTurn(
      [
        [from, "from another customer's account"],
        [{ ...from, ...to }, "between another customer's accounts"],
      ] as const,
      ([changes, which]) => agent.createQuote(changes, `the agent creates a quote ${which}`),
    );
    observe('foreign-account-answer', foreign[0], ...foreign);
    await check('AGENT-QUOTE-SCOPED', () => {
      for (const answer of foreign) expect(answer).toBeRefused();
    });
    // To whom it is paid may be looked at when it is executed.
    const paid = await payment(agent, "a quote to another customer's external account", to);
    await expectNotPaid(check, 'AGENT-QUOTE-SCOPED', paid);
  },
);

test(
  'an agent pays no account to itself by a quote',
  verifies('QUOTE-SELF-PAYMENT'),
  async ({ given, check, need }) => {
    await executedQuote(await given.agentWithQuotes());
    const agent = await given.agentWithQuotes();
    const { source, destination } = agent.state.body as Readonly<Record<string, { accountId?: string }>>;
    const ends = [source?.accountId, destination?.accountId];
    need.offered(!ends.includes(undefined), 'the prepared quote is not paid from one account to another');
    const changes = { destination: { ...destination, accountId: source?.accountId } };
    const paid = await payment(agent, 'a quote of an account to itself', changes);
    await expectNotPaid(check, 'QUOTE-SELF-PAYMENT', paid);
  },
);

for (const [says, rule, code, right, wrong, status = 403] of [
  [
    'without acceptance of the end-user terms',
    'QUOTE-TERMS-NOT-ACCEPTED',
    'END_USER_TERMS_NOT_ACCEPTED',
    { termsAccepted: true },
    { termsAccepted: false },
  ],
  [
    'of a customer that is not ready',
    'ERROR-CUSTOMER-NOT-READY',
    'USER_NOT_READY',
    { ready: true },
    { ready: false },
  ],
  [
    'to a counterparty that is not enabled',
    'ERROR-COUNTERPARTY-NOT-ALLOWED',
    'COUNTERPARTY_NOT_ALLOWED',
    {},
    { counterpartyEnabled: false },
  ],
  [
    'to a destination that is not verified',
    'ACCOUNT-VERIFICATION-REQUIRED',
    'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
    { ownership: 'ACTIVE', limits: { ownershipThreshold: LITTLE } },
    { ownership: 'PENDING', limits: { ownershipThreshold: LITTLE } },
    400,
  ],
  [
    'above the maximum of a single transaction',
    'LIMIT-TRANSACTION-SIZE',
    'TRANSACTION_SIZE_LIMIT_EXCEEDED',
    {},
    { limits: { transactionSize: LITTLE } },
    400,
  ],
  ['beyond the daily volume', 'LIMIT-DAILY-VOLUME', undefined, {}, { limits: { dailyVolume: LITTLE } }, 429],
] as const)
  test(
    `a payment by a quote of an agent, ${says}, is refused as well`,
    verifies(rule),
    async ({ given, check, need }) => {
      const paid = ({ state }: QuoteCustomer, label: string) =>
        // A 429 is the answer of one of them.
        paidByAgent(given, state, label, { impatient: true });
      const allowed = await given.customer(right);
      need((await paid(allowed, 'a quote of an agent that nothing stands against')).last).available();
      const customer = await given.customer(wrong);
      const { last: refused, status: now } = await paid(customer, `a quote of an agent, ${says}`);
      // What was taken may fail afterwards, which no answer tells.
      if (succeeded(refused)) {
        need.offered(isExecuted(now), 'whether the payment was made is not known');
        need.offered(
          await isBarred(customer, code),
          `whether this customer is one that is ${says} is not known`,
        );
      }
      // The body of a 429 is not shown.
      if (code === undefined) await check(rule, () => expect(refused).toBeRefused(status));
      else await check(rule, () => expectError(refused, status, code));
    },
  );

test(
  'an agent executes no quote of another customer',
  verifies('AGENT-QUOTE-SCOPED'),
  async ({ given, check, need, observe }) => {
    const [owner, other] = [await given.agentWithQuotes(), await given.agentWithQuotes()];
    need.offered(owner.state.customerId !== other.state.customerId, 'agents of two customers are needed');
    await executedQuote(owner);
    const { id } = await owner.needQuote();
    const foreign = await other.executeQuote(id, "an agent executes another customer's quote");
    observe('foreign-account-answer', { 'a quote': foreign.outcome }, foreign);
    await check('AGENT-QUOTE-SCOPED', () => expect(foreign).toBeRefused());
  },
);

test(
  "an agent's quote over the spending limit of its policy is not executed",
  verifies('AGENT-QUOTE-SPENDING-LIMIT'),
  async ({ given, check, need, observe }) => {
    const free = await given.agentWithQuotes();
    await executedQuote(free);
    await free.needTransfer({}, 'a transfer-out without a limit');

    const agent = await given.agentWithQuotes({ perTransactionLimit: LEAST });
    const transfer = await agent.transferOut({}, 'the same with a limit');
    need.offered(transfer.refused && transfer.status === 403, 'the limit of the policy is not in force');
    const paid = await payment(agent, 'a quote over the limit');
    const { last, quoteId } = paid;
    observe('agent-quote-over-limit', quoteId === '' ? 'at its creation' : 'at its execution', last);
    await expectNotPaid(check, 'AGENT-QUOTE-SPENDING-LIMIT', paid);
  },
);

test(
  "an agent's quote that takes the day over the limit of its policy is not executed",
  verifies('AGENT-QUOTE-SPENDING-LIMIT'),
  async ({ given, check, need }) => {
    given.unshared('prepared agents are shared between tests, so what they have spent is not known');
    const free = await given.agentWithQuotes();
    const { quote } = await executedQuote(free);
    await executedQuote(free);
    const total = need.that(quote.totalSendingAmount, 'the quote tells no totalSendingAmount');
    const dailyLimit = Math.ceil(total * 1.5);
    const sender = await given.agentWithQuotes({ dailyLimit });
    await sender.needTransfer({ amount: total }, 'a transfer-out within the limit');
    // The same again may be taken for doubled.
    const over = await sender.transferOut(
      { amount: total + 1 },
      'a transfer-out that is too much for the day',
    );
    need.offered(over.refused && over.status === 403, 'the limit of the policy is not in force');
    const overspent = async () => {
      const agent = await given.agentWithQuotes({ dailyLimit });
      const { actionId, quote: first } = await executedQuote(agent);
      const within = await agent.decidedStatus(actionId, first.id);
      need.offered(
        isExecuted(within),
        'the action does not show that the quote within the limit was executed',
      );
      return payment(agent, 'a quote that is too much for the day');
    };
    let day = await overspent();
    // The day may have ended in between. It does not end twice in a row.
    if (day.last.accepted) day = await overspent();
    await expectNotPaid(check, 'AGENT-QUOTE-SPENDING-LIMIT', day);
  },
);

const NO_ACTION = 'no action could be recognised in the answer';

function expectUnexecuted(status: unknown): void {
  expect(isExecuted(status), `the quote, ${String(status)}, is executed`).toBe(false);
}

/** What an agent pays, or tries to. */
interface AgentPayment {
  readonly agent: QuotingAgent;
  /** The answer to the execution, or to the quote that was refused. */
  readonly last: Answer;
  /** Empty where the quote was refused. */
  readonly quoteId: string;
}

/** Asks for a quote and, where there is one, for its execution. */
async function payment(agent: QuotingAgent, what: string, changes: object = {}): Promise<AgentPayment> {
  const asked = await agent.createQuote(changes, what);
  const quoteId = quoteIn(asked)?.id;
  if (quoteId === undefined) return { agent, last: asked, quoteId: '' };
  return { agent, last: await agent.executeQuote(quoteId, `executing ${what}`), quoteId };
}

/** A refused execution is none. What was accepted may wait, or fail later. */
async function expectNotPaid(
  check: Check,
  rule: string,
  { agent, last, quoteId }: AgentPayment,
): Promise<void> {
  if (!last.accepted) {
    await check(rule, () => expect(last).toBeRefused());
    return;
  }
  const { id } = agent.need.offered(actionIn(last), NO_ACTION);
  const status = await agent.decidedStatus(id, quoteId);
  agent.need.offered(status, 'what became of the quote is not shown');
  await check(rule, () => expectUnexecuted(status), [last]);
}

/** The account that the agent's quotes are paid from, watched from now on. */
async function paidFrom(agent: QuotingAgent) {
  const source = agent.state.body['source'] as { readonly accountId?: unknown } | undefined;
  agent.need.offered(
    sameId(source?.accountId, agent.state.sourceAccountId),
    "the prepared quote is not paid from the agent's account",
  );
  return SourceAccount.of(agent);
}

/** A quote that the agent has created, and the answer to its execution. */
async function executedQuote(agent: QuotingAgent) {
  const quote = await agent.needQuote();
  const executed = await agent.executeQuote(quote.id);
  agent.need(executed).available();
  const { id, status } = agent.need.offered(actionIn(executed), NO_ACTION);
  return { quote, executed, actionId: id, status };
}

/** An agent's execution of a quote that the platform has to approve. */
async function waitingForApproval(given: Given) {
  const agent = await given.agentWithQuotes({ execution: 'APPROVAL_REQUIRED' });
  const { need, state } = agent;
  const { quote, executed, actionId, status: waits } = await executedQuote(agent);
  need.that(waits === 'PENDING_APPROVAL', 'the execution does not wait for approval');
  const approve = () => agent.approve(actionId);
  /** Of the quote, once it is decided, as the action shows it. */
  const status = () => agent.decidedStatus(actionId, quote.id);
  return {
    customerId: state.customerId,
    patienceMs: agent.patienceMs,
    quote,
    answer: executed,
    approve,
    reject: () => agent.reject(actionId),
    action: () => readAction(agent, actionId),
    status,
    statusNow: () => agent.statusNow(actionId, quote.id),
    needShow: async (seen: unknown) => need.offered(await seen, 'the action does not show its quote'),
    needExecuted: async () => {
      need(await approve()).available();
      need.offered(isExecuted(await status()), 'the action does not show that its quote was executed');
    },
  };
}
