import { randomUUID } from 'node:crypto';
import {
  expect,
  movesClock,
  ORDINARY_AMOUNT,
  survey,
  test,
  verifies,
  type Answer,
} from '../../suite/index.ts';
import { folded, sameId } from '../../suite/same-id.ts';
import { expectSameResponse, replay, replayWorks } from '../support/replay.ts';

/** How long keys are remembered is not stated: after these seconds nobody can have forgotten one. */
const SOON_SECONDS = 10 * 60;

/** Two keys that are nearly the same, and in what they differ. No uuids: their letters may be read in any case. */
const NEAR: readonly {
  readonly says: string;
  readonly keys: (unique: string) => readonly [string, string];
}[] = [
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
  'keys that differ a little make different actions',
  verifies('TRANSFER-IDEMPOTENCY-KEYS-INDEPENDENT'),
  async ({ given, check }) => {
    const agent = await given.agent();
    const inputs = NEAR.map(({ says }, at) => ({ says, at }));

    await survey(check, inputs, async ({ says, at }, on) => {
      const keys = on.must(NEAR[at], 'there are no such keys').keys(randomUUID().replaceAll('-', ''));
      const answers: Answer[] = [];
      for (const key of keys) {
        const label = `a transfer-out with a key that differs from another ${says}`;
        const answer = on.told(await replay(agent, ORDINARY_AMOUNT, key, label));
        // Which keys are taken is left open.
        on.must(answer.exchange.response && answer.accepted, 'this key is not taken');
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
  'a key is still known some minutes later',
  movesClock(verifies('TRANSFER-IDEMPOTENCY-SAME-RESPONSE')),
  async ({ given, need, check, clock }) => {
    const agent = await given.agent();
    const idempotencyKey = randomUUID();
    const first = await replay(agent, ORDINARY_AMOUNT, idempotencyKey, 'a transfer-out with a key');
    need(first).accepted();
    await replayWorks(agent, first, ORDINARY_AMOUNT, idempotencyKey);
    await clock.advance(SOON_SECONDS, agent.state.customerId);
    const later = await replay(
      agent,
      ORDINARY_AMOUNT,
      idempotencyKey,
      'the same transfer-out with the same key ten minutes later',
    );
    await check('TRANSFER-IDEMPOTENCY-SAME-RESPONSE', () => expectSameResponse(later, first));
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
    await other.mustTransfer(
      {},
      { idempotencyKey: randomUUID(), label: 'the other agent sends with a key of its own' },
    );
    const idempotencyKey = randomUUID();
    const first = await owner.mustTransfer({}, { idempotencyKey, label: 'the first agent sends with a key' });
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

/** A number, as it would stand in a column of numbers. */
function digitsOf(unique: string): string {
  return BigInt(`0x${unique.slice(0, 12)}`).toString();
}
