import { LosslessNumber } from 'lossless-json';
import { beyondInt64, fractions, int64sBeyondDouble } from '../../generators/numbers.ts';
import { INT64 } from '../../schemas/openapi.ts';
import { expect, explore, ORDINARY_AMOUNT, test, verifies } from '../../suite/index.ts';
import { exploredAsInvalid, refusedAsInvalid } from '../support/refusals.ts';
import { inTurn } from '../support/replay.ts';
import { SourceAccount } from '../support/source-account.ts';

test(
  'an amount with a fraction is refused',
  verifies('TRANSFER-AMOUNT-FRACTION', 'TRANSFER-INVALID-STATUS'),
  async ({ given, check, observe }) => {
    const agent = await given.agent();
    await agent.mustTransfer();

    await refusedAsInvalid(check, 'TRANSFER-AMOUNT-FRACTION', [
      await agent.transferOut({ amount: ORDINARY_AMOUNT + 0.5 }, 'an amount and a half'),
    ]);
    await exploredAsInvalid(check, 'TRANSFER-AMOUNT-FRACTION', fractions(ORDINARY_AMOUNT), (amount) =>
      agent.transferOut({ amount }),
    );
    const spellings = [`${ORDINARY_AMOUNT}.0`, '1e3'];
    for (const spelling of spellings)
      observe(
        'amount-integral-float',
        await agent.transferOut({ amount: new LosslessNumber(spelling) }, `the amount ${spelling}`),
      );
  },
);

test(
  'an amount is no text',
  verifies('TRANSFER-AMOUNT-TEXT', 'TRANSFER-INVALID-STATUS'),
  async ({ given, check }) => {
    const agent = await given.agent();
    await agent.mustTransfer();
    const others = [`${ORDINARY_AMOUNT}`, 'much', ''];
    const answers = await inTurn(others, (amount) =>
      agent.transferOut({ amount }, `the amount ${JSON.stringify(amount)}`),
    );

    await refusedAsInvalid(check, 'TRANSFER-AMOUNT-TEXT', answers);
  },
);

test(
  'an amount beyond 64 bits is refused',
  verifies('TRANSFER-AMOUNT-BEYOND-INT64', 'TRANSFER-INVALID-STATUS'),
  async ({ given, check, observe }) => {
    // Waiting for approval, so that an amount cut to 64 bits is not refused for want of funds.
    const agent = await given.agent({ execution: 'APPROVAL_REQUIRED' });
    await agent.mustTransfer();
    // 2^64 + 1000 is 1000 for a service that keeps the low 64 bits.
    const wraps = await agent.transferOut(
      { amount: 2n ** 64n + BigInt(ORDINARY_AMOUNT) },
      'an amount that wraps to an ordinary one',
    );

    // It may also be over a limit: every refusal is right.
    await refusedAsInvalid(check, 'TRANSFER-AMOUNT-BEYOND-INT64', [wraps], []);
    await exploredAsInvalid(check, 'TRANSFER-AMOUNT-BEYOND-INT64', beyondInt64(), (amount) =>
      agent.transferOut({ amount }),
    );
    observe(
      'large-amount-limit',
      await agent.transferOut({ amount: INT64.max }, 'the greatest amount of 64 bits'),
    );
  },
);

test(
  'an amount beyond 2^53 is kept to the last unit',
  verifies('TRANSFER-AMOUNT-LARGE-EXACT'),
  async ({ given, need, check }) => {
    // Waiting for approval, so that no balance has to cover it.
    const agent = await given.agent({ execution: 'APPROVAL_REQUIRED' });
    const ordinary = await agent.mustTransfer();
    need.that(
      ordinary.digits('transferDetails', 'amount') === String(ORDINARY_AMOUNT),
      'an ordinary amount is not shown as it was sent either',
    );
    const first = await agent.transferOut(
      { amount: 2n ** 53n + 1n },
      'the first amount that a double cannot hold',
    );
    need.offered(first.accepted, 'the target takes no amount beyond 2^53 from this agent');

    await check('TRANSFER-AMOUNT-LARGE-EXACT', () =>
      expect(first.digits('transferDetails', 'amount')).toBe(String(2n ** 53n + 1n)),
    );
    await check('TRANSFER-AMOUNT-LARGE-EXACT', () =>
      explore(int64sBeyondDouble(), async (amount) => {
        const answer = await agent.transferOut({ amount });
        if (answer.accepted) expect(answer.digits('transferDetails', 'amount')).toBe(String(amount));
      }),
    );
  },
);

test(
  'a negative amount moves no money',
  verifies('TRANSFER-AMOUNT-NEGATIVE'),
  async ({ given, check, observe }) => {
    const agent = await given.agent();
    const account = await SourceAccount.of(agent);
    await agent.mustTransfer();
    const before = await account.untilTaken(ORDINARY_AMOUNT);
    const negative = await agent.transferOut({ amount: -ORDINARY_AMOUNT }, 'a negative amount');
    const after = negative.accepted ? await account.untilLessTaken(before.amount) : await account.taken();

    await check(
      'TRANSFER-AMOUNT-NEGATIVE',
      () => {
        const taken = after.amount - before.amount;
        expect(taken, 'the source account must not grow').toBeGreaterThanOrEqual(0);
        expect(taken, 'nothing must leave the source account').toBeLessThan(ORDINARY_AMOUNT);
      },
      [negative, after.answer],
    );
    observe('amount-negative', negative);
  },
);

test('no amount, zero and null are left open', async ({ given, observe }) => {
  const agent = await given.agent();
  await agent.mustTransfer();

  observe(
    'amount-absent',
    await agent.transferOut({ amount: undefined }, 'a transfer-out without an amount'),
  );
  observe('amount-zero', await agent.transferOut({ amount: 0 }, 'a transfer-out of zero'));
  observe('optional-field-null', await agent.transferOut({ amount: null }, 'an amount of null'));
});
