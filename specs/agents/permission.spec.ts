import { expect, test, verifies, type Agent } from '../../suite/index.ts';
import { BELOW, READ_ONLY, amountOfItsOwn } from '../support/agents.ts';
import { objectsIn } from '../support/actions.ts';
import { SourceAccount } from '../support/source-account.ts';

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
    const permitted = await given.agent();
    const account = await SourceAccount.open({ agent, platform, profile, need });
    const moving = await SourceAccount.open({ agent: permitted, platform, profile, need });
    need(await agent.transferOut({ amount }, { label: 'a transfer-out without the permission' })).refused();
    need(await permitted.transferOut({ amount }, { label: 'a transfer-out with the permission' })).accepted();

    const listed = async (one: Agent, label: string) => {
      const list = await one.call('listMyActions', { label });
      return { list, amounts: objectsIn(list).map(amountOf) };
    };
    const control = await listed(permitted, "listing the permitted agent's actions");
    const own = await listed(agent, "listing the agent's actions");
    // Without the permission the list itself may be closed, and then shows nothing.
    if (control.amounts.includes(amount) && own.list.accepted)
      await check('TRANSFER-REFUSED-LEAVES-NOTHING', () => expect(own.amounts).not.toContain(amount), [
        own.list,
      ]);
    await moving.mustMove();
    const taken = await account.watch(amount);
    await check('TRANSFER-REFUSED-LEAVES-NOTHING', () => expect(taken.amount).toBeLessThan(amount), [
      taken.answer,
    ]);
  },
);

function amountOf(action: Readonly<Record<string, unknown>>): unknown {
  return (action['transferDetails'] as { amount?: unknown } | undefined)?.amount;
}
