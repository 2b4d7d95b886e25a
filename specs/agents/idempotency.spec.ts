import { randomUUID } from 'node:crypto';
import {
  expect,
  movesClock,
  ORDINARY_AMOUNT,
  succeeded,
  survey,
  test,
  verifies,
  type Agent,
  type Answer,
  type Given,
} from '../../suite/index.ts';
import { folded, sameId } from '../../suite/same-id.ts';
import {
  ABOVE,
  actionsOf,
  amountOfItsOwn,
  needApprove,
  BELOW,
  needPending,
  needReject,
  readUntil,
  THRESHOLD,
} from '../support/actions.ts';
import { refusedAsInvalid } from '../support/refusals.ts';
import { expectSameResponse, replay, replayWorks } from '../support/replay.ts';
import { SourceAccount } from '../support/source-account.ts';

/** How long keys are remembered is not stated: after these seconds nobody can have forgotten one. */
const SOON_SECONDS = 10 * 60;
const SAME_RESPONSE = verifies('TRANSFER-IDEMPOTENCY-SAME-RESPONSE');
/** Transfer-outs at the same moment. */
const AT_ONCE = 8;

for (const [says, policy, amount, seconds] of [
  ['that runs at once', {}, ORDINARY_AMOUNT, 0],
  ['that waits for approval', { approvalThreshold: THRESHOLD }, ABOVE, 0],
  ['that runs at once, some minutes later', {}, ORDINARY_AMOUNT, SOON_SECONDS],
] as const)
  test(
    `the key of a transfer-out ${says}, sent again, returns the same response`,
    seconds > 0 ? movesClock(SAME_RESPONSE) : SAME_RESPONSE,
    async ({ given, check, clock }) => {
      const agent = await given.agent(policy);
      const idempotencyKey = randomUUID();
      const label = 'a transfer-out with a key';
      const first = await agent.needTransfer({ amount }, { idempotencyKey, label });
      if (seconds > 0) {
        await replayWorks(agent, first, amount, idempotencyKey);
        await clock.advance(seconds, agent.state.customerId);
      }
      for (const time of ['a second', 'a third']) {
        const again = await replay(agent, amount, idempotencyKey, `the same with the same key ${time} time`);
        await check('TRANSFER-IDEMPOTENCY-SAME-RESPONSE', () => expectSameResponse(again, first));
      }
    },
  );

test(
  'the key may be left out',
  verifies('TRANSFER-IDEMPOTENCY-OPTIONAL', 'TRANSFER-APPROVED-HAS-TRANSACTION'),
  async ({ given, check }) => {
    const agent = await given.agent();
    await agent.needTransfer({}, { idempotencyKey: randomUUID(), label: 'a transfer-out with a key' });
    // Each of its own amount: a service may take what is the same for a doubled request.
    const first = await agent.transferOut({ amount: ORDINARY_AMOUNT + 2 }, 'a transfer-out without a key');
    await check('TRANSFER-IDEMPOTENCY-OPTIONAL', () => expect(first).toBeAccepted());
    const second = await agent.transferOut(
      { amount: ORDINARY_AMOUNT + 1 },
      'another transfer-out without a key',
    );
    await check('TRANSFER-IDEMPOTENCY-OPTIONAL', () => expect(second).toBeAccepted());
    if (!first.accepted || !second.accepted) return;
    await check('TRANSFER-IDEMPOTENCY-OPTIONAL', () =>
      expect(folded(second.body.id)).not.toBe(folded(first.body.id)),
    );
    const [one, other] = [first, second].map(({ body }) => folded(body.transaction?.id));
    if (one !== undefined)
      await check(
        'TRANSFER-APPROVED-HAS-TRANSACTION',
        () => expect(other, 'the transaction of the second action').not.toBe(one),
        [first, second],
      );
  },
);

/** Two keys, most of them nearly the same, and in what they differ. No uuids: their letters may be read in any case. */
const NEAR: readonly {
  readonly says: string;
  readonly keys: (unique: string) => readonly [string, string];
}[] = [
  { says: 'altogether', keys: () => [randomUUID(), randomUUID()] },
  { says: 'in capital letters', keys: (unique) => [`order-${unique}-a`, `order-${unique}-A`] },
  { says: 'in a hyphen', keys: (unique) => [`order-${unique}-12`, `order-${unique}-1-2`] },
  { says: 'in a leading zero', keys: (unique) => [digitsOf(unique), `0${digitsOf(unique)}`] },
  ...[16, 32, 36, 64, 128, 254].map((length) => ({
    says: `after ${length} characters`,
    keys: (unique: string) => {
      const start = unique.padEnd(length, 'k').slice(0, length);
      return [`${start}1`, `${start}2`] as const;
    },
  })),
];

