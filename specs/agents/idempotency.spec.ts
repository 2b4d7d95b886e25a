import { randomUUID } from 'node:crypto';
import { expect, ORDINARY_AMOUNT, test, verifies, type Agent, type Answer } from '../../suite/index.ts';
import { folded } from '../../suite/same-id.ts';
import {
  ABOVE,
  actionsOf,
  amountOfItsOwn,
  mustApprove,
  BELOW,
  pending,
  mustReject,
  THRESHOLD,
} from '../support/actions.ts';
import { expectSameResponse, replay, replayWorks } from '../support/replay.ts';
import { SourceAccount } from '../support/source-account.ts';

test(
  'the same key sent again returns the same response',
  verifies('TRANSFER-IDEMPOTENCY-SAME-RESPONSE'),
  async ({ given, check }) => {
    const agent = await given.agent();
    const idempotencyKey = randomUUID();
    const first = await agent.mustTransfer({}, { idempotencyKey, label: 'a transfer-out with a key' });
    const again = await replay(agent, ORDINARY_AMOUNT, idempotencyKey);
    await check('TRANSFER-IDEMPOTENCY-SAME-RESPONSE', () => expectSameResponse(again, first));
    const third = await replay(
      agent,
      ORDINARY_AMOUNT,
      idempotencyKey,
      'the same transfer-out with the same key a third time',
    );
    await check('TRANSFER-IDEMPOTENCY-SAME-RESPONSE', () => expectSameResponse(third, first));
  },
);

test(
  'a transfer-out that waits for approval is not submitted again with its key',
  verifies('TRANSFER-IDEMPOTENCY-SAME-RESPONSE'),
  async ({ given, check }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const idempotencyKey = randomUUID();
    const waiting = await pending(agent, ABOVE, idempotencyKey);
    const again = await replay(agent, ABOVE, idempotencyKey);
    // Nothing has happened to the action in between, so that nothing of it may differ but when it was looked at.
    await check('TRANSFER-IDEMPOTENCY-SAME-RESPONSE', () => {
      expect(again).toBeAccepted();
      expect(folded(again.body?.id), 'id of the action').toBe(folded(waiting.id));
    });
  },
);

test('the key may be left out', verifies('TRANSFER-IDEMPOTENCY-OPTIONAL'), async ({ given, check }) => {
  const agent = await given.agent();
  await agent.mustTransfer({}, { idempotencyKey: randomUUID(), label: 'a transfer-out with a key' });
  const first = await agent.transferOut({ amount: ORDINARY_AMOUNT }, 'a transfer-out without a key');
  await check('TRANSFER-IDEMPOTENCY-OPTIONAL', () => expect(first).toBeAccepted());
  const second = await agent.transferOut(
    { amount: ORDINARY_AMOUNT + 1 },
    'another transfer-out without a key',
  );
  await check('TRANSFER-IDEMPOTENCY-OPTIONAL', () => expect(second).toBeAccepted());
  if (first.accepted && second.accepted)
    await check('TRANSFER-IDEMPOTENCY-OPTIONAL', () =>
      expect(folded(second.body.id)).not.toBe(folded(first.body.id)),
    );
});

test(
  'different keys make different actions, even with equal bodies',
  verifies('TRANSFER-IDEMPOTENCY-KEYS-INDEPENDENT'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    const first = await agent.transferOut(
      {},
      { idempotencyKey: randomUUID(), label: 'a transfer-out with one key' },
    );
    const second = await agent.transferOut(
      {},
      { idempotencyKey: randomUUID(), label: 'an equal transfer-out with another key' },
    );
    need(first).accepted();
    need(second).accepted();
    await check('TRANSFER-IDEMPOTENCY-KEYS-INDEPENDENT', () =>
      expect(folded(second.body.id)).not.toBe(folded(first.body.id)),
    );
  },
);

test(
  'requests with one key leave one action',
  verifies('TRANSFER-IDEMPOTENCY-ONE-ACTION'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    const amount = amountOfItsOwn(ORDINARY_AMOUNT);
    const idempotencyKey = randomUUID();
    const first = await sentOnce(agent, amount, idempotencyKey);
    need(first).accepted();
    await replayWorks(agent, first, amount, idempotencyKey);
    await replay(agent, amount, idempotencyKey);

    const { list, ids, shows } = await actionsOf(agent, amount);
    need.offered(shows(first), "this target offers no list of an agent's actions");
    await check('TRANSFER-IDEMPOTENCY-ONE-ACTION', () => expect(ids).toHaveLength(1), [list]);
  },
);

