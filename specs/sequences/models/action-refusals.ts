import { expect, succeeded } from '../../../suite/index.ts';
import { folded, sameId } from '../../../suite/same-id.ts';
import { objectsIn } from '../../support/actions.ts';
import type { ActionModel, KnownAction } from './action-model.ts';
import { money } from './action-money.ts';

/** What an agent lists is its own customer's. */
export async function ownRecords(model: ActionModel): Promise<void> {
  const { agent, other } = model.world;
  if (sameId(agent.state.customerId, other.state.customerId)) return;
  const ends = [
    ['listMyInternalAccounts', agent.state.sourceAccountId, other.state.sourceAccountId],
    ['listMyExternalAccounts', agent.state.destinationAccountId, other.state.destinationAccountId],
  ] as const;
  for (const [operation, own, foreign] of ends) {
    const list = model.on.told(await agent.call(operation, { label: `${operation} of the agent` }));
    const ids = objectsIn(list).map(({ id }) => folded(id));
    if (!ids.includes(folded(own))) continue;
    await model.on.hold('AGENT-ONE-CUSTOMER', () => expect(ids, 'accounts').not.toContain(folded(foreign)), [
      list,
    ]);
  }
}

/** An account of another customer, although it exists. */
export async function foreign(model: ActionModel, end: 'source' | 'destination'): Promise<void> {
  const { agent, other } = model.world;
  if (sameId(agent.state.customerId, other.state.customerId)) return;
  const accountId = end === 'source' ? other.state.sourceAccountId : other.state.destinationAccountId;
  const answer = model.on.told(
    await agent.transferOut({ [end]: { accountId } }, { label: `a transfer-out with a foreign ${end}` }),
  );
  const rule = end === 'source' ? 'TRANSFER-SOURCE-FOREIGN' : 'TRANSFER-DESTINATION-FOREIGN';
  await model.on.hold(rule, () => expect(answer).not.toBeAccepted());
  await model.list('TRANSFER-REFUSED-LEAVES-NOTHING');
}

export async function readByOther(model: ActionModel, one: KnownAction): Promise<void> {
  const { agent, other } = model.world;
  if (sameId(agent.state.customerId, other.state.customerId)) return;
  const answer = model.on.told(
    await other.readAction(one.id, { label: `another customer's agent reads ${model.name(one)}` }),
  );
  await model.on.hold('AGENT-ACTION-NOT-VISIBLE-TO-OTHERS', () => expect(answer).not.toBeAccepted());
}

export async function mistaken(model: ActionModel, what: number): Promise<void> {
  const amounts = ['1000', 10.5, {}, 2n ** 64n, 'much', true, [], 1e30];
  const answer = model.on.told(
    await model.world.agent.transferOut(
      { amount: amounts[what] },
      { label: `a transfer-out with a mistake (${what})` },
    ),
  );
  // That it is refused is the rule of the field.
  model.on.must(!succeeded(answer), 'a transfer-out with a mistake was taken');
  await model.list('TRANSFER-REFUSED-LEAVES-NOTHING');
  await money(model);
}