test(
  'different keys make different actions, even with equal bodies',
  verifies('TRANSFER-IDEMPOTENCY-KEYS-INDEPENDENT', 'TRANSFER-INVALID-STATUS', 'TRANSFER-SOURCE-REQUIRED'),
  async ({ given, check }) => {
    const agent = await given.agent();
    // What is invalid is refused with a key as without one.
    const withKey = { idempotencyKey: randomUUID(), label: 'a transfer-out with a key and without a source' };
    await refusedAsInvalid(check, 'TRANSFER-SOURCE-REQUIRED', [
      await agent.transferOut({ source: undefined }, withKey),
    ]);
    const inputs = NEAR.map(({ says }, at) => ({ says, at }));

    await survey(check, inputs, async ({ says, at }, on) => {
      const keys = on.need.that(NEAR[at], 'there are no such keys').keys(randomUUID().replaceAll('-', ''));
      const answers: Answer[] = [];
      for (const key of keys) {
        const label = `a transfer-out with a key that differs from another ${says}`;
        const answer = on.told(await replay(agent, ORDINARY_AMOUNT, key, label));
        if (answer.isFault) await check('TRANSFER-INVALID-STATUS', () => expect(answer).toBeRefused());
        // Which keys are taken is left open.
        on.need.that(answer.exchange.response && answer.accepted, 'this key is not taken');
        answers.push(answer);
      }
      await on.hold(
        'TRANSFER-IDEMPOTENCY-KEYS-INDEPENDENT',
        () => {
          const ids = answers.map(({ body }) => folded(body?.id));
          expect(new Set(ids).size, `actions of two keys that differ ${says}`).toBe(2);
        },
        answers,
      );
    });
  },
);

test(
  'however often a key is sent, there is one action, and the amount leaves the account once',
  verifies('TRANSFER-IDEMPOTENCY-ONE-ACTION', 'TRANSFER-IDEMPOTENCY-MONEY-ONCE'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    const account = await SourceAccount.of(agent);
    const amount = amountOfItsOwn(BELOW);
    await agent.needTransfer({ amount }, 'an equal transfer-out, for what one costs');
    const single = await account.untilTaken(amount);
    need.that(single.amount >= amount, 'the balance shows no movement for an executed transfer-out');

    const idempotencyKey = randomUUID();
    const first = await sentOnce(agent, amount, idempotencyKey);
    need(first).accepted();
    const settled = single.amount + amount;
    need.that((await account.untilTaken(settled)).amount >= settled, 'the amount did not leave in time');
    await replayWorks(agent, first, amount, idempotencyKey);
    await replay(agent, amount, idempotencyKey);

    const { list, ids, shows } = await actionsOf(agent, amount);
    // The equal one is the other.
    if (shows(first))
      await check(
        'TRANSFER-IDEMPOTENCY-ONE-ACTION',
        () => expect(ids.length, 'actions of these amounts').toBeLessThanOrEqual(2),
        [list],
      );
    // Twice what one costs, fees included, and half an amount for fees that differ.
    const forbidden = 2 * single.amount + amount / 2;
    const after = await account.takenAfterwards();
    await check('TRANSFER-IDEMPOTENCY-MONEY-ONCE', () => expect(after).toHaveTaken({ below: forbidden }), [
      after.answer,
    ]);
    need.offered(shows(first), "this target offers no list of an agent's actions");
  },
);

test(
  'a key sent again with another body submits no second action',
  verifies('TRANSFER-IDEMPOTENCY-OTHER-BODY'),
  async ({ given, check, observe }) => {
    const agent = await given.agent();
    const idempotencyKey = randomUUID();
    const amount = amountOfItsOwn(ORDINARY_AMOUNT);
    const other = amountOfItsOwn(BELOW);
    await agent.needTransfer(
      { amount: other },
      { idempotencyKey: randomUUID(), label: 'the other body with a key of its own' },
    );
    const first = await agent.needTransfer(
      { amount },
      { idempotencyKey, label: 'a transfer-out with a key' },
    );
    await replayWorks(agent, first, amount, idempotencyKey);

    const mixed = await replay(agent, other, idempotencyKey, 'another transfer-out with the same key');
    await check('TRANSFER-IDEMPOTENCY-OTHER-BODY', () => {
      if (mixed.accepted) expect(folded(mixed.body.id)).toBe(folded(first.body.id));
      else expect(mixed).toBeRefused();
    });
    observe('idempotency-key-other-body', mixed.accepted ? 'the first response' : mixed, mixed);
    // One action with this key, and one of the control: the answer alone would not tell of a third.
    const { list, ids, shows } = await actionsOf(agent, amount, other);
    if (shows(first))
      await check(
        'TRANSFER-IDEMPOTENCY-OTHER-BODY',
        () => expect(ids.length, 'actions of these amounts').toBeLessThanOrEqual(2),
        [list],
      );
  },
);