test(
  'however often a key is sent, the amount leaves the account once',
  verifies('TRANSFER-IDEMPOTENCY-MONEY-ONCE'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    const account = await SourceAccount.of(agent);
    await agent.mustTransfer({ amount: BELOW }, 'an equal transfer-out, for what one costs');
    const single = await account.untilTaken(BELOW);
    need.that(single.amount >= BELOW, 'the balance shows no movement for an executed transfer-out');

    const idempotencyKey = randomUUID();
    const first = await sentOnce(agent, BELOW, idempotencyKey);
    need(first).accepted();
    const settled = single.amount + BELOW;
    need.that((await account.untilTaken(settled)).amount >= settled, 'the amount did not leave in time');
    await replayWorks(agent, first, BELOW, idempotencyKey);
    await replay(agent, BELOW, idempotencyKey);

    // Twice what one costs, fees included, and half an amount for fees that differ.
    const forbidden = 2 * single.amount + BELOW / 2;
    const after = await account.watch(forbidden);
    await check('TRANSFER-IDEMPOTENCY-MONEY-ONCE', () => expect(after.amount).toBeLessThan(forbidden), [
      after.answer,
    ]);
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
    await agent.mustTransfer(
      { amount: other },
      { idempotencyKey: randomUUID(), label: 'the other body with a key of its own' },
    );
    const first = await agent.mustTransfer(
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
      await check('TRANSFER-IDEMPOTENCY-OTHER-BODY', () => expect(ids).toHaveLength(2), [list]);
  },
);

for (const [past, decide] of [
  ['approved', mustApprove],
  ['rejected', mustReject],
] as const)
  test(
    `after the action was ${past}, its key still returns the first response`,
    verifies('TRANSFER-IDEMPOTENCY-AFTER-STATE-CHANGE'),
    async ({ given, check }) => {
      const agent = await given.agent({ approvalThreshold: THRESHOLD });
      const idempotencyKey = randomUUID();
      const amount = amountOfItsOwn(ABOVE);
      const { id, answer } = await pending(agent, amount, idempotencyKey);
      await replayWorks(agent, answer, amount, idempotencyKey);
      await decide(agent, id);
      const again = await replay(
        agent,
        amount,
        idempotencyKey,
        `the same transfer-out with the same key, after the action was ${past}`,
      );
      await check('TRANSFER-IDEMPOTENCY-AFTER-STATE-CHANGE', () => expectSameResponse(again, answer));
      const { list, ids, shows } = await actionsOf(agent, amount);
      if (shows(answer))
        await check('TRANSFER-IDEMPOTENCY-AFTER-STATE-CHANGE', () => expect(ids).toHaveLength(1), [list]);
    },
  );

for (const count of [2, 8])
  test(
    `${count} equal transfer-outs with one key at the same moment make one action`,
    verifies('TRANSFER-IDEMPOTENCY-CONCURRENT'),
    async ({ given, need, check, observe }) => {
      const agent = await given.agent();
      const control = randomUUID();
      const first = await replay(agent, ORDINARY_AMOUNT, control, 'a transfer-out with a key of its own');
      need(first).accepted();
      await replayWorks(agent, first, ORDINARY_AMOUNT, control);

      const idempotencyKey = randomUUID();
      const amount = amountOfItsOwn(ORDINARY_AMOUNT);
      const answers = await atOnce(agent, count, amount, idempotencyKey);
      const later = await replay(agent, amount, idempotencyKey, 'the same transfer-out once more, later');
      const accepted = [...answers, later].filter((answer) => answer.exchange.response && answer.accepted);
      need.that(accepted.length > 0, 'none of the transfer-outs at once was accepted');
      // While the first is under way, the others may be refused: only two different actions prove a breach.
      const refused = answers.find((answer) => !accepted.includes(answer));
      observe('idempotency-in-flight', refused ?? 'the first response', ...answers);
      await check('TRANSFER-IDEMPOTENCY-CONCURRENT', () =>
        expect(new Set(accepted.map((answer) => folded(answer.body.id))).size).toBe(1),
      );
      // Behind one answered id there may be several actions.
      const { list, ids, shows } = await actionsOf(agent, amount);
      if (shows(accepted[0] as Answer))
        await check('TRANSFER-IDEMPOTENCY-CONCURRENT', () => expect(ids).toHaveLength(1), [list]);
    },
  );

test(
  'equal transfer-outs with one key at the same moment take their amount once',
  verifies('TRANSFER-IDEMPOTENCY-CONCURRENT'),
  async ({ given, need, check }) => {
    const agent = await given.agent();
    const account = await SourceAccount.of(agent);
    const single = await account.mustMove();
    const control = randomUUID();
    const first = await replay(agent, ORDINARY_AMOUNT, control, 'a transfer-out with a key of its own');
    need(first).accepted();
    await replayWorks(agent, first, ORDINARY_AMOUNT, control);

    const before = await account.taken();
    const answers = await atOnce(agent, 8, BELOW, randomUUID());
    need.that(
      answers.some((answer) => answer.exchange.response && answer.accepted),
      'none of the transfer-outs at once was accepted',
    );
    need.that(
      (await account.untilTaken(before.amount + BELOW)).amount >= before.amount + BELOW,
      'the amount did not leave in time',
    );
    // What one costs, fees included, and half an amount for fees that differ.
    const forbidden = before.amount + single + BELOW / 2;
    const after = await account.watch(forbidden);
    await check('TRANSFER-IDEMPOTENCY-CONCURRENT', () => expect(after.amount).toBeLessThan(forbidden), [
      after.answer,
    ]);
  },
);

/** Sends equal transfer-outs with one key at the same moment. */
function atOnce(agent: Agent, count: number, amount: number, idempotencyKey: string): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, turn) =>
      replay(agent, amount, idempotencyKey, `transfer-out ${turn + 1} of ${count} at once`),
    ),
  );
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
