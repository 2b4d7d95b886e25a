import { cameAtOnce } from '../../suite/eventually.ts';
import {
  actionIn,
  expect,
  inTime,
  isPromised,
  ORDINARY_AMOUNT,
  test,
  verifies,
  type Agent,
  type Answer,
  type QuotingAgent,
} from '../../suite/index.ts';
import {
  ABOVE,
  BELOW,
  hasBegun,
  isOver,
  needApprove,
  needReject,
  objectsIn,
  pending,
  readUntil,
  THRESHOLD,
  transferOutInFull,
} from '../support/actions.ts';
import { SourceAccount } from '../support/source-account.ts';

const WITH_THRESHOLD = { approvalThreshold: THRESHOLD };
const LATE = 'money that is pulled in does not arrive in time to be seen';

for (const [says, policy, amount, isFull = false] of [
  ['an amount just above the threshold of the policy', WITH_THRESHOLD, THRESHOLD + 1],
  [
    'an amount in EUR just above the threshold of the policy',
    { ...WITH_THRESHOLD, currency: 'EUR' },
    THRESHOLD + 1,
  ],
  [
    'an amount far above the threshold of the policy',
    { approvalThreshold: 2 * ORDINARY_AMOUNT },
    200 * ORDINARY_AMOUNT,
  ],
  ['an amount above the threshold, with rail, text, purpose and key,', WITH_THRESHOLD, ABOVE, true],
  [
    'where every action needs approval, an ordinary amount',
    { execution: 'APPROVAL_REQUIRED' },
    ORDINARY_AMOUNT,
  ],
  ['where every action needs approval, less than a hundred units', { execution: 'APPROVAL_REQUIRED' }, 99],
  ['where every action needs approval, a single unit', { execution: 'APPROVAL_REQUIRED' }, 1],
] as const)
  test(
    `${says} waits for the platform`,
    verifies('TRANSFER-APPROVAL-PENDING'),
    async ({ given, need, check }) => {
      const agent = await given.agent(policy);
      const label = `a transfer-out of ${amount}`;
      const answer = await (isFull
        ? transferOutInFull(agent, { amount }, label)
        : agent.transferOut({ amount }, label));
      // A service may have a minimum and a maximum of its own.
      need.offered(!answer.refused, `this target takes no transfer-out of ${amount} from this agent`);
      need(answer).accepted();
      await check('TRANSFER-APPROVAL-PENDING', () => expect(answer).toHaveStatus('PENDING_APPROVAL'));
    },
  );

const BESIDE_TRANSFERS_OUT: readonly (readonly [
  what: string,
  send: (agent: QuotingAgent) => Promise<Answer>,
])[] = [
  ['a transfer-in', (agent) => agent.transferIn()],
  ['the execution of a quote', async (agent) => agent.executeQuote((await agent.needQuote()).id)],
];

for (const [what, send] of BESIDE_TRANSFERS_OUT)
  test(
    `where every action needs approval, ${what} waits as a transfer-out does`,
    verifies('AGENT-APPROVAL-EVERY-ACTION'),
    async ({ given, need, check }) => {
      const agent = await given.agentWithQuotes({ execution: 'APPROVAL_REQUIRED' });
      need.offered(isPromised(agent.state), 'whether the policy speaks of every action is not known');
      await pending(agent);
      const answer = await send(agent);
      need(answer).available();
      const action = need.offered(actionIn(answer), 'no action could be recognised in the answer');
      const waits = () => expect(action.status, 'status of the action').toBe('PENDING_APPROVAL');
      await check('AGENT-APPROVAL-EVERY-ACTION', waits, [answer]);
    },
  );

for (const [says, policy, amount] of [
  ['where the policy executes by itself, a transfer-out', { execution: 'AUTO' }, BELOW],
  ['an amount just below the threshold', WITH_THRESHOLD, THRESHOLD - 1],
] as const)
  test(
    `${says} is approved at once`,
    verifies('TRANSFER-APPROVAL-AUTOMATIC'),
    async ({ given, check, observe }) => {
      const agent = await given.agent(policy);
      const answer = await agent.needTransfer({ amount });
      await check('TRANSFER-APPROVAL-AUTOMATIC', () => expect(answer).toHaveStatus('APPROVED'));
      observe('approved-transaction-status', answer.body.transaction?.status ?? null, answer);
    },
  );

test('on which side the threshold itself lies is left open', async ({ given, observe }) => {
  const agent = await given.agent(WITH_THRESHOLD);
  const equal = await agent.transferOut({ amount: THRESHOLD }, 'a transfer-out of exactly the threshold');
  observe('approval-limit-equal', equal.body?.status ?? equal.outcome, equal);
});

