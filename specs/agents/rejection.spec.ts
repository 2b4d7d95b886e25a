import { expect, test, verifies } from '../../suite/index.ts';
import { NOT_FOR_AGENTS } from '../support/agents.ts';
import {
  ABOVE,
  afterDecision,
  pending,
  readAction,
  readUntil,
  mustReject,
  THRESHOLD,
} from '../support/actions.ts';
import { SourceAccount } from '../support/source-account.ts';

test(
  "the platform's rejection moves a pending action to REJECTED",
  verifies('ACTION-REJECT-REJECTS'),
  async ({ given, need, check, observe }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const { id } = await pending(agent);
    const decision = await agent.reject(id);
    observe('reject-operation', decision);
    need(decision).available();

    const seen = need.offered(
      await afterDecision(agent, decision, id, 'REJECTED'),
      'neither the answer to the rejection nor a read shows the action',
    );
    await check('ACTION-REJECT-REJECTS', () => expect(seen.action.status).toBe('REJECTED'));
    observe(
      'rejection-reason-without-reason',
      typeof seen.action.rejectionReason === 'string' ? 'yes' : 'no',
      seen.answer,
    );
  },
);

test(
  'a rejection with a reason sets rejectionReason',
  verifies('ACTION-REJECT-REASON'),
  async ({ given, check, observe }) => {
    const reason = 'The recipient is not known to us.';
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const { id } = await pending(agent);
    const decided = await mustReject(agent, id, reason);
    const seen =
      typeof decided.action.rejectionReason === 'string'
        ? decided
        : ((await readUntil(agent, id, ({ action }) => action.status === 'REJECTED')) ?? decided);
    await check('ACTION-REJECT-REASON', () => {
      expect(seen.action.rejectionReason).toEqual(expect.any(String));
      expect(seen.action.rejectionReason).not.toBe('');
    });
    observe('rejection-reason-text', seen.action.rejectionReason === reason ? 'yes' : 'no', seen.answer);
  },
);

test(
  'a rejected action is never executed: its amount stays in the source account',
  verifies('ACTION-REJECT-NOT-EXECUTED'),
  async ({ given, need, check }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const account = await SourceAccount.of(agent);
    const { id } = await pending(agent, ABOVE);
    const before = await account.taken();
    await mustReject(agent, id);
    // Funds that were held back while the action waited come back now.
    if (before.amount >= ABOVE)
      need.that(
        (await account.untilLessTaken(ABOVE)).amount < ABOVE,
        'the amount had left before the rejection',
      );
    await account.mustMove();
    const after = await account.watch(ABOVE);
    await check('ACTION-REJECT-NOT-EXECUTED', () => expect(after.amount).toBeLessThan(ABOVE), [after.answer]);
  },
);

test(
  'a read shows a rejected action as rejected',
  verifies('ACTION-READ-STATUS'),
  async ({ given, need, check }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const { id } = await pending(agent);
    await mustReject(agent, id);
    const seen = need.offered(
      await readUntil(agent, id, ({ action }) => action.status === 'REJECTED'),
      'this target offers no read of a rejected action',
    );
    await check('ACTION-READ-STATUS', () => expect(seen.action.status).toBe('REJECTED'));
  },
);

test(
  'an agent cannot reject, not even its own action',
  verifies('ACTION-REJECT-NEEDS-PLATFORM'),
  async ({ given, check }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    await mustReject(agent, (await pending(agent)).id);

    const { id } = await pending(agent);
    const attempt = await agent.reject(id, {
      authorization: agent.authorization,
      label: 'the agent tries to reject its own action',
    });
    const refused = await check('ACTION-REJECT-NEEDS-PLATFORM', () =>
      expect(attempt).toBeRefused(...NOT_FOR_AGENTS),
    );
    const seen = await readAction(agent, id);
    if (refused && seen)
      await check('ACTION-REJECT-NEEDS-PLATFORM', () => expect(seen.action.status).toBe('PENDING_APPROVAL'));
  },
);
