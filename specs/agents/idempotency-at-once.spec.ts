import { randomUUID } from 'node:crypto';
import { expect, ORDINARY_AMOUNT, test, verifies, type Agent, type Answer } from '../../suite/index.ts';
import { BELOW, amountOfItsOwn } from '../support/agents.ts';
import { actionsOf } from '../support/actions.ts';
import { SourceAccount } from '../support/source-account.ts';
import { replay, replayWorks } from '../support/replay.ts';
import { folded } from '../../suite/same-id.ts';

for (const count of [2, 8])
  test(
    `${count} equal transfer-outs with one key at the same moment make one action`,
    verifies('TRANSFER-IDEMPOTENCY-CONCURRENT'),
    async ({ given, need, check, observe }) => {
      const agent = await given.agent();
      const control = randomUUID();
      const first = await replay(agent, ORDINARY_AMOUNT, control, 'a transfer-out with a key of its own');
      need(first).accepted();
      await replayWorks(agent, need, first, ORDINARY_AMOUNT, control);

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
  async ({ given, need, check, platform, profile }) => {
    const agent = await given.agent();
    const account = await SourceAccount.open({ agent, platform, profile, need });
    const single = await account.mustMove();
    const control = randomUUID();
    const first = await replay(agent, ORDINARY_AMOUNT, control, 'a transfer-out with a key of its own');
    need(first).accepted();
    await replayWorks(agent, need, first, ORDINARY_AMOUNT, control);

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
