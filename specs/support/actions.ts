import { randomInt, randomUUID } from 'node:crypto';
import { isObject } from '../../schemas/json.ts';
import { enumOf, shapeRules } from '../../schemas/openapi.ts';
import { ruleOf } from '../../schemas/rules.ts';
import { eventually, expect, succeeded, type Agent, type Answer, type Check } from '../../suite/index.ts';
import { LateReads } from '../../suite/late-reads.ts';
import { folded, sameId } from '../../suite/same-id.ts';

/**
 * Amounts of these specs, in the smallest unit of the currency. They are so far apart that no fee can make one look
 * like another, and the ample balance of a prepared account covers several of them.
 */

/** Amounts above this need the platform's approval, where a test asks for such a policy. */
export const THRESHOLD = 100_000;
/** Runs without approval. */
export const BELOW = 50_000;
/** Waits for approval. */
export const ABOVE = 150_000;

/** A transfer-out to an account that nobody has. */
export const TO_NOBODY = {
  destination: { accountId: 'ExternalAccount:00000000-0000-4000-8000-000000000000' },
};

const [PURPOSE] = enumOf('PurposeOfPayment');

/**
 * Sends a transfer-out with every field of a TransferOutRequest and a key: a service may forget a check there. It may be
 * refused where a field of it is not supported.
 *
 * @param changes what is to be otherwise; a destination takes the rail of the agent's own
 */
export function transferOutInFull(
  agent: Agent,
  { destination, ...changes }: Readonly<Record<string, unknown>>,
  label: string,
): Promise<Answer> {
  const fields = optionalFields(agent);
  return agent.transferOut(
    {
      ...fields,
      destination: { ...fields.destination, ...(destination as object | undefined) },
      ...changes,
    },
    { label: `${label}, with every field and a key`, idempotencyKey: randomUUID() },
  );
}

/** What a TransferOutRequest may name beside what it must: the rail where it is known which the agent's destination supports. */
export function optionalFields({ state }: Agent) {
  const [paymentRail] = state.supportedRails ?? [];
  return {
    destination: {
      accountId: state.destinationAccountId,
      ...(paymentRail === undefined ? {} : { paymentRail }),
    },
    purposeOfPayment: PURPOSE,
    remittanceInformation: 'Invoice 7',
  };
}

/** An amount close above another one that no other test sends: tells an action from others in a list. */
export function amountOfItsOwn(near: number): number {
  return near + randomInt(1, 10_000);
}

/** Rules of the shape of an action that only some of its states show. */
const PER_STATE = {
  'runs at once': ['ACTION-TRANSACTION', 'ACTION-TRANSACTION-TYPE', 'TRANSFER-APPROVED-HAS-TRANSACTION'],
  waits: ['ACTION-NO-TRANSACTION-WHILE-PENDING', 'ACTION-REJECTION-REASON-ONLY-REJECTED'],
  'is rejected': ['ACTION-NO-TRANSACTION-WHEN-REJECTED', 'ACTION-REJECTION-REASON'],
} as const;

/**
 * Rules of the shape of a transfer's action. Every answer is held against them as it comes in: who brings actions about in
 * these states names them.
 */
export function shapeOfAction(...states: readonly (keyof typeof PER_STATE)[]): readonly string[] {
  const perState = new Set<string>(Object.values(PER_STATE).flat());
  const isOfAny = (id: string) => /^(ACTION|TRANSFER)-/.test(id) && ruleOf(id).area === 'agents';
  const ofEach = shapeRules('TransferOutAction').filter(
    (id) => isOfAny(id) && !/EXECUTE|ACTION-QUOTE$/.test(id) && !perState.has(id),
  );
  return [...ofEach, ...states.flatMap((state) => PER_STATE[state])];
}

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

/** Of which agent the action is, and for whom. */
export const CALLERS = [
  ['ACTION-AGENT-ID-CALLER', 'agentId'],
  ['ACTION-CUSTOMER-ID-CALLER', 'customerId'],
  ['ACTION-PLATFORM-CUSTOMER-ID-CALLER', 'platformCustomerId'],
] as const;

/** Blames each rule of these whose field shows somebody else. That a field is there, as text, is a rule of its own. */
export async function expectCallers(
  check: Check,
  { state }: Agent,
  { action, answer }: Sighting,
): Promise<void> {
  for (const [rule, field] of CALLERS) {
    // What was prepared may not tell it.
    const known = state[field];
    if (typeof action[field] === 'string' && known !== undefined)
      await check(rule, () => expect(folded(action[field])).toBe(folded(known)), [answer]);
  }
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
  if (!succeeded(answer)) return [];
  const body: unknown = answer.body;
  const parts = isObject(body) ? [body, ...Object.values(body)] : [body];
  return parts.flatMap((part) => (Array.isArray(part) ? (part as unknown[]) : [part])).filter(isObject);
}

