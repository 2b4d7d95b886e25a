import { expect, movesClock, test, verifies, type Agent } from '../../suite/index.ts';
import {
  mustApprove,
  betweenClocks,
  elapsed,
  instantOf,
  pending,
  readUntil,
  mustReject,
  THRESHOLD,
  type Action,
  type Instant,
  type Sighting,
} from '../support/actions.ts';

/** How far the clock is moved, where it can be: beyond the resolution of any clock. */
const SECONDS = 5;

/** Less than any time zone is away from its neighbour, more than clocks that are kept differ. In minutes. */
const TOLERANCE_MINUTES = 10;

const DECISIONS = { approval: mustApprove, rejection: mustReject } as const;

test(
  'updatedAt is not before createdAt',
  verifies('ACTION-UPDATED-AT-NOT-BEFORE-CREATED'),
  async ({ given, check, observe }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const automatic = await agent.mustTransfer();
    await check('ACTION-UPDATED-AT-NOT-BEFORE-CREATED', () => expectInOrder(automatic.body as Action));
    observe(
      'timestamp-form',
      typeof automatic.body.createdAt === 'string' ? automatic.body.createdAt.replace(/\d/g, '0') : 'none',
      automatic,
    );

    const { id, answer } = await pending(agent);
    await check('ACTION-UPDATED-AT-NOT-BEFORE-CREATED', () => expectInOrder(answer.body as Action));
    const decided = await mustApprove(agent, id);
    await check('ACTION-UPDATED-AT-NOT-BEFORE-CREATED', () => expectInOrder(decided.action), [
      decided.answer,
    ]);
  },
);

test(
  'createdAt is the time of the submission',
  verifies('ACTION-CREATED-AT-SUBMISSION'),
  async ({ given, need, check, clock }) => {
    const agent = await given.agent();
    const offset = await clock.offset(agent.state);
    const answer = await agent.mustTransfer();
    const created = stamp(agent, answer.body as Action, 'createdAt');
    const sent = Date.parse(answer.header('date') ?? '');
    need.that(!Number.isNaN(sent), 'the answer has no Date that the time could be held against');
    const minutes = betweenClocks(created.at, sent, offset) / 60_000;
    await check(
      'ACTION-CREATED-AT-SUBMISSION',
      () =>
        expect(minutes, 'minutes between createdAt and the Date of the answer').toBeLessThan(
          TOLERANCE_MINUTES,
        ),
      [answer],
    );
  },
);

for (const [decision, decide] of Object.entries(DECISIONS)) {
  test(
    `the ${decision} does not change createdAt`,
    verifies('ACTION-CREATED-AT-STABLE'),
    async ({ given, check }) => {
      const agent = await given.agent({ approvalThreshold: THRESHOLD });
      const { id, answer } = await pending(agent);
      const submitted = stamp(agent, answer.body as Action, 'createdAt');
      const after = await decideAndRead(agent, id, decide);
      const seen = stamp(agent, after.action, 'createdAt');
      await check('ACTION-CREATED-AT-STABLE', () => expect(elapsed(submitted, seen)).toBe(0), [
        answer,
        after.answer,
      ]);
    },
  );

  test(
    `updatedAt never goes back with the ${decision}`,
    verifies('ACTION-UPDATED-AT-FOLLOWS'),
    async ({ given, check }) => {
      const agent = await given.agent({ approvalThreshold: THRESHOLD });
      const { id, answer } = await pending(agent);
      const before = stamp(agent, answer.body as Action, 'updatedAt');
      const after = await decideAndRead(agent, id, decide);
      const seen = stamp(agent, after.action, 'updatedAt');
      await check(
        'ACTION-UPDATED-AT-FOLLOWS',
        () => expect(elapsed(before, seen)).toBeGreaterThanOrEqual(0),
        [answer, after.answer],
      );
    },
  );

  test(
    `after some time, the ${decision} moves updatedAt and leaves createdAt`,
    movesClock(verifies('ACTION-UPDATED-AT-FOLLOWS', 'ACTION-CREATED-AT-STABLE')),
    async ({ given, check, clock }) => {
      const agent = await given.agent({ approvalThreshold: THRESHOLD });
      const { id, answer } = await pending(agent);
      const created = stamp(agent, answer.body as Action, 'createdAt');
      const updated = stamp(agent, answer.body as Action, 'updatedAt');
      await clock.advance(SECONDS, agent.state.customerId);
      const after = await decideAndRead(agent, id, decide);
      const createdThen = stamp(agent, after.action, 'createdAt');
      const updatedThen = stamp(agent, after.action, 'updatedAt');
      await check('ACTION-CREATED-AT-STABLE', () => expect(elapsed(created, createdThen)).toBe(0), [
        answer,
        after.answer,
      ]);
      await check(
        'ACTION-UPDATED-AT-FOLLOWS',
        () => expect(elapsed(updated, updatedThen)).toBeGreaterThan(0),
        [answer, after.answer],
      );
    },
  );
}

async function decideAndRead(
  agent: Agent,
  id: string,
  decide: (typeof DECISIONS)['approval'],
): Promise<Sighting> {
  const decided = await decide(agent, id);
  // How soon reads follow is not stated: one that still shows the action as it was tells nothing of the decision.
  const isDecided = ({ action }: Sighting) => action.status === decided.action.status;
  const read = await readUntil(agent, id, isDecided);
  return read && isDecided(read) ? read : decided;
}

function expectInOrder(action: Action): void {
  const created = instantOf(action.createdAt);
  const updated = instantOf(action.updatedAt);
  expect(created && updated ? elapsed(created, updated) : Number.NaN).toBeGreaterThanOrEqual(0);
}

function stamp({ need }: Agent, action: Action, field: 'createdAt' | 'updatedAt'): Instant {
  return need.that(instantOf(action[field]), `the action came without a ${field} that can be read`);
}
