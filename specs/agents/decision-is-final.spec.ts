import { expect, test, verifies, type Agent } from '../../suite/index.ts';
import {
  ABOVE,
  mustApprove,
  idOf,
  pending,
  readAction,
  readUntil,
  mustReject,
  sightingOf,
  THRESHOLD,
} from '../support/actions.ts';
import { SourceAccount } from '../support/source-account.ts';

test(
  'the approval of a rejected action leaves it rejected',
  verifies('ACTION-APPROVE-ONLY-PENDING'),
  async ({ given, need, check, observe }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const { id } = await pending(agent);
    await mustReject(agent, id);
    await readsShow(agent, id, 'REJECTED');
    const late = await agent.approve(id, 'the platform approves the rejected action');
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
  async ({ given, need, check }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const account = await SourceAccount.of(agent);
    const { id } = await pending(agent, ABOVE);
    await mustReject(agent, id);
    // Funds that were held back may return late, and what a rejection takes is another rule's matter.
    need.that(
      (await account.untilLessTaken(ABOVE)).amount < ABOVE,
      'the amount had left before the late approval',
    );
    await agent.approve(id, 'the platform approves the rejected action');
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
  async ({ given, need, check, observe }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    await mustReject(agent, (await pending(agent)).id);

    const { id } = await pending(agent);
    await mustApprove(agent, id);
    const late = await agent.reject(id, 'the platform rejects the approved action');
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
  async ({ given, need, check }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    await mustReject(agent, (await pending(agent)).id);

    const automatic = await agent.mustTransfer();
    need.that(
      automatic.body.status === 'APPROVED',
      'the transfer-out that needs no approval is not approved',
    );
    const id = idOf(agent, automatic);
    const late = await agent.reject(id, 'the platform rejects the approved action');
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
  async ({ given, need, check, observe }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const first = await pending(agent);
    const second = await pending(agent);
    await mustApprove(agent, first.id);
    await readsShow(agent, first.id, 'APPROVED');
    observe('approve-twice', await agent.approve(first.id, 'the platform approves the action again'));
    const afterApprovals = need.offered(
      await readAction(agent, first.id),
      'this target offers no read of an action',
    );
    await check('ACTION-READ-STATUS', () => expect(afterApprovals.action.status).toBe('APPROVED'));

    await mustReject(agent, second.id);
    await readsShow(agent, second.id, 'REJECTED');
    observe('reject-twice', await agent.reject(second.id, 'the platform rejects the action again'));
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
