import { randomUUID } from 'node:crypto';
import { expect, ORDINARY_AMOUNT, test, verifies } from '../../suite/index.ts';
import { replayWorks } from '../support/replay.ts';
import { folded } from '../../suite/same-id.ts';

test(
  'the key of one agent gives another agent nothing of it',
  verifies('TRANSFER-IDEMPOTENCY-PER-AGENT'),
  async ({ given, need, check }) => {
    const owner = await given.agent();
    const other = await given.agent();
    need.offered(owner.state.agentId !== other.state.agentId, 'two agents are needed');
    need(
      await other.transferOut(
        {},
        { idempotencyKey: randomUUID(), label: 'the other agent sends with a key of its own' },
      ),
    ).accepted();
    const idempotencyKey = randomUUID();
    const first = await owner.transferOut({}, { idempotencyKey, label: 'the first agent sends with a key' });
    need(first).accepted();
    await replayWorks(owner, need, first, ORDINARY_AMOUNT, idempotencyKey);

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
