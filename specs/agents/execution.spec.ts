import { expect, test, verifies } from '../../suite/index.ts';
import { BELOW } from './support/amounts.ts';
import { idOf } from './support/pending.ts';
import { readAction } from './support/read-action.ts';
import { SourceAccount } from './support/source-account.ts';

test(
  'an executed transfer-out takes its amount, in the smallest unit, from the source account',
  verifies('TRANSFER-DEBITS-SOURCE'),
  async ({ given, need, check, platform, profile }) => {
    const agent = await given.agent();
    const account = await SourceAccount.open({ agent, platform, profile, need });
    const answer = await agent.transferOut({ amount: BELOW });
    need(answer).accepted();

    const taken = await account.untilTaken(BELOW);
    if (taken.amount < BELOW) {
      // The interface names no time for an execution: only one that is over must have taken the amount.
      const seen = await readAction(agent, idOf(answer, need));
      need.that(
        seen?.action.transaction?.['status'] === 'COMPLETED',
        'the amount did not leave in time, and nothing shows that the execution is over',
      );
    }
    // A fee may come on top; it cannot be as large as the amount itself.
    await check(
      'TRANSFER-DEBITS-SOURCE',
      () => {
        expect(taken.amount).toBeGreaterThanOrEqual(BELOW);
        expect(taken.amount).toBeLessThan(2 * BELOW);
      },
      [answer, taken.answer],
    );
  },
);
