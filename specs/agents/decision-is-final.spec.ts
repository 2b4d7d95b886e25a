import { expect, test, verifies, type Agent } from '../../suite/index.ts';
import {
  ABOVE,
  approved,
  idOf,
  pendingAction,
  readAction,
  readUntil,
  rejected,
  sightingOf,
  THRESHOLD,
} from '../support/actions.ts';
import { SourceAccount } from '../support/source-account.ts';

test(
  'the approval of a rejected action leaves it rejected',
  verifies('ACTION-APPROVE-ONLY-PENDING'),
  async ({ given, need, check, observe, platform }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const { id } = await pendingAction(agent, need);
    await rejected(agent, platform, need, id);
    await readsShow(agent, id, 'REJECTED');
    const late = await platform.approve(agent.state.agentId, id, {
      label: 'the platform approves the rejected action',
    });
    observe('approve-after-reject', late);
    const seen = need.offered(
      (await readAction(agent, id)) ?? sightingOf(late, id),
      'this target offers no read of an action',
    );
    await check('ACTION-APPROVE-ONLY-PENDING', () => expect(seen.action.status).toBe('REJECTED'), [late]);
  },
);

test(
  'the approval of a rejected action moves no money',
  verifies('ACTION-APPROVE-ONLY-PENDING'),
  async ({ given, need, check, platform, profile }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const account = await SourceAccount.open({ agent, platform, profile, need });
    const { id } = await pendingAction(agent, need, ABOVE);
    await rejected(agent, platform, need, id);
    // Funds that were held back may return late, and what a rejection takes is another rule's matter.
    need.that(
      (await account.untilLessTaken(ABOVE)).amount < ABOVE,
      'the amount had left before the late approval',
    );
    await platform.approve(agent.state.agentId, id, { label: 'the platform approves the rejected action' });
    await account.mustMove();
    const after = await account.watch(ABOVE);
    await check('ACTION-APPROVE-ONLY-PENDING', () => expect(after.amount).toBeLessThan(ABOVE), [
      after.answer,
    ]);
  },
);

test(
  'the rejection of an approved action does not make it rejected',
  verifies('ACTION-REJECT-ONLY-PENDING'),
  async ({ given, need, check, observe, platform }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    await rejected(agent, platform, need, (await pendingAction(agent, need)).id);

    const { id } = await pendingAction(agent, need);
    await approved(agent, platform, need, id);
    const late = await platform.reject(agent.state.agentId, id, {
      label: 'the platform rejects the approved action',
    });
    observe('approve-after-reject', late);
    const seen = need.offered(
      (await readAction(agent, id)) ?? sightingOf(late, id),
      'this target offers no read of an action',
    );
    await check('ACTION-REJECT-ONLY-PENDING', () => expect(seen.action.status).not.toBe('REJECTED'), [late]);
  },
);

test(
  'the rejection of an action that the policy approved does not make it rejected',
  verifies('ACTION-REJECT-ONLY-PENDING'),
  async ({ given, need, check, platform }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    await rejected(agent, platform, need, (await pendingAction(agent, need)).id);

    const automatic = await agent.transferOut();
    need(automatic).accepted();
    need.that(
      automatic.body.status === 'APPROVED',
      'the transfer-out that needs no approval is not approved',
    );
    const id = idOf(automatic, need);
    const late = await platform.reject(agent.state.agentId, id, {
      label: 'the platform rejects the approved action',
    });
    const seen = need.offered(
      (await readAction(agent, id)) ?? sightingOf(late, id),
      'this target offers no read of an action',
    );
    await check('ACTION-REJECT-ONLY-PENDING', () => expect(seen.action.status).not.toBe('REJECTED'), [late]);
  },
);

test(
  'the same decision once more changes nothing',
  verifies('ACTION-READ-STATUS'),
  async ({ given, need, check, observe, platform }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const first = await pendingAction(agent, need);
    const second = await pendingAction(agent, need);
    await approved(agent, platform, need, first.id);
    await readsShow(agent, first.id, 'APPROVED');
    observe(
      'approve-twice',
      await platform.approve(agent.state.agentId, first.id, {
        label: 'the platform approves the action again',
      }),
    );
    const afterApprovals = need.offered(
      await readAction(agent, first.id),
      'this target offers no read of an action',
    );
    await check('ACTION-READ-STATUS', () => expect(afterApprovals.action.status).toBe('APPROVED'));

    await rejected(agent, platform, need, second.id);
    await readsShow(agent, second.id, 'REJECTED');
    observe(
      'reject-twice',
      await platform.reject(agent.state.agentId, second.id, {
        label: 'the platform rejects the action again',
      }),
    );
    const afterRejections = need.offered(
      await readAction(agent, second.id),
      'this target offers no read of an action',
    );
    await check('ACTION-READ-STATUS', () => expect(afterRejections.action.status).toBe('REJECTED'));
  },
);

/** Waits until a read shows the decision: how soon reads follow is not stated, and what follows is read at once. */
async function readsShow(agent: Agent, actionId: string, status: string): Promise<void> {
  await readUntil(agent, actionId, ({ action }) => action.status === status);
}
