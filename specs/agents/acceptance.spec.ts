import { randomUUID } from 'node:crypto';
import {
  expect,
  inTime,
  ORDINARY_AMOUNT,
  isPromised,
  test,
  verifies,
  type Agent,
  type Answer,
  type Check,
  since,
} from '../../suite/index.ts';
import { failureReasonsIn } from '../../suite/answers/removed-reasons.ts';
import {
  actionsOf,
  afterLateDecision,
  amountOfItsOwn,
  BELOW,
  hasBegun,
  idOf,
  isOver,
  needApprove,
  pending,
  readAction,
  readUntil,
  shapeOfAction,
  sightingOf,
  THRESHOLD,
  type Sighting,
  transferOutInFull,
} from '../support/actions.ts';
import { isOfTheAmount } from '../support/refusals.ts';
import { SourceAccount } from '../support/source-account.ts';

/** Statuses of a transaction that is not over. */
const UNDER_WAY = new Set<unknown>(['PENDING', 'PROCESSING', 'PENDING_AUTHORIZATION']);

test(
  "a transfer-out between two accounts of the agent's customer, within the policy, is accepted",
  verifies('TRANSFER-ACCEPTED', 'TRANSFER-SUCCESS-STATUS', ...shapeOfAction('runs at once')),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    // With a key and without one: whether the key may be left out is another rule's matter.
    const plain = await agent.transferOut({}, 'a plain transfer-out');
    const keyed = await agent.transferOut(
      {},
      { label: 'a transfer-out with a key', idempotencyKey: randomUUID() },
    );
    const seen = plain.exchange.response && plain.accepted ? plain : keyed;
    need.offered(
      !isOfTheAmount(seen),
      `the amount of ${ORDINARY_AMOUNT} is not one that this target takes (${seen.outcome})`,
    );
    const isUnknown = seen.exchange.response?.status === 401 && !isPromised(agent.state);
    need.offered(!isUnknown, 'the token that the agent was given is not taken');
    await check('TRANSFER-ACCEPTED', () => expect(seen).toBeAccepted(), {
      assumes: ['agentToken'],
    });
  },
);

test('one transfer-out is one action', verifies('TRANSFER-DEBITS-SOURCE'), async ({ given, need, check }) => {
  const agent = await given.agent();
  const amount = amountOfItsOwn(BELOW);
  const answer = await agent.needTransfer({ amount }, 'a transfer-out without a key');
  const { list, ids, shows } = await actionsOf(agent, amount);
  need.offered(shows(answer), "this target offers no list of an agent's actions");
  await check('TRANSFER-DEBITS-SOURCE', () => expect(ids, 'actions of this amount').toHaveLength(1), [list]);
});

test(
  'an executed transfer-out takes its amount, in the smallest unit, from the source account',
  verifies('TRANSFER-DEBITS-SOURCE'),
  async ({ given, check }) => {
    const agent = await given.agent();
    const account = await SourceAccount.of(agent);
    const small = await costOf(agent, account, BELOW);
    const isTaken = await check(
      'TRANSFER-DEBITS-SOURCE',
      // No fixed fee is as large as that, but an amount that was taken for whole units is.
      () => expect(small).toHaveTaken({ atLeast: BELOW, below: 10 * BELOW }),
      small.evidence,
    );
    if (!isTaken) return;
    const large = await costOf(agent, account, 2 * BELOW);
    const twice = 2 * 2 * BELOW;
    const after = await account.takenAfterwards();
    // A fee may come on top, and nothing says how it goes with the amount: it may fall, or be waived. None is as large as this.
    await check(
      'TRANSFER-DEBITS-SOURCE',
      () => {
        expect(large).toHaveTaken({ atLeast: 2 * BELOW });
        expect(since(small, after)).toHaveTaken({ below: twice });
      },
      [...small.evidence, ...large.evidence, after.answer],
    );
    // No round one: an amount that is cut to whole main units falls short.
    const odd = BELOW + 137;
    const third = await costOf(agent, account, odd);
    await check('TRANSFER-DEBITS-SOURCE', () => expect(third).toHaveTaken({ atLeast: odd }), third.evidence);
  },
);

test(
  'a transfer-out that names rail, purpose, text and key takes its amount as well',
  verifies('TRANSFER-DEBITS-SOURCE'),
  async ({ given, check }) => {
    const agent = await given.agent();
    const account = await SourceAccount.of(agent);
    await account.needMove();
    const full = await costOf(agent, account, BELOW, transferOutInFull);
    const isTaken = () => expect(full).toHaveTaken({ atLeast: BELOW });
    await check('TRANSFER-DEBITS-SOURCE', isTaken, full.evidence);
  },
);