/** Reads an action back by its id, or in the agent's list; undefined where the target offers neither. */
export async function readAction(agent: Agent, actionId: string): Promise<Sighting | undefined> {
  const read = await agent.readAction(actionId);
  const one = sightingOf(read, actionId);
  if (one) return one;
  read.tellFault();
  const list = await agent.call('listMyActions', "listing the agent's actions");
  list.tellFault();
  return sightingOf(list, actionId);
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

/** Whether an action shows that its execution has begun. */
export const hasBegun = ({ action }: Sighting): boolean => Boolean(action.transaction);

/** Whether the execution of an action is seen to be over. The statuses of a transaction are not shown: this is the usual one. */
export const isOver = (seen: Sighting | undefined): boolean =>
  seen?.action.transaction?.['status'] === 'COMPLETED';

/** By this it is remembered how late actions are read. */
const ACTIONS = 'actions';

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
  const isAwaited = ({ action: { status } }: Sighting) =>
    status === awaited || (awaited === 'APPROVED' && status === 'FAILED');
  const { seen } = await LateReads.of(agent.platform).untilShown(
    ACTIONS,
    () => readAction(agent, actionId),
    (one) => one === undefined || isAwaited(one),
    agent.patienceMs,
  );
  // What the answer shows of an action is open: it tells of the decision, and of none not.
  return seen ?? (answered && isAwaited(answered) ? answered : undefined);
}

/** The action after a decision that must change nothing: in the answer to it, and in a read that would show a change by now. */
export async function afterLateDecision(
  agent: Agent,
  decision: Answer,
  actionId: string,
): Promise<{ readonly read: Sighting | undefined; readonly seen: readonly Sighting[] }> {
  await LateReads.of(agent.platform).settle(ACTIONS);
  const read = await readAction(agent, actionId);
  return { read, seen: [sightingOf(decision, actionId), read].filter((one) => one !== undefined) };
}

/** The id of an executed action's transaction, whose fields are not shown. */
export async function transactionOf(agent: Agent): Promise<string> {
  const { body } = await agent.needTransfer();
  const id: unknown = (body as { transaction?: { id?: unknown } | null }).transaction?.id;
  return agent.need.offered(typeof id === 'string' && id, 'the action shows no id of its transaction');
}

/** An action that waits for the platform. */
export interface Pending {
  readonly id: string;
  readonly amount: number;
  /** The answer of the transfer-out. */
  readonly answer: Answer;
}

/** Submits a transfer-out that waits for approval; without one the test proves nothing. */
export async function pending(
  agent: Agent,
  amount = ABOVE,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Pending> {
  const answer = await agent.needTransfer({ ...more, amount }, 'a transfer-out that waits for approval');
  return { ...needPending(agent, answer), amount };
}

/** The action in the answer to a transfer-out that was to wait for approval. */
export function needPending(agent: Agent, answer: Answer): Omit<Pending, 'amount'> {
  const status: unknown = answer.body?.status;
  agent.need.that(
    status === 'PENDING_APPROVAL',
    `the transfer-out that should wait for approval is ${String(status)}`,
  );
  return { id: idOf(agent, answer), answer };
}

/** The id of the action that a transfer-out was answered with; without one the test proves nothing. */
export function idOf({ need }: Agent, answer: Answer): string {
  const id: unknown = answer.body?.id;
  return need.that(
    typeof id === 'string' ? id : undefined,
    `"${answer.label}" came without an id of the action`,
  );
}

/** The platform approves; without an action in APPROVED the rest of the test proves nothing. */
export async function needApprove(agent: Agent, actionId: string): Promise<Sighting> {
  const decision = await agent.approve(actionId);
  agent.need(decision).accepted();
  return decided(agent, decision, actionId, 'APPROVED');
}

/** The platform rejects; not verified where the target has no such operation at the usual path. */
export async function needReject(agent: Agent, actionId: string, reason?: string): Promise<Sighting> {
  const decision = await agent.reject(actionId, reason === undefined ? {} : { body: { reason } });
  agent.need(decision).available();
  return decided(agent, decision, actionId, 'REJECTED');
}

async function decided(agent: Agent, decision: Answer, actionId: string, status: string): Promise<Sighting> {
  const seen = agent.need.offered(
    await afterDecision(agent, decision, actionId, status),
    'neither the answer to the decision nor a read shows the action',
  );
  agent.need.that(
    seen.action.status === status,
    `the decision left the action in ${String(seen.action.status)}, not ${status}`,
  );
  return seen;
}

/** The amount of an action in a list, whose shape is not shown. */
function amountIn(action: Readonly<Record<string, unknown>>): unknown {
  return (action['transferDetails'] as { amount?: unknown } | undefined)?.amount;
}

/** Statuses of what came to nothing, and is listed all the same. */
const CAME_TO_NOTHING = /FAIL|REJECT|DECLIN|DENI|BLOCK|CANCEL|REFUSED/;

/** Every number in an accepted list, whatever its form, but for those of records that came to nothing. */
export function amountsIn(list: Answer): readonly number[] {
  const within = (value: unknown): number[] => {
    if (typeof value === 'number') return [value];
    if (Array.isArray(value)) return value.flatMap(within);
    if (!isObject(value) || CAME_TO_NOTHING.test(String(value['status']))) return [];
    return Object.values(value).flatMap(within);
  };
  return succeeded(list) ? within(list.body) : [];
}

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
  const list = await agent.call('listMyActions', "listing the agent's actions");
  list.tellFault();
  const ids = objectsIn(list)
    .filter((one) => amounts.includes(amountIn(one) as number))
    .map((one) => one['id']);
  return {
    list,
    ids,
    shows: (action) => action.accepted && ids.some((id) => sameId(id, action.body.id)),
  };
}
