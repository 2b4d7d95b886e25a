import type { Answer } from '../../../suite/index.ts';
import { sameId } from '../../../suite/same-id.ts';

/** The fields of an AgentAction that these specs read. */
export interface Action {
  readonly id?: unknown;
  readonly agentId?: unknown;
  readonly customerId?: unknown;
  readonly platformCustomerId?: unknown;
  readonly status?: unknown;
  readonly type?: unknown;
  readonly transferDetails?: Readonly<Record<string, unknown>>;
  readonly transaction?: Readonly<Record<string, unknown>> | null;
  readonly rejectionReason?: unknown;
  readonly createdAt?: unknown;
  readonly updatedAt?: unknown;
}

/** An action, and the answer that showed it. */
export interface Sighting {
  readonly answer: Answer;
  readonly action: Action;
}

/**
 * Finds an action in an answer whose shape the interface does not show: the body itself, one of its properties, or a
 * member of a list there.
 */
export function sightingOf(answer: Answer, actionId: unknown): Sighting | undefined {
  const action = objectsIn(answer).find((one) => sameId(one['id'], actionId));
  return action && { answer, action };
}

/** Every object that an accepted answer of unknown shape holds: itself, its properties, and the members of its lists. */
export function objectsIn(answer: Answer): readonly Readonly<Record<string, unknown>>[] {
  if (!isSuccess(answer)) return [];
  const body: unknown = answer.body;
  const parts = isObject(body) ? [body, ...Object.values(body)] : [body];
  return parts.flatMap((part) => (Array.isArray(part) ? (part as unknown[]) : [part])).filter(isObject);
}

function isSuccess(answer: Answer): boolean {
  const { response } = answer.exchange;
  return response !== undefined && response.status >= 200 && response.status < 300;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