for (const [past, agentOf, change] of [
  ['was approved', undefined, needApprove],
  ['was rejected', undefined, needReject],
  ['has failed', (given: Given) => given.agentThatCannotExecute({ approvalThreshold: 1 }), needFailed],
] as const)
  test(
    `after the action ${past}, its key still returns the first response`,
    verifies('TRANSFER-IDEMPOTENCY-AFTER-STATE-CHANGE'),
    async ({ given, check }) => {
      const agent = await (agentOf?.(given) ?? given.agent({ approvalThreshold: THRESHOLD }));
      const idempotencyKey = randomUUID();
      const amount = agent.state.amount ?? amountOfItsOwn(ABOVE);
      const answer = await replay(agent, amount, idempotencyKey, 'a transfer-out that waits for approval');
      // What cannot be executed may be refused at once.
      agent.need(answer).available();
      const { id } = needPending(agent, answer);
      await replayWorks(agent, answer, amount, idempotencyKey);
      await change(agent, id);
      const again = await replay(
        agent,
        amount,
        idempotencyKey,
        `the same transfer-out with the same key, after the action ${past}`,
      );
      await check('TRANSFER-IDEMPOTENCY-AFTER-STATE-CHANGE', () => expectSameResponse(again, answer));
      const { list, ids, shows } = await actionsOf(agent, amount);
      if (shows(answer))
        await check(
          'TRANSFER-IDEMPOTENCY-AFTER-STATE-CHANGE',
          () => expect(ids.length, 'actions of this amount').toBeLessThanOrEqual(1),
          [list],
        );
    },
  );

test(
  'equal transfer-outs with one key at the same moment take their amount once',
  verifies('TRANSFER-IDEMPOTENCY-CONCURRENT'),
  async ({ given, need, check, observe }) => {
    const agent = await given.agent();
    const account = await SourceAccount.of(agent);
    const single = await account.needMove();
    const control = randomUUID();
    const first = await replay(agent, ORDINARY_AMOUNT, control, 'a transfer-out with a key of its own');
    need(first).accepted();
    await replayWorks(agent, first, ORDINARY_AMOUNT, control);

    const before = await account.taken();
    const idempotencyKey = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, turn) =>
        replay(agent, BELOW, idempotencyKey, `transfer-out ${turn + 1} of ${AT_ONCE} at once`),
      ),
    );
    need.that(answers.some(succeeded), 'none of the transfer-outs at once was accepted');
    const refused = answers.find((answer) => !succeeded(answer));
    observe('idempotency-in-flight', refused ?? 'the first response', ...answers);
    need.that(
      (await account.untilTaken(before.amount + BELOW)).amount >= before.amount + BELOW,
      'the amount did not leave in time',
    );
    // What one costs, fees included, and half an amount for fees that differ.
    const forbidden = before.amount + single + BELOW / 2;
    const after = await account.takenAfterwards();
    await check('TRANSFER-IDEMPOTENCY-CONCURRENT', () => expect(after).toHaveTaken({ below: forbidden }), [
      after.answer,
    ]);
  },
);

test(
  "the key of one agent gives another customer's agent nothing of it",
  verifies('TRANSFER-IDEMPOTENCY-PER-AGENT'),
  async ({ given, need, check }) => {
    const owner = await given.agent();
    const other = await given.agent();
    need.offered(
      !sameId(owner.state.customerId, other.state.customerId),
      'two agents of different customers are needed',
    );
    await other.needTransfer(
      {},
      { idempotencyKey: randomUUID(), label: 'the other agent sends with a key of its own' },
    );
    const idempotencyKey = randomUUID();
    const first = await owner.needTransfer({}, { idempotencyKey, label: 'the first agent sends with a key' });
    await replayWorks(owner, first, ORDINARY_AMOUNT, idempotencyKey);

    const own = await other.transferOut(
      {},
      { idempotencyKey, label: 'the other agent sends its own transfer-out with that key' },
    );
    await check('TRANSFER-IDEMPOTENCY-PER-AGENT', () =>
      expect(own.accepted ? folded(own.body.id) : undefined).not.toBe(folded(first.body.id)),
    );

    const body = owner.transferOutBody();
    const stolen = await other.transferOut(body, {
      idempotencyKey,
      label: "the other agent sends the first agent's transfer-out with that key",
    });
    await check('TRANSFER-IDEMPOTENCY-PER-AGENT', () =>
      expect(stolen.accepted ? folded(stolen.body.id) : undefined).not.toBe(folded(first.body.id)),
    );
  },
);

/** The platform approves what cannot be executed. */
async function needFailed(agent: Agent, id: string): Promise<void> {
  // A service may see beforehand that the execution must fail, and refuse the approval.
  agent.need(await agent.approve(id)).available();
  const seen = await readUntil(agent, id, ({ action }) => action.status === 'FAILED');
  agent.need.that(seen?.action.status === 'FAILED', 'the action is not seen to fail');
}

/**
 * The first transfer-out with a key. An answer of 5xx does not say what has been done: as every client does, it is sent
 * again, and must have been done once.
 */
async function sentOnce(agent: Agent, amount: number, idempotencyKey: string): Promise<Answer> {
  const first = await replay(agent, amount, idempotencyKey, 'a transfer-out with a key');
  if ((first.exchange.response?.status ?? 0) < 500) return first;
  return replay(agent, amount, idempotencyKey, 'the same transfer-out with the same key after a 5xx');
}

/** A number, as it would stand in a column of numbers. */
function digitsOf(unique: string): string {
  return BigInt(`0x${unique.slice(0, 12)}`).toString();
}
