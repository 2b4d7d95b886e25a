import { expect, movesClock, test, verifies, type Agent } from '../../suite/index.ts';
import {
  mustApprove,
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

for (const [decision, decide] of Object.entries(DECISIONS))
  for (const seconds of [0, SECONDS]) {
    const named = verifies('ACTION-CREATED-AT-STABLE', 'ACTION-UPDATED-AT-FOLLOWS');
    test(
      seconds === 0
        ? `the ${decision} leaves createdAt, and updatedAt does not go back`
        : `after some time, the ${decision} moves updatedAt and leaves createdAt`,
      seconds === 0 ? named : movesClock(named),
      async ({ given, check, clock }) => {
        const agent = await given.agent({ approvalThreshold: THRESHOLD });
        const { id, answer } = await pending(agent);
        if (seconds > 0) await clock.advance(seconds, agent.state.customerId);
        const after = await decideAndRead(agent, id, decide);
        const evidence = [answer, after.answer];
        const between = (field: 'createdAt' | 'updatedAt') =>
          elapsed(stamp(agent, answer.body as Action, field), stamp(agent, after.action, field));
        const created = between('createdAt');
        await check('ACTION-CREATED-AT-STABLE', () => expect(created).toBe(0), evidence);
        const updated = between('updatedAt');
        await check(
          'ACTION-UPDATED-AT-FOLLOWS',
          () =>
            seconds === 0 ? expect(updated).toBeGreaterThanOrEqual(0) : expect(updated).toBeGreaterThan(0),
          evidence,
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
