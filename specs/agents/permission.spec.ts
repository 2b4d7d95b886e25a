import { expect, test, verifies } from '../../suite/index.ts';
import { BELOW, amountOfItsOwn } from './support/amounts.ts';
import { objectsIn } from './support/sighting.ts';
import { SourceAccount } from './support/source-account.ts';
import { READ_ONLY } from './support/policies.ts';

test(
  'an agent whose policy does not grant CREATE_TRANSFERS is refused',
  verifies('TRANSFER-PERMISSION-REQUIRED'),
  async ({ given, need, check, observe }) => {
    const permitted = await given.agent();
    const denied = await given.agent({ permissions: READ_ONLY });
    need(await permitted.transferOut({}, { label: 'a transfer-out with the permission' })).accepted();
    const answer = await denied.transferOut({}, { label: 'a transfer-out without the permission' });
    await check('TRANSFER-PERMISSION-REQUIRED', () => expect(answer).toBeRefused(403));
    observe('permission-missing-code', answer);
  },
);

test(
  'a transfer-out refused for its permission leaves no action and moves no money',
  verifies('TRANSFER-REFUSED-LEAVES-NOTHING'),
  async ({ given, need, check, platform, profile }) => {
    const amount = amountOfItsOwn(BELOW);
    const agent = await given.agent({ permissions: READ_ONLY });
    const account = await SourceAccount.open({ agent, platform, profile, need });
    need(await agent.transferOut({ amount }, { label: 'a transfer-out without the permission' })).refused();

    const list = await agent.call('listMyActions', { label: "listing the agent's actions" });
    await check(
      'TRANSFER-REFUSED-LEAVES-NOTHING',
      () => expect(objectsIn(list).filter((one) => amountOf(one) === amount)).toHaveLength(0),
      [list],
    );
    const taken = await account.watch(amount);
    await check('TRANSFER-REFUSED-LEAVES-NOTHING', () => expect(taken.amount).toBeLessThan(amount), [
      taken.answer,
    ]);
  },
);

function amountOf(action: Readonly<Record<string, unknown>>): unknown {
  return (action['transferDetails'] as { amount?: unknown } | undefined)?.amount;
}
