import { expect } from '../../../suite/index.ts';
import { readAction } from '../../support/actions.ts';
import type { Taken } from '../../support/source-account.ts';
import type { ActionState } from './action-decisions.ts';
import type { ActionModel, KnownAction } from './action-model.ts';

/** The rule that money left although the action with this amount was in this state, or had been paid already. */
export const MONEY_RULES: Readonly<Record<ActionState | 'keyed', string>> = {
  PENDING_APPROVAL: 'TRANSFER-PENDING-NOT-EXECUTED',
  REJECTED: 'ACTION-REJECT-NOT-EXECUTED',
  APPROVED: 'ACTION-APPROVE-MONEY-ONCE',
  keyed: 'TRANSFER-IDEMPOTENCY-MONEY-ONCE',
};

/** Amounts are so far apart that what has left tells which one it was. */
export const APART = 7_000;

/** An executed action takes its amount; the text names no time for it. */
export async function pay(model: ActionModel, one: KnownAction): Promise<void> {
  const { account, agent } = model.world;
  const before = model.gone;
  model.spent += one.amount;
  const taken = await account.untilTaken(model.gone);
  const late = taken.amount < model.gone ? await readAction(agent, one.id) : undefined;
  // The text names no time for an execution: only one that is over must have taken the amount.
  model.on.must(
    taken.amount >= model.gone || late?.action.transaction?.['status'] === 'COMPLETED',
    'the amount did not leave in time',
  );
  await model.on.hold(
    'TRANSFER-DEBITS-SOURCE',
    () => {
      expect(taken.amount, `what has left after ${model.name(one)}`).toBeGreaterThanOrEqual(model.gone);
      // No fee is as large as that, but an amount that was taken for whole units is.
      expect(taken.amount - before, `what left for ${model.name(one)}`).toBeLessThan(10 * one.amount);
    },
    [taken.answer],
  );
  // What left beside the amount is its fee, unless it is as large as the amount itself.
  const fee = taken.amount - model.gone;
  if (Math.abs(fee - one.amount) >= APART / 2) model.spent += fee;
  await money(model, one);
}

/**
 * Nothing has left beside what was executed. Which amount is too much tells whose it was; a fee is none of them.
 *
 * @param last what the last step was about: where amounts are equal, it is this one's
 * @param sentAgain whether that step was its submission once more
 */
export async function money(model: ActionModel, last?: KnownAction, sentAgain = false): Promise<void> {
  const { account, holdsPending } = model.world;
  const candidates = [...(last ? [last] : []), ...model.known];
  const blamed = ({ amount }: Taken) =>
    candidates.find((one) => Math.abs(amount - model.gone - one.amount) < APART / 2);
  let taken = await account.taken();
  const rejected = blamed(taken);
  // Money that was held back may return late.
  if (holdsPending && rejected?.state === 'REJECTED')
    taken = await account.untilLessTaken(model.gone + rejected.amount - APART / 2);
  const whose = blamed(taken);
  const excess = taken.amount - model.gone;
  const ruleOf = (one: KnownAction) =>
    one.state === 'APPROVED' && ((sentAgain && one === last) || !one.asked)
      ? MONEY_RULES.keyed
      : MONEY_RULES[one.state];
  for (const rule of new Set(model.known.map(ruleOf)))
    await model.on.hold(
      rule,
      () =>
        expect(
          whose && ruleOf(whose) === rule ? excess : 0,
          `what has left beside what was executed, of ${whose ? model.name(whose) : 'nothing'}`,
        ).toBe(0),
      [taken.answer],
    );
}
