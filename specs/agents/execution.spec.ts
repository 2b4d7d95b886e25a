import type { Check } from '../../suite/check.ts';
import {
  expect,
  ORDINARY_AMOUNT,
  test,
  verifies,
  type Agent,
  type Answer,
  type Need,
  type Platform,
  preparedBy,
} from '../../suite/index.ts';
import { folded } from '../../suite/same-id.ts';
import {
  actionsOf,
  amountOfItsOwn,
  mustApprove,
  BELOW,
  idOf,
  objectsIn,
  pending,
  readAction,
  readUntil,
  sightingOf,
  THRESHOLD,
  type Action,
  type Sighting,
} from '../support/actions.ts';
import { SourceAccount } from '../support/source-account.ts';

/** Statuses of a transaction that is not over. */
const UNDER_WAY = new Set<unknown>(['PENDING', 'PROCESSING', 'PENDING_AUTHORIZATION']);

test('one transfer-out is one action', verifies('TRANSFER-DEBITS-SOURCE'), async ({ given, need, check }) => {
  const agent = await given.agent();
  const amount = amountOfItsOwn(BELOW);
  const answer = await agent.mustTransfer({ amount }, 'a transfer-out without a key');
  const { list, ids, shows } = await actionsOf(agent, amount);
  need.offered(shows(answer), "this target offers no list of an agent's actions");
  await check('TRANSFER-DEBITS-SOURCE', () => expect(ids, 'actions of this amount').toHaveLength(1), [list]);
});

test(
  'an executed transfer-out takes its amount, in the smallest unit, from the source account',
  verifies('TRANSFER-DEBITS-SOURCE'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    const account = await SourceAccount.of(agent);
    const costOf = async (amount: number) => {
      const before = await account.taken();
      const answer = await agent.mustTransfer({ amount }, `a transfer-out of ${amount}`);
      const taken = await account.untilTaken(before.amount + amount);
      if (taken.amount < before.amount + amount) {
        // The interface names no time for an execution: only one that is over must have taken the amount.
        const seen = await readAction(agent, idOf(agent, answer));
        need.that(
          seen?.action.transaction?.['status'] === 'COMPLETED',
          'the amount did not leave in time, and nothing shows that the execution is over',
        );
      }
      return { amount: taken.amount - before.amount, evidence: [answer, taken.answer] };
    };
    const small = await costOf(BELOW);
    await check(
      'TRANSFER-DEBITS-SOURCE',
      () => {
        expect(small.amount).toBeGreaterThanOrEqual(BELOW);
        // No fixed fee is as large as that, but an amount that was taken for whole units is.
        expect(small.amount).toBeLessThan(10 * BELOW);
      },
      small.evidence,
    );
    const large = await costOf(2 * BELOW);
    const twice = 2 * 2 * BELOW;
    const after = await account.watch(small.amount + twice);
    // A fee may come on top, and nothing says how it goes with the amount: it may fall, or be waived. None is as large as this.
    await check(
      'TRANSFER-DEBITS-SOURCE',
      () => {
        expect(large.amount).toBeGreaterThanOrEqual(2 * BELOW);
        expect(after.amount - small.amount, 'what the larger one took').toBeLessThan(twice);
      },
      [...small.evidence, ...large.evidence, after.answer],
    );
  },
);

test(
  'an action that the policy approved becomes FAILED when its execution fails',
  verifies('ACTION-EXECUTION-FAILURE', 'ACTION-EXECUTION-FAILURE-NOT-REJECTED'),
  async ({ given, need, check, observe }) => {
    const agent = await given.agentThatCannotExecute();
    const answer = await agent.transferOut(
      { amount: agent.state.amount },
      'a transfer-out that cannot be executed',
    );
    observe('insufficient-funds', answer.body?.status ?? answer.outcome, answer);
    // Insufficient funds may be refused at once, as an invalid parameter.
    need(answer).available();
    need.that(
      answer.body?.status !== 'PENDING_APPROVAL',
      'the transfer-out that should run at once waits for approval',
    );
    const seen = await failed(agent, answer, need);
    await expectFailed(check, seen, answer);
    observe(
      'failed-execution-effects',
      seen.action.transaction ? 'with a transaction' : 'without a transaction',
      seen.answer,
    );
  },
);

test(
  'an action that the platform approved becomes FAILED, not REJECTED, when its execution fails',
  verifies('ACTION-EXECUTION-FAILURE', 'ACTION-EXECUTION-FAILURE-NOT-REJECTED'),
  async ({ given, need, check, platform }) => {
    await expectApprovalToWork(await given.agent({ approvalThreshold: THRESHOLD }), platform, need);
    const agent = await given.agentThatCannotExecute({ approvalThreshold: 1 });
    const pending = await agent.transferOut(
      { amount: agent.state.amount },
      'a transfer-out that waits and cannot be executed',
    );
    need(pending).available();
    const id = idOf(agent, pending);
    need.that(
      pending.body?.status === 'PENDING_APPROVAL',
      'the transfer-out that should wait for approval does not',
    );
    const decision = await agent.approve(id);
    // A service may see beforehand that the execution must fail, and refuse the approval.
    need(decision).available();

    const seen = await failed(agent, decision, need, id);
    await expectFailed(check, seen, decision);
  },
);

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

/** FAILED and nothing else: REJECTED is the platform's word, and nothing waits for approval twice. */
async function expectFailed(check: Check, { action }: Sighting, evidence: Answer): Promise<void> {
  const neverBack = () => expect(action.status).not.toBeOneOf(['REJECTED', 'PENDING_APPROVAL']);
  const kept = await check('ACTION-EXECUTION-FAILURE-NOT-REJECTED', neverBack, [evidence]);
  if (kept)
    await check('ACTION-EXECUTION-FAILURE', () => expect(action.status).toBe('FAILED'), {
      evidence: [evidence],
      assumes: ['effectSeconds'],
    });
}

/** The control: here an approval takes effect, and the execution of what can be executed begins. */
async function expectApprovalToWork(agent: Agent, platform: Platform, need: Need): Promise<void> {
  const { id } = await pending(agent);
  const decided = await mustApprove(agent, id);
  const begun = ({ action }: Sighting) => Boolean(action.transaction);
  const seen = begun(decided) ? decided : await readUntil(agent, id, begun);
  need.that(seen === undefined || begun(seen), 'no execution begins after an approval');
}

/** The action once it has failed, or the last sight of it, where the state promises that the execution fails. */
async function failed(agent: Agent, answer: Answer, need: Need, id = idOf(agent, answer)): Promise<Sighting> {
  const answered = sightingOf(answer, id);
  const read =
    answered?.action.status === 'FAILED'
      ? answered
      : await readUntil(agent, id, ({ action }) => action.status === 'FAILED');
  const seen = need.offered(read, 'this target offers no read of an action, so it cannot be seen to fail');
  need.that(
    seen.action.status !== 'APPROVED' || !UNDER_WAY.has(seen.action.transaction?.['status']),
    'the execution is still under way',
  );
  // Prepared by public calls, the failure is a guess: an account may be overdrawn.
  const promised =
    preparedBy(agent.state) !== 'public-calls' || seen.action.transaction?.['status'] === 'FAILED';
  need.offered(promised || seen.action.status !== 'APPROVED', 'nothing shows that the execution failed');
  return seen;
}

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
