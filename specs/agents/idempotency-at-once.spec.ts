import { randomUUID } from 'node:crypto';
import { expect, ORDINARY_AMOUNT, test, verifies } from '../../suite/index.ts';
import { replay, replayWorks } from './support/replay.ts';
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
      const answers = await Promise.all(
        Array.from({ length: count }, (_, turn) =>
          replay(agent, ORDINARY_AMOUNT, idempotencyKey, `transfer-out ${turn + 1} of ${count} at once`),
        ),
      );
      const later = await replay(
        agent,
        ORDINARY_AMOUNT,
        idempotencyKey,
        'the same transfer-out once more, later',
      );
      const accepted = [...answers, later].filter((answer) => answer.exchange.response && answer.accepted);
      need.that(accepted.length > 0, 'none of the transfer-outs at once was accepted');
      // While the first is under way, the others may be refused: only two different actions prove a breach.
      const refused = answers.find((answer) => !accepted.includes(answer));
      observe('idempotency-in-flight', refused ?? 'the first response', ...answers);
      await check('TRANSFER-IDEMPOTENCY-CONCURRENT', () =>
        expect(new Set(accepted.map((answer) => folded(answer.body.id))).size).toBe(1),
      );
    },
  );