for (const currency of ['USD', 'EUR'])
  test(
    `a transfer-out in ${currency} that the platform has approved has taken its amount when it is over`,
    verifies('TRANSFER-DEBITS-SOURCE'),
    async ({ given, need, check }) => {
      const agent = await given.agent({
        execution: 'APPROVAL_REQUIRED',
        ...(currency === 'USD' ? {} : { currency }),
      });
      const account = await SourceAccount.of(agent);
      const { id } = await pending(agent, BELOW);
      await needApprove(agent, id);
      // What was held back while it waited may have left at once, and come back in the end.
      const last = await readUntil(agent, id, isOver);
      need.offered(isOver(last), 'nothing shows that the execution is over');
      const taken = await account.untilTaken(BELOW);
      const isTaken = () => expect(taken).toHaveTaken({ atLeast: BELOW });
      await check('TRANSFER-DEBITS-SOURCE', isTaken, [taken.answer]);
    },
  );

for (const [who, params] of [
  ['policy', undefined],
  ['platform', { approvalThreshold: 1 }],
] as const)
  test(
    `an action that the ${who} approved becomes FAILED, not REJECTED, when its execution fails`,
    verifies(
      'ACTION-EXECUTION-FAILURE',
      'ACTION-EXECUTION-FAILURE-NOT-REJECTED',
      'ACTION-REJECT-ONLY-PENDING',
    ),
    async ({ given, need, check, observe }) => {
      if (params) await needBeginWhenApproved(await given.agent({ approvalThreshold: THRESHOLD }));
      const agent = await given.agentThatCannotExecute(params);
      const label = 'a transfer-out that cannot be executed';
      const answer = await agent.transferOut({ amount: agent.state.amount }, label);
      if (!params) observe('insufficient-funds', answer.body?.status ?? answer.outcome, answer);
      // Insufficient funds may be refused at once, as an invalid parameter.
      need(answer).available();
      const id = idOf(agent, answer);
      need.that(
        (answer.body?.status === 'PENDING_APPROVAL') === Boolean(params),
        `whether it waits for approval is not as the policy says: ${String(answer.body?.status)}`,
      );
      const last = params ? await agent.approve(id) : answer;
      // A service may see beforehand that the execution must fail, and refuse the approval.
      need(last).available();
      const seen = await failed(agent, last, id);
      await expectFailed(check, seen, last);
      const { transaction } = seen.action;
      if (!params)
        observe('failed-execution-effects', `with${transaction ? '' : 'out'} a transaction`, seen.answer);
      if (seen.action.status !== 'FAILED') return;
      const late = await agent.reject(id, 'the rejection of an action that has failed');
      need.offered(late.exchange.response?.status !== 404, 'this target offers no rejection');
      const { read, seen: shown } = await afterLateDecision(agent, late, id);
      need.offered(read, 'this target offers no read of an action');
      for (const { action, answer: after } of shown)
        await check('ACTION-REJECT-ONLY-PENDING', () => expect(action.status).not.toBe('REJECTED'), [
          late,
          after,
        ]);
    },
  );

/** What an executed transfer-out takes from the source account. @param send without it, one that must be accepted */
async function costOf(
  agent: Agent,
  account: SourceAccount,
  amount: number,
  send: typeof transferOutInFull = (by, changes, label) => by.needTransfer(changes, label),
) {
  const before = await account.taken();
  const answer = await send(agent, { amount }, `a transfer-out of ${amount}`);
  agent.need(answer).available();
  const taken = await account.untilTaken(before.amount + amount);
  // The interface names no time for an execution: only one that is over must have taken the amount.
  if (taken.amount < before.amount + amount)
    agent.need.that(
      isOver(await readAction(agent, idOf(agent, answer))),
      'the amount did not leave in time, and nothing shows that the execution is over',
    );
  return { ...since(before, taken), evidence: [answer, taken.answer] };
}

/** FAILED and nothing else: REJECTED is the platform's word, and nothing waits for approval twice. */
async function expectFailed(check: Check, { action }: Sighting, evidence: Answer): Promise<void> {
  const neverBack = () => expect(action.status).not.toBeOneOf(['REJECTED', 'PENDING_APPROVAL']);
  const kept = await check('ACTION-EXECUTION-FAILURE-NOT-REJECTED', neverBack, [evidence]);
  // What says itself why its execution failed has no more time.
  const isKnown = failureReasonsIn({ transaction: action.transaction }).length > 0;
  if (kept)
    await check(
      'ACTION-EXECUTION-FAILURE',
      () => expect(action.status).toBe('FAILED'),
      isKnown ? [evidence] : inTime(evidence),
    );
}

/** The control: here an approval takes effect, and the execution of what can be executed begins. */
async function needBeginWhenApproved(agent: Agent): Promise<void> {
  const { id } = await pending(agent);
  const decided = await needApprove(agent, id);
  const seen = hasBegun(decided) ? decided : await readUntil(agent, id, hasBegun);
  agent.need.that(seen === undefined || hasBegun(seen), 'no execution begins after an approval');
}

/** The action once it has failed, or the last sight of it, where the state promises that the execution fails. */
async function failed(agent: Agent, answer: Answer, id: string): Promise<Sighting> {
  const { need } = agent;
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
  const promised = isPromised(agent.state) || seen.action.transaction?.['status'] === 'FAILED';
  need.offered(promised || seen.action.status !== 'APPROVED', 'nothing shows that the execution failed');
  return seen;
}
