import { expect, test, verifies } from '../../suite/index.ts';
import { ABOVE, mustReject, pending, readUntil, THRESHOLD } from '../support/actions.ts';
import { SourceAccount } from '../support/source-account.ts';

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
        : ((await readUntil(agent, id, ({ action }) => typeof action.rejectionReason === 'string')) ??
          decided);
    await check(
      'ACTION-REJECT-REASON',
      () => {
        expect(seen.action.rejectionReason).toEqual(expect.any(String));
        expect(seen.action.rejectionReason).not.toBe('');
      },
      { evidence: [seen.answer], assumes: ['effectSeconds'] },
    );
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