test(
  'nothing is executed while an action waits for approval',
  verifies('TRANSFER-PENDING-NOT-EXECUTED'),
  async ({ given, need, check, observe }) => {
    const agent = await given.agent(WITH_THRESHOLD);
    const account = await SourceAccount.of(agent);
    const { id } = await pending(agent, ABOVE);
    const cost = await account.needMove();
    let taken = await account.takenAfterwards();
    observe('pending-funds-reserved', taken.amount > cost ? 'yes' : 'no', taken.answer);
    if (taken.amount >= ABOVE) {
      // A service may hold the funds back meanwhile. What was only held comes back with a rejection.
      need(await agent.reject(id)).available();
      taken = await account.untilLessTaken(ABOVE);
    }
    await check('TRANSFER-PENDING-NOT-EXECUTED', () => expect(taken).toHaveTaken({ below: ABOVE }), [
      taken.answer,
    ]);
  },
);

test(
  'a transfer-in that waits for approval brings no money, and none once it is rejected',
  verifies('TRANSFER-PENDING-NOT-EXECUTED', 'ACTION-REJECT-NOT-EXECUTED', 'TRANSFER-IN-DETAILS-DIRECTION'),
  async ({ given, need, check }) => {
    const agent = await given.agent(WITH_THRESHOLD);
    const account = await SourceAccount.of(agent);
    const atOnce = await agent.transferIn({ amount: BELOW }, 'a transfer-in that runs at once');
    need(atOnce).available();
    // Fees may be taken of what comes.
    let { amount: received, answer: seen } = await account.untilReceived(BELOW / 2);
    await check(
      'TRANSFER-IN-DETAILS-DIRECTION',
      () => expect(received, 'what has come in to the internal account').toBeGreaterThan(-BELOW / 2),
      [atOnce, seen],
    );
    if (received < BELOW / 2) {
      // The text names no time: only an execution that is over must have brought it.
      const last = await readUntil(agent, String(actionIn(atOnce)?.id), isOver);
      need.offered(isOver(last), LATE);
      ({ amount: received, answer: seen } = await account.untilReceived(BELOW / 2));
      const arrives = () => expect(received, 'what has come in').toBeGreaterThanOrEqual(BELOW / 2);
      if (!(await check('TRANSFER-IN-DETAILS-DIRECTION', arrives, [atOnce, seen]))) return;
    }
    const most = await account.receivedAfterwards();
    await check(
      'TRANSFER-IN-DETAILS-DIRECTION',
      () => expect(most.amount, 'what has come in to the internal account').toBeLessThanOrEqual(BELOW),
      [atOnce, most.answer],
    );
    const { answer: waiting, id } = await waitingTransferIn(agent);
    const after = await account.receivedAfterwards();
    const brings = (seen: { readonly amount: number }) =>
      expect(seen.amount, 'what has come in').toBeLessThan(received + ABOVE / 2);
    await check('TRANSFER-PENDING-NOT-EXECUTED', () => brings(after), [waiting, after.answer]);
    need.that(after.amount < received + ABOVE / 2, 'the money had come before');
    const rejected = await agent.reject(id);
    need(rejected).available();
    const last = await account.receivedAfterwards();
    await check('ACTION-REJECT-NOT-EXECUTED', () => brings(last), [rejected, last.answer]);
  },
);

test(
  'an approved transfer-in brings its amount once, also when it is approved again',
  verifies('ACTION-APPROVE-MONEY-ONCE', 'TRANSFER-IN-DETAILS-DIRECTION'),
  async ({ given, need, check }) => {
    const agent = await given.agent(WITH_THRESHOLD);
    const account = await SourceAccount.of(agent);
    need(await agent.transferIn({ amount: BELOW }, 'a transfer-in that runs at once')).available();
    const first = await account.untilReceived(BELOW / 2);
    const comesAtOnce = cameAtOnce();
    need.offered(first.amount >= BELOW / 2, LATE);
    const { id } = await waitingTransferIn(agent);
    need(await agent.approve(id)).available();
    const begun = await readUntil(agent, id, hasBegun);
    need.offered(begun?.action.transaction, 'it is not seen that the execution has begun');
    const came = await account.untilReceived(first.amount + ABOVE / 2);
    const arrives = () => expect(came.amount, 'what has come in').toBeGreaterThan(first.amount + ABOVE / 2);
    const isInTime = comesAtOnce || came.amount > first.amount + ABOVE / 2;
    need.offered(isInTime, LATE);
    if (!(await check('TRANSFER-IN-DETAILS-DIRECTION', arrives, [came.answer]))) return;
    // Fees may be taken of what comes; none brings more.
    const most = await account.receivedAfterwards();
    const isNoMore = () => expect(most.amount, 'what has come in').toBeLessThanOrEqual(BELOW + ABOVE);
    if (!(await check('TRANSFER-IN-DETAILS-DIRECTION', isNoMore, [came.answer, most.answer]))) return;
    const forbidden = first.amount + 1.5 * ABOVE;
    need.that(came.amount < forbidden, 'it has brought more than its amount before it is approved again');
    await agent.approve(id, 'the platform approves the transfer-in again');
    const once = await account.receivedAfterwards();
    await check('ACTION-APPROVE-MONEY-ONCE', () => expect(once.amount).toBeLessThan(forbidden), [
      once.answer,
    ]);
  },
);

