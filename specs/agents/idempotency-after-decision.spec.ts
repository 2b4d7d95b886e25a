import { randomUUID } from 'node:crypto';
import { expect, test, verifies } from '../../suite/index.ts';
import { ABOVE, THRESHOLD, amountOfItsOwn } from '../support/agents.ts';
import { actionsOf, approved, pendingAction, rejected } from '../support/actions.ts';
import { expectSameResponse, replay, replayWorks } from '../support/replay.ts';

for (const [past, decide] of [
  ['approved', approved],
  ['rejected', rejected],
] as const)
  test(
    `after the action was ${past}, its key still returns the first response`,
    verifies('TRANSFER-IDEMPOTENCY-AFTER-STATE-CHANGE'),
    async ({ given, need, check, platform }) => {
      const agent = await given.agent({ approvalThreshold: THRESHOLD });
      const idempotencyKey = randomUUID();
      const amount = amountOfItsOwn(ABOVE);
      const { id, answer } = await pendingAction(agent, need, amount, idempotencyKey);
      await replayWorks(agent, need, answer, amount, idempotencyKey);
      await decide(agent, platform, need, id);
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
