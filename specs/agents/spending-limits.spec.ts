import { randomUUID } from 'node:crypto';
import {
  eventually,
  expect,
  movesClock,
  ORDINARY_AMOUNT,
  succeeded,
  test,
  verifies,
  type Agent,
  type Answer,
  type Given,
} from '../../suite/index.ts';
import { enumOf } from '../../schemas/openapi.ts';
import { amountOfItsOwn, amountsIn, TO_NOBODY, transferOutInFull } from '../support/actions.ts';
import { addAgent, MAY_SEND, updatePolicy } from '../support/agents.ts';
import { replay, replayWorks } from '../support/replay.ts';
import { SourceAccount } from '../support/source-account.ts';

/** Limit of the policies of this file, in the smallest unit of the currency. */
const LIMIT = 100_000;
/** By then the day has ended, wherever the target's days end. */
const TWO_DAYS_SECONDS = 172_800;
const SHARED = 'prepared agents are shared between tests, so what they have spent is not known';

for (const [much, policy, amount] of [
  ['one unit over the limit', { perTransactionLimit: LIMIT }, LIMIT + 1],
  ['far over the limit', { perTransactionLimit: 2 * ORDINARY_AMOUNT }, 200 * ORDINARY_AMOUNT],
  ['in EUR far over the limit', { perTransactionLimit: LIMIT, currency: 'EUR' }, LIMIT * 2],
  [
    'over the limit and over the threshold',
    { perTransactionLimit: LIMIT, approvalThreshold: LIMIT / 2 },
    LIMIT * 2,
  ],
] as const)
  test(
    `a single transfer-out ${much} never runs at once`,
    verifies('TRANSFER-SPENDING-LIMIT'),
    async ({ given, check, observe }) => {
      const agent = await given.agent(policy);
      await agent.needTransfer({ amount: ORDINARY_AMOUNT }, 'a transfer-out within the limit');
      const over = await agent.transferOut({ amount }, `a transfer-out ${much}`);
      if ('approvalThreshold' in policy) {
        // Whether the limit counts at once or with the approval is open; what runs without the platform must obey it.
        const waits = over.body?.status === 'PENDING_APPROVAL';
        observe('spending-limit-over-pending', waits ? 'when it is approved' : 'when it is submitted', over);
        if (waits) return;
      } else observe('spending-limit-code', over);
      await needPassWithoutLimit(over, amount, given);
      await check('TRANSFER-SPENDING-LIMIT', () => expect(over).toBeRefused(403));
    },
  );

for (const [says, limit, amounts] of [
  ['a transfer-out of exactly the limit', { perTransactionLimit: LIMIT }, [ORDINARY_AMOUNT, LIMIT]],
  ['a day that is spent to exactly its limit', { dailyLimit: LIMIT }, [LIMIT * 0.6, LIMIT * 0.4]],
] as const)
  test(
    `${says} is not refused for it`,
    verifies('TRANSFER-SPENDING-LIMIT-EQUAL'),
    async ({ given, check }) => {
      given.unshared(SHARED);
      const [before, last] = amounts;
      const free = await given.agent();
      for (const amount of amounts) await free.needTransfer({ amount }, 'the same amount without a limit');
      const agent = await given.agent(limit);
      const within = await agent.transferOut({ amount: before }, 'a transfer-out within the limit');
      // What other agents have spent is theirs. Whoever has room to spare pays from the same account all the same.
      if (within.refused) {
        const { authorization } = await addAgent(agent, MAY_SEND);
        await agent.needTransfer(
          { amount: before },
          { label: 'the same by an agent with room', authorization },
        );
      }
      if (!(await check('TRANSFER-SPENDING-LIMIT-EQUAL', () => expect(within).toBeAccepted()))) return;
      const equal = await agent.transferOut({ amount: last }, 'a transfer-out up to exactly the limit');
      if (equal.refused) await needFree(await given.agent());
      await check('TRANSFER-SPENDING-LIMIT-EQUAL', () => expect(equal).toBeAccepted());
    },
  );

test(
  'the transfer-out that takes the sum of the day over the limit is refused, though it is small itself',
  verifies('TRANSFER-SPENDING-LIMIT-CUMULATIVE'),
  async ({ given, check }) => {
    given.unshared(SHARED);
    const spendTooMuch = async () => {
      const agent = await given.agent({ dailyLimit: LIMIT });
      await agent.needTransfer({ amount: LIMIT * 0.6 }, 'the first transfer-out of the day');
      const label = 'a transfer-out that takes the sum over the daily limit';
      const plain = await agent.transferOut({ amount: LIMIT * 0.4 + 1 }, label);
      const full = await transferOutInFull(agent, { amount: LIMIT * 0.4 + 2 }, label);
      return [plain, full] as const;
    };
    let over = await spendTooMuch();
    // The day may have ended between the two, wherever the target's days end. It does not end twice in a row.
    if (over.some(succeeded)) over = await spendTooMuch();
    const [plain, full] = over;
    await check('TRANSFER-SPENDING-LIMIT-CUMULATIVE', () => expect(plain).toBeRefused(403));
    // What else stands against one of its fields may be told first.
    await check('TRANSFER-SPENDING-LIMIT-CUMULATIVE', () => expect(full).toBeRefused());
  },
);

