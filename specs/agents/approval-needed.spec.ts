import { expect, ORDINARY_AMOUNT, test, verifies } from '../../suite/index.ts';
import { SourceAccount } from '../support/source-account.ts';
import { ABOVE, BELOW, objectsIn, pending, THRESHOLD } from '../support/actions.ts';

for (const [how, threshold, amount] of [
  ['just above', THRESHOLD, THRESHOLD + 1],
  ['far above', 2 * ORDINARY_AMOUNT, 200 * ORDINARY_AMOUNT],
] as const)
  test(
    `an amount ${how} the threshold of the policy waits for the platform`,
    verifies('TRANSFER-APPROVAL-PENDING'),
    async ({ given, need, check }) => {
      const agent = await given.agent({ approvalThreshold: threshold });
      await agent.mustTransfer({}, 'a transfer-out below the threshold');
      const above = await agent.transferOut({ amount }, `a transfer-out ${how} the threshold`);
      // A service may have a maximum of its own.
      need.offered(!above.refused, `this target takes no transfer-out of ${amount} from this agent`);
      need(above).accepted();
      await check('TRANSFER-APPROVAL-PENDING', () => expect(above).toHaveStatus('PENDING_APPROVAL'));
    },
  );

test(
  'an amount below the threshold runs without the platform',
  verifies('TRANSFER-APPROVAL-AUTOMATIC'),
  async ({ given, check, observe }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const below = await agent.mustTransfer(
      { amount: THRESHOLD - 1 },
      'a transfer-out just below the threshold',
    );
    await check('TRANSFER-APPROVAL-AUTOMATIC', () => expect(below).toHaveStatus('APPROVED'));

    // The interface does not say on which side of the threshold the threshold itself lies.
    const equal = await agent.transferOut({ amount: THRESHOLD }, 'a transfer-out of exactly the threshold');
    observe('approval-limit-equal', equal.body?.status ?? equal.outcome, equal);
  },
);

for (const [what, amount] of [
  ['an ordinary amount', ORDINARY_AMOUNT],
  ['less than a hundred units', 99],
  ['a single unit', 1],
] as const)
  test(
    `under a policy that wants every action approved, ${what} waits`,
    verifies('TRANSFER-APPROVAL-PENDING'),
    async ({ given, need, check }) => {
      const agent = await given.agent({ execution: 'APPROVAL_REQUIRED' });
      const answer = await agent.transferOut({ amount }, `a transfer-out of ${what}`);
      // A service may have a minimum.
      need.offered(
        amount === ORDINARY_AMOUNT || !answer.refused,
        `this target takes no transfer-out of ${what}`,
      );
      need(answer).accepted();
      await check('TRANSFER-APPROVAL-PENDING', () => expect(answer).toHaveStatus('PENDING_APPROVAL'));
    },
  );

test(
  'nothing is executed while an action waits for approval',
  verifies('TRANSFER-PENDING-NOT-EXECUTED'),
  async ({ given, need, check, observe }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const account = await SourceAccount.of(agent);
    const { id } = await pending(agent, ABOVE);
    const cost = await account.mustMove();
    let taken = await account.watch(ABOVE);
    observe('pending-funds-reserved', taken.amount > cost ? 'yes' : 'no', taken.answer);
    if (taken.amount >= ABOVE) {
      // A service may hold the funds back meanwhile. What was only held comes back with a rejection.
      need(await agent.reject(id)).available();
      taken = await account.untilLessTaken(ABOVE);
    }
    await check('TRANSFER-PENDING-NOT-EXECUTED', () => expect(taken.amount).toBeLessThan(ABOVE), [
      taken.answer,
    ]);
  },
);

test(
  'a transfer-in that waits for approval brings no money',
  verifies('TRANSFER-PENDING-NOT-EXECUTED'),
  async ({ given, need, check }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const account = await SourceAccount.of(agent);
    const atOnce = await agent.transferIn({ amount: BELOW }, 'a transfer-in that runs at once');
    need(atOnce).available();
    // Fees may be taken of what comes.
    const { amount: received } = await account.untilReceived(BELOW / 2);
    need.offered(received >= BELOW / 2, 'money that is pulled in does not arrive in time to be seen');
    const label = 'a transfer-in that waits for approval';
    const waiting = await agent.transferIn({ amount: ABOVE }, label);
    const action = objectsIn(waiting).find(({ status }) => status === 'PENDING_APPROVAL');
    need.offered(action, 'no transfer-in waits for approval here');
    const after = await account.watchReceiving(received + ABOVE / 2);
    await check(
      'TRANSFER-PENDING-NOT-EXECUTED',
      () => expect(after.amount, 'what has come in').toBeLessThan(received + ABOVE / 2),
      [waiting, after.answer],
    );
  },
);
