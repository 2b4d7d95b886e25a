import { eventually, type Agent, type Answer } from '../../../suite/index.ts';
import { sightingOf, type Sighting } from './sighting.ts';

/** Reads an action back by its id, or in the agent's list; undefined where the target offers neither. */
export async function readAction(agent: Agent, actionId: string): Promise<Sighting | undefined> {
  const one = sightingOf(await agent.readAction(actionId), actionId);
  if (one) return one;
  return sightingOf(await agent.call('listMyActions', { label: "listing the agent's actions" }), actionId);
}

/** Reads an action until it is as awaited or the time is up; the last sight of it. */
export function readUntil(
  agent: Agent,
  actionId: string,
  awaited: (sighting: Sighting) => boolean,
  timeoutMs = agent.patienceMs,
): Promise<Sighting | undefined> {
  return eventually(
    () => readAction(agent, actionId),
    (seen) => seen === undefined || awaited(seen),
    timeoutMs,
  );
}

/**
 * The action after a decision of the platform: as the answer to the decision shows it, else as a read does. The shape
 * of that answer is not shown, so it counts only where it holds this very action.
 */
export async function afterDecision(
  agent: Agent,
  decision: Answer,
  actionId: string,
  awaited: string,
): Promise<Sighting | undefined> {
  const answered = sightingOf(decision, actionId);
  if (answered?.action.status === awaited) return answered;
  return (await readUntil(agent, actionId, (seen) => seen.action.status === awaited)) ?? answered;
}