test(
  'two days later what an agent may spend in a day is there again',
  movesClock(verifies('TRANSFER-SPENDING-LIMIT-EQUAL')),
  async ({ given, need, check, clock }) => {
    given.unshared(SHARED);
    const agent = await given.agent({ dailyLimit: LIMIT });
    const amount = LIMIT * 0.6;
    await agent.needTransfer({ amount }, 'the first transfer-out of the day');
    // The same again may be taken for doubled.
    const over = { amount: amount + 1 };
    need(await agent.transferOut(over, 'a transfer-out over the limit of the day')).refused();
    await clock.advance(TWO_DAYS_SECONDS, agent.state.customerId);
    const later = await agent.transferOut({ amount }, 'the same transfer-out two days later');
    if (later.refused) {
      // How long a token lives is not shown.
      need.offered(later.status === 403, 'two days later this agent is refused, and not for its policy');
      const { authorization } = await addAgent(agent, MAY_SEND);
      await agent.needTransfer({ amount }, { label: 'the same by an agent without a limit', authorization });
    }
    await check('TRANSFER-SPENDING-LIMIT-EQUAL', () => expect(later).toBeAccepted());
  },
);

for (const [why, params, changesOf] of [
  ['for the limit', { perTransactionLimit: LIMIT }, () => ({})],
  ['for its destination', {}, () => TO_NOBODY],
  ['for its purpose', {}, () => ({ purposeOfPayment: 'NO_SUCH_PURPOSE' })],
  [
    'for its rail',
    {},
    ({ state }: Agent) => ({
      destination: {
        accountId: state.destinationAccountId,
        paymentRail: enumOf('PaymentRail').find((rail) => !(state.supportedRails ?? []).includes(rail)),
      },
    }),
  ],
] as const)
  test(
    `a transfer-out refused ${why} leaves no action and no transaction behind, and moves no money`,
    verifies('TRANSFER-REFUSED-LEAVES-NOTHING'),
    async ({ given, need, check }) => {
      const agent = await given.agent(params);
      const account = await SourceAccount.of(agent);
      const changes = changesOf(agent);
      const [within, over] = [amountOfItsOwn(ORDINARY_AMOUNT), amountOfItsOwn(LIMIT * 3)];
      await agent.needTransfer({ amount: within }, 'a transfer-out within the limit');
      need(await agent.transferOut({ amount: over, ...changes }, `a transfer-out refused ${why}`)).refused();
      for (const operation of ['listMyActions', 'listMyTransactions']) {
        const list = await agent.call(operation, `${operation} after the refusal`);
        // The interface shows no list: it tells of none more only where it shows those that are there.
        const amounts = () => amountsIn(list);
        if (amounts().some((one) => one === within || one === over))
          await check('TRANSFER-REFUSED-LEAVES-NOTHING', () => expect(amounts()).not.toContain(over), [list]);
      }
      await account.needMove();
      const taken = await account.takenAfterwards();
      await check(
        'TRANSFER-REFUSED-LEAVES-NOTHING',
        () => expect(taken).toHaveTaken({ atLeast: 0, below: over }),
        [taken.answer],
      );
    },
  );

/**
 * A day in which a transfer-out is refused. Had its amount been counted, the small one after it would still fit, which tells
 * a limit from an agent that is locked after a refusal, and the last one would not. No two that are taken are the same, since
 * the second may be taken for doubled.
 */
interface Day {
  readonly perTransactionLimit?: number;
  readonly before?: number;
  readonly refused: number;
  /** Refused for its destination, and not for a limit. */
  readonly toNobody?: true;
  /** The limit of the day that the platform sets then. */
  readonly raisedTo?: number;
  readonly small: number;
  readonly last: number;
}

