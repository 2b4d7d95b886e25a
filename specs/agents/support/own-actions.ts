import type { Agent, Answer } from '../../../suite/index.ts';
import { sameId } from '../../../suite/same-id.ts';
import { objectsIn } from './sighting.ts';

/** The actions of one amount in an agent's list. */
export interface OwnActions {
  readonly list: Answer;
  readonly ids: readonly unknown[];
  /** Whether the list shows an action. @param action the answer that it was submitted with */
  readonly shows: (action: Answer) => boolean;
}

/**
 * Lists an agent's actions of one amount, which no other test sends. The interface shows no list: it tells of a second
 * action only where it shows the first.
 */
export async function actionsOf(agent: Agent, ...amounts: readonly number[]): Promise<OwnActions> {
  const list = await agent.call('listMyActions', { label: "listing the agent's actions" });
  const ids = objectsIn(list)
    .filter((one) =>
      amounts.includes((one['transferDetails'] as { amount?: number } | undefined)?.amount as number),
    )
    .map((one) => one['id']);
  return {
    list,
    ids,
    shows: (action) => action.accepted && ids.some((id) => sameId(id, action.body.id)),
  };
}
