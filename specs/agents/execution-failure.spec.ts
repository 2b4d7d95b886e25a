import type { Check } from '../../suite/check.ts';
import {
  expect,
  test,
  verifies,
  type Agent,
  type Answer,
  type Need,
  type Platform,
  type Profile,
} from '../../suite/index.ts';
import { THRESHOLD } from '../support/agents.ts';
import { type Sighting, approved, idOf, pendingAction, readUntil, sightingOf } from '../support/actions.ts';

test(
  'an action that the policy approved becomes FAILED when its execution fails',
  verifies('ACTION-EXECUTION-FAILURE', 'ACTION-EXECUTION-FAILURE-NOT-REJECTED'),
  async ({ given, need, check, observe, profile }) => {
    const agent = await given.agentThatCannotExecute();
    const answer = await agent.transferOut(
      { amount: agent.state.amount },
      { label: 'a transfer-out that cannot be executed' },
    );
    observe('insufficient-funds', answer.body?.status ?? answer.outcome, answer);
    // Insufficient funds may be refused at once, as an invalid parameter.
    need(answer).available();
    need.that(
      answer.body?.status !== 'PENDING_APPROVAL',
      'the transfer-out that should run at once waits for approval',
    );
    const seen = await failed(agent, answer, need, profile);
    await expectFailed(check, seen, answer);
    observe(
      'failed-execution-effects',
      seen.action.transaction ? 'with a transaction' : 'without a transaction',
      seen.answer,
    );
  },
);

test(
  'an action that the platform approved becomes FAILED, not REJECTED, when its execution fails',
  verifies('ACTION-EXECUTION-FAILURE', 'ACTION-EXECUTION-FAILURE-NOT-REJECTED'),
  async ({ given, need, check, platform, profile }) => {
    await expectApprovalToWork(await given.agent({ approvalThreshold: THRESHOLD }), platform, need);
    const agent = await given.agentThatCannotExecute({ approvalThreshold: 1 });
    const pending = await agent.transferOut(
      { amount: agent.state.amount },
      { label: 'a transfer-out that waits and cannot be executed' },
    );
    need(pending).available();
    const id = idOf(pending, need);
    need.that(
      pending.body?.status === 'PENDING_APPROVAL',
      'the transfer-out that should wait for approval does not',
    );
    const decision = await platform.approve(agent.state.agentId, id);
    // A service may see beforehand that the execution must fail, and refuse the approval.
    need(decision).available();

    const seen = await failed(agent, decision, need, profile, id);
    await expectFailed(check, seen, decision);
  },
);

/** Statuses of a transaction that is not over. */
const UNDER_WAY = new Set<unknown>(['PENDING', 'PROCESSING', 'PENDING_AUTHORIZATION']);

/** FAILED and nothing else: REJECTED is the platform's word, and nothing waits for approval twice. */
async function expectFailed(check: Check, { action }: Sighting, evidence: Answer): Promise<void> {
  const neverBack = () => expect(['REJECTED', 'PENDING_APPROVAL']).not.toContain(action.status);
  const kept = await check('ACTION-EXECUTION-FAILURE-NOT-REJECTED', neverBack, [evidence]);
  if (kept)
    await check('ACTION-EXECUTION-FAILURE', () => expect(action.status).toBe('FAILED'), {
      evidence: [evidence],
      assumes: ['effectSeconds'],
    });
}

/** The control: here an approval takes effect, and the execution of what can be executed begins. */
async function expectApprovalToWork(agent: Agent, platform: Platform, need: Need): Promise<void> {
  const { id } = await pendingAction(agent, need);
  const decided = await approved(agent, platform, need, id);
  const begun = ({ action }: Sighting) => Boolean(action.transaction);
  const seen = begun(decided) ? decided : await readUntil(agent, id, begun);
  need.that(seen === undefined || begun(seen), 'no execution begins after an approval');
}

/** The action once it has failed, or the last sight of it, where the state promises that the execution fails. */
async function failed(
  agent: Agent,
  answer: Answer,
  need: Need,
  profile: Profile,
  id = idOf(answer, need),
): Promise<Sighting> {
  const answered = sightingOf(answer, id);
  const read =
    answered?.action.status === 'FAILED'
      ? answered
      : await readUntil(agent, id, ({ action }) => action.status === 'FAILED');
  const seen = need.offered(read, 'this target offers no read of an action, so it cannot be seen to fail');
  need.that(
    seen.action.status !== 'APPROVED' || !UNDER_WAY.has(seen.action.transaction?.['status']),
    'the execution is still under way',
  );
  // Prepared by public calls, the failure is a guess: an account may be overdrawn.
  const promised = profile.preparation !== 'public-calls' || seen.action.transaction?.['status'] === 'FAILED';
  need.offered(promised || seen.action.status !== 'APPROVED', 'nothing shows that the execution failed');
  return seen;
}