test(
  'an approved action takes its amount once, also when it is approved again, and shows its transaction by then',
  verifies('ACTION-APPROVE-MONEY-ONCE', 'ACTION-APPROVE-BEGINS-EXECUTION'),
  async ({ given, need, check, observe }) => {
    const agent = await given.agent(WITH_THRESHOLD);
    const account = await SourceAccount.of(agent);
    const plain = await account.needMove(BELOW);

    const { id } = await pending(agent, ABOVE);
    const before = await account.taken();
    await needApprove(agent, id);
    const left = await account.untilTaken(plain + ABOVE);
    need.that(left.amount >= plain + ABOVE, 'the approved amount did not leave in time');
    // Funds that were held back while it waited have not left by the approval.
    const begun = before.amount < plain + ABOVE ? await readUntil(agent, id, hasBegun) : undefined;
    // Reads may follow later, by the status too.
    if (begun && begun.action.status !== 'PENDING_APPROVAL')
      await check(
        'ACTION-APPROVE-BEGINS-EXECUTION',
        () => expect(hasBegun(begun), 'a transaction, now that the amount has left').toBe(true),
        [left.answer, begun.answer],
      );
    observe('approve-twice', await agent.approve(id, 'the platform approves the action again'));

    // Measured by what an executed transfer-out costs here, fees included, from before the approval on.
    const single = (plain / BELOW) * ABOVE;
    const forbidden = before.amount + single + ABOVE / 2;
    const after = await account.takenAfterwards();
    await check('ACTION-APPROVE-MONEY-ONCE', () => expect(after).toHaveTaken({ below: forbidden }), [
      after.answer,
    ]);
  },
);

test(
  'the next approved action of an agent takes its amount once, too',
  verifies('ACTION-APPROVE-MONEY-ONCE'),
  async ({ given, need, check }) => {
    const agent = await given.agent(WITH_THRESHOLD);
    const account = await SourceAccount.of(agent);
    const approved = async (least: number) => {
      await needApprove(agent, (await pending(agent, ABOVE)).id);
      const { amount } = await account.untilTaken(least);
      return need.that(amount >= least && amount, 'the approved amount did not leave in time');
    };
    // Measured by what the first one costs, fees included.
    const first = await approved(ABOVE);
    await approved(first + ABOVE);
    const forbidden = 2 * first + ABOVE / 2;
    const after = await account.takenAfterwards();
    await check('ACTION-APPROVE-MONEY-ONCE', () => expect(after).toHaveTaken({ below: forbidden }), [
      after.answer,
    ]);
  },
);

for (const [says, rule, late] of [
  ['a rejected action is never executed: its amount stays in', 'ACTION-REJECT-NOT-EXECUTED', false],
  ['the approval of a rejected action takes nothing from', 'ACTION-APPROVE-ONLY-PENDING', true],
] as const)
  test(`${says} the source account`, verifies(rule), async ({ given, need, check }) => {
    const agent = await given.agent(WITH_THRESHOLD);
    const account = await SourceAccount.of(agent);
    const { id } = await pending(agent, ABOVE);
    const before = await account.taken();
    await needReject(agent, id);
    // Funds that were held back while the action waited come back now. What a rejection takes is the first one's matter.
    if (late || before.amount >= ABOVE)
      need.that((await account.untilLessTaken(ABOVE)).amount < ABOVE, 'the amount had left before');
    if (late) await agent.approve(id, 'the platform approves the rejected action');
    else {
      // How late a movement shows here is measured in another account, as a fee may come on top of this one's.
      const moving = await SourceAccount.of(await given.agent());
      await moving.needMove();
      // Nothing was executed that could cost anything.
      const back = await account.untilLessTaken(1);
      const still = back.amount < 1 ? await account.takenAfterwards(moving) : back;
      // Only what is missing may be on its way back.
      const about = still.amount < 0 ? [still.answer] : inTime(still.answer);
      await check(rule, () => expect(still).toHaveTaken({ atLeast: 0, below: 1 }), about);
    }
    await account.needMove();
    const after = await account.takenAfterwards();
    await check(rule, () => expect(after).toHaveTaken({ below: ABOVE }), [after.answer]);
  });

async function waitingTransferIn(agent: Agent) {
  const answer = await agent.transferIn({ amount: ABOVE }, 'a transfer-in that waits for approval');
  const action = objectsIn(answer).find(({ status }) => status === 'PENDING_APPROVAL');
  const { id } = agent.need.offered(action, 'no transfer-in waits for approval here');
  return { answer, id: String(id) };
}
