import type { Agent, Answer, Need, Platform } from '../../../suite/index.ts';
import { ABOVE } from './amounts.ts';
import { afterDecision } from './read-action.ts';
import type { Sighting } from './sighting.ts';

/** An action that waits for the platform. */
export interface Pending {
  readonly id: string;
  readonly amount: number;
  /** The answer of the transfer-out. */
  readonly answer: Answer;
}

/** Submits a transfer-out that waits for approval; without one the test proves nothing. */
export async function pendingAction(
  agent: Agent,
  need: Need,
  amount = ABOVE,
  idempotencyKey?: string,
): Promise<Pending> {
  const answer = await agent.transferOut(
    { amount },
    {
      label: 'a transfer-out that waits for approval',
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    },
  );
  need(answer).accepted();
  const status: unknown = answer.body?.status;
  need.that(
    status === 'PENDING_APPROVAL',
    `the transfer-out that should wait for approval is ${String(status)}`,
  );
  return { id: idOf(answer, need), amount, answer };
}

/** The id of the action that a transfer-out was answered with; without one the test proves nothing. */
export function idOf(answer: Answer, need: Need): string {
  const id: unknown = answer.body?.id;
  return need.that(
    typeof id === 'string' ? id : undefined,
    `"${answer.label}" came without an id of the action`,
  );
}

/** The platform approves; without an action in APPROVED the rest of the test proves nothing. */
export async function approved(
  agent: Agent,
  platform: Platform,
  need: Need,
  actionId: string,
): Promise<Sighting> {
  const decision = await platform.approve(agent.state.agentId, actionId);
  need(decision).accepted();
  return shown(need, await afterDecision(agent, decision, actionId, 'APPROVED'), 'APPROVED');
}

/** The platform rejects; not verified where the target has no such operation at the usual path. */
export async function rejected(
  agent: Agent,
  platform: Platform,
  need: Need,
  actionId: string,
  reason?: string,
): Promise<Sighting> {
  const decision = await platform.reject(
    agent.state.agentId,
    actionId,
    reason === undefined ? {} : { body: { reason } },
  );
  need(decision).available();
  return shown(need, await afterDecision(agent, decision, actionId, 'REJECTED'), 'REJECTED');
}

function shown(need: Need, sighting: Sighting | undefined, status: string): Sighting {
  const seen = need.offered(sighting, 'neither the answer to the decision nor a read shows the action');
  need.that(
    seen.action.status === status,
    `the decision left the action in ${String(seen.action.status)}, not ${status}`,
  );
  return seen;
}
