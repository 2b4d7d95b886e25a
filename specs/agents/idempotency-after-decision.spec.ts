import { randomUUID } from 'node:crypto';
import { test, verifies } from '../../suite/index.ts';
import { ABOVE, THRESHOLD } from './support/amounts.ts';
import { approved, pendingAction, rejected } from './support/pending.ts';
import { expectSameResponse, replay, replayWorks } from './support/replay.ts';

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
      const { id, answer } = await pendingAction(agent, need, ABOVE, idempotencyKey);
      await replayWorks(agent, need, answer, ABOVE, idempotencyKey);
      await decide(agent, platform, need, id);
      const again = await replay(
        agent,
        ABOVE,
        idempotencyKey,
        `the same transfer-out with the same key, after the action was ${past}`,
      );
      await check('TRANSFER-IDEMPOTENCY-AFTER-STATE-CHANGE', () => expectSameResponse(again, answer));
    },
  );