const DAYS: readonly (readonly [why: string, day: Day])[] = [
  ['its destination', { toNobody: true, refused: LIMIT * 0.6, small: LIMIT * 0.1, last: LIMIT * 0.6 }],
  [
    'the limit of a single transaction',
    { perTransactionLimit: LIMIT * 0.5, refused: LIMIT * 0.8, small: LIMIT * 0.1, last: LIMIT * 0.4 },
  ],
  [
    'the limit of the day',
    {
      before: LIMIT * 0.6,
      refused: LIMIT * 0.5,
      raisedTo: LIMIT * 1.5,
      small: LIMIT * 0.1,
      last: LIMIT * 0.7,
    },
  ],
];

for (const [why, day] of DAYS)
  test(
    `a transfer-out refused for ${why} uses up nothing of the day`,
    verifies('TRANSFER-REFUSED-LEAVES-NOTHING'),
    async ({ given, need, check }) => {
      given.unshared(SHARED);
      const { refused: tooMuch, ...others } = day;
      need(await lastOf(others, given)).accepted();
      const last = await lastOf({ ...others, refused: tooMuch }, given);
      await check('TRANSFER-REFUSED-LEAVES-NOTHING', () => expect(last).toBeAccepted());
    },
  );

test(
  'a transfer-out sent again with its key uses up its amount of the day once',
  verifies('TRANSFER-IDEMPOTENCY-MONEY-ONCE'),
  async ({ given, need, check }) => {
    given.unshared(SHARED);
    const [amount, rest] = [LIMIT * 0.2, LIMIT * 0.7];
    const afterReplays = async (replays: number) => {
      const agent = await given.agent({ dailyLimit: LIMIT });
      const idempotencyKey = randomUUID();
      const first = await replay(agent, amount, idempotencyKey, 'a transfer-out with a key');
      need(first).accepted();
      for (let turn = 0; turn < replays; turn += 1) await replayWorks(agent, first, amount, idempotencyKey);
      return replay(agent, rest, randomUUID(), 'another transfer-out, with a key of its own');
    };
    need(await afterReplays(0)).accepted();
    const last = await afterReplays(2);
    await check('TRANSFER-IDEMPOTENCY-MONEY-ONCE', () => expect(last).toBeAccepted());
  },
);

/** Plays a day with an agent of its own; where nothing is to be refused, that one is left out. */
async function lastOf(day: Omit<Day, 'refused'> & Partial<Day>, given: Given): Promise<Answer> {
  const { perTransactionLimit, before, refused, toNobody, raisedTo, small, last } = day;
  const agent = await given.agent({
    dailyLimit: LIMIT,
    ...(perTransactionLimit === undefined ? {} : { perTransactionLimit }),
  });
  const { need } = agent;
  const send = (amount: number, label: string, changes = {}) =>
    agent.transferOut({ amount, ...changes }, label);
  if (before !== undefined) need(await send(before, 'the first transfer-out of the day')).accepted();
  if (refused !== undefined)
    need(await send(refused, 'a transfer-out to be refused', toNobody ? TO_NOBODY : {})).refused();
  if (raisedTo !== undefined) await raiseDailyLimit(agent, raisedTo);
  need(await send(small, 'a small transfer-out')).accepted();
  // How soon a raised limit applies is not stated.
  return eventually(
    () => send(last, 'a transfer-out that fits into the day, beside those that were taken'),
    (seen) => raisedTo === undefined || !seen.exchange.response || seen.accepted,
    agent.patienceMs,
  );
}

/** Whether it is raised is seen by what passes afterwards. */
async function raiseDailyLimit(agent: Agent, dailyLimit: number): Promise<void> {
  const currency = agent.need.offered(
    agent.state.currency,
    'the currency of the prepared account is not known',
  );
  const policy = { ...MAY_SEND, spendingLimits: { currency, perTransactionLimit: dailyLimit, dailyLimit } };
  await updatePolicy(agent, policy, 'the platform raises the limit of the day');
}

/**
 * Refused otherwise than with 403, the amount may be over a limit of the service itself, which it may look at first. The
 * control is the same amount where the policy has no limit.
 */
async function needPassWithoutLimit(over: Answer, amount: number, given: Given): Promise<void> {
  if (!over.exchange.response || !over.refused || over.status === 403) return;
  const free = await given.agent();
  const { need } = free;
  const control = await free.transferOut({ amount }, 'the same amount without a limit');
  need.offered(!control.refused, `this target takes no transfer-out of ${amount}, whatever the policy`);
  need(control).accepted();
}

/**
 * What counts as spending is not shown: where a fee comes on top of an amount, exactly the limit may be over it. So a
 * refusal of it accuses only where transfers are seen to cost nothing more.
 */
async function needFree(agent: Agent): Promise<void> {
  const account = await SourceAccount.of(agent);
  agent.need.offered(
    (await account.needMove(LIMIT)) === LIMIT,
    'fees come on top of an amount, so which one is exactly the limit cannot be told',
  );
}
