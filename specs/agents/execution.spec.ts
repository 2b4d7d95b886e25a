import { expect, test, verifies } from '../../suite/index.ts';
import { BELOW } from '../support/agents.ts';
import { idOf, readAction } from '../support/actions.ts';
import { SourceAccount } from '../support/source-account.ts';

test(
  'an executed transfer-out takes its amount, in the smallest unit, from the source account',
  verifies('TRANSFER-DEBITS-SOURCE'),
  async ({ given, need, check, platform, profile }) => {
    const agent = await given.agent();
    const account = await SourceAccount.open({ agent, platform, profile, need });
    const costOf = async (amount: number) => {
      const before = await account.taken();
      const answer = await agent.transferOut({ amount }, { label: `a transfer-out of ${amount}` });
      need(answer).accepted();
      const taken = await account.untilTaken(before.amount + amount);
      if (taken.amount < before.amount + amount) {
        // The interface names no time for an execution: only one that is over must have taken the amount.
        const seen = await readAction(agent, idOf(answer, need));
        need.that(
          seen?.action.transaction?.['status'] === 'COMPLETED',
          'the amount did not leave in time, and nothing shows that the execution is over',
        );
      }
      return { amount: taken.amount - before.amount, evidence: [answer, taken.answer] };
    };
    const small = await costOf(BELOW);
    await check(
      'TRANSFER-DEBITS-SOURCE',
      () => {
        expect(small.amount).toBeGreaterThanOrEqual(BELOW);
        // No fixed fee is as large as that, but an amount that was taken for whole units is.
        expect(small.amount).toBeLessThan(10 * BELOW);
      },
      small.evidence,
    );
    const large = await costOf(2 * BELOW);
    // A fee may come on top. What is the same for both falls out of the difference; the rest cannot be half of it.
    const difference = large.amount - small.amount;
    await check(
      'TRANSFER-DEBITS-SOURCE',
      () => {
        expect(large.amount).toBeGreaterThanOrEqual(2 * BELOW);
        expect(difference, `what ${BELOW} more cost`).toBeGreaterThanOrEqual(BELOW);
        expect(difference, `what ${BELOW} more cost`).toBeLessThan(1.5 * BELOW);
      },
      [...small.evidence, ...large.evidence],
    );
  },
);
