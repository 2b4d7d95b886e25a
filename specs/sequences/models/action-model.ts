import { randomUUID } from 'node:crypto';
import { chosen, type Step } from '../../../generators/steps.ts';
import {
  eventually,
  expect,
  succeeded,
  type Agent,
  type Answer,
  type Platform,
  type Walk,
} from '../../../suite/index.ts';
import { folded, sameId } from '../../../suite/same-id.ts';
import {
  elapsed,
  instantOf,
  objectsIn,
  readAction,
  THRESHOLD,
  type Action,
  type Sighting,
} from '../../support/actions.ts';
import type { SourceAccount } from '../../support/source-account.ts';
import { ACTION_TRANSITIONS, decide, type ActionState } from './action-decisions.ts';
import { again, equalBody, otherAgent, otherBody, withoutKey } from './action-keys.ts';
import { APART, money, MONEY_RULES, pay } from './action-money.ts';
import { foreign, mistaken, ownRecords, readByOther } from './action-refusals.ts';
import { expectState, holdSubmitted, holdTimes, SIGHT_RULES } from './action-sight.ts';

/** What may be done to the actions of an agent, legal and illegal. */
export const ACTION_STEPS = [
  'small transfer',
  'large transfer',
  'large transfer',
  'without a key',
  'equal body, new key',
  'same key again',
  'same key, other body',
  'other agent, same key',
  'approve',
  'approve',
  'reject',
  'reject',
  'agentApproves',
  'agentRejects',
  'mistaken transfer',
  'foreign account',
  'read by another agent',
  'own records only',
  'list',
] as const;
export type ActionStep = (typeof ACTION_STEPS)[number];

/** Rules that a walk can hold. */
export const ACTION_RULES = [
  ...new Set(Object.values(ACTION_TRANSITIONS).flatMap((row) => Object.values(row).map(({ rule }) => rule))),
  ...Object.values(MONEY_RULES),
  'AGENT-ACTION-NOT-VISIBLE-TO-OTHERS',
  'TRANSFER-SOURCE-FOREIGN',
  'TRANSFER-DESTINATION-FOREIGN',
  'TRANSFER-APPROVAL-PENDING',
  'TRANSFER-APPROVAL-AUTOMATIC',
  ...SIGHT_RULES,
  'TRANSFER-DEBITS-SOURCE',
  'TRANSFER-IDEMPOTENCY-OPTIONAL',
  'TRANSFER-IDEMPOTENCY-KEYS-INDEPENDENT',
  'AGENT-ONE-CUSTOMER',
  'ACTION-APPROVE-BEGINS-EXECUTION',
  'TRANSFER-IDEMPOTENCY-SAME-RESPONSE',
  'TRANSFER-IDEMPOTENCY-AFTER-STATE-CHANGE',
  'TRANSFER-IDEMPOTENCY-OTHER-BODY',
  'TRANSFER-IDEMPOTENCY-PER-AGENT',
  'TRANSFER-IDEMPOTENCY-ONE-ACTION',
  'TRANSFER-REFUSED-LEAVES-NOTHING',
  'ACTION-ID-STABLE',
  'ACTION-DETAILS-STABLE',
  'ACTION-CREATED-AT-STABLE',
  'ACTION-REJECT-REASON',
];

/** One action as the model knows it. */
export interface KnownAction {
  readonly id: string;
  readonly amount: number;
  /** Undefined where it was sent without one. */
  readonly key: string | undefined;
  readonly answer: Answer;
  readonly first: Action;
  state: ActionState;
  /** Whether a decision has changed it since it was submitted. */
  decided: boolean;
  /** A decision was asked for, whatever came of it. */
  asked: boolean;
  /** As it was seen last. */
  last: Action;
}

/** What a walk starts with. */
export interface ActionWorld {
  readonly agent: Agent;
  readonly platform: Platform;
  readonly account: SourceAccount;
  /** Another agent, of the same customer where one can be made. */
  readonly other: Agent;
  /** How far the target's clock is before ours, in milliseconds. */
  readonly offset: number;
  /** Whether the account shows money as gone while its action waits. */
  readonly holdsPending: boolean;
}

/**
 * The actions and the money of one agent, one step after another: what is known of them, and what must hold after each step.
 * Its other steps stand in action-decisions.ts, action-keys.ts and action-refusals.ts, what is held of money in action-money.ts.
 */
export class ActionModel {
  readonly world: ActionWorld;
  readonly on: Walk;
  readonly known: KnownAction[] = [];
  #sent = 0;
  /** What has been paid of the account. */
  spent = 0;

  /** What the account shows as gone if all is right, but for fees. */
  get gone(): number {
    const waiting = this.world.holdsPending
      ? this.known.filter(({ state }) => state === 'PENDING_APPROVAL')
      : [];
    return waiting.reduce((sum, { amount }) => sum + amount, this.spent);
  }

  constructor(world: ActionWorld, on: Walk) {
    this.world = world;
    this.on = on;
  }

  async take({ do: name, which, what }: Step<ActionStep>): Promise<void> {
    switch (name) {
      case 'small transfer':
        return this.submit(20_000 + this.next(), 'APPROVED');
      case 'large transfer':
        return this.submit(THRESHOLD + 20_000 + this.next(), 'PENDING_APPROVAL');
      case 'without a key':
        return withoutKey(this);
      case 'own records only':
        return ownRecords(this);
      case 'mistaken transfer':
        return mistaken(this, what);
      case 'foreign account':
        return foreign(this, what % 2 === 0 ? 'source' : 'destination');
      case 'list':
        return this.list();
    }
    // What is to be done to an action takes one.
    const keyed = name.includes('key');
    const choice = () => (keyed ? this.known.filter(({ key }) => key !== undefined) : this.known);
    if (choice().length === 0) await this.submit(THRESHOLD + 20_000 + this.next(), 'PENDING_APPROVAL');
    const one = chosen(choice(), which) as KnownAction;
    switch (name) {
      case 'read by another agent':
        return readByOther(this, one);
      case 'equal body, new key':
        return equalBody(this, one);
      case 'same key again':
        return again(this, one);
      case 'same key, other body':
        return otherBody(this, one);
      case 'other agent, same key':
        return otherAgent(this, one);
      case 'approve':
      case 'reject':
      case 'agentApproves':
      case 'agentRejects':
        return decide(this, one, name);
    }
  }

  /** What must hold at the end: no money has left but that of what was executed. */
  async end(): Promise<void> {
    await money(this);
    for (const one of this.known) await this.look(one, 'ACTION-READ-STATUS');
  }

  /** What makes the next amount another one. */
  next(): number {
    return APART * this.#sent++;
  }

  name(one: KnownAction): string {
    return `action ${this.known.indexOf(one) + 1} (${one.amount}, ${one.state})`;
  }

  /** A transfer-out with a key, which is taken. */
  async submit(amount: number, expected: ActionState): Promise<void> {
    const key = randomUUID();
    const answer = this.on.told(
      await this.world.agent.transferOut(
        { amount },
        { idempotencyKey: key, label: `a transfer-out of ${amount}` },
      ),
    );
    this.on.must(succeeded(answer), 'the transfer-out was refused');
    await this.submitted(answer, amount, key, expected);
  }

  /** A transfer-out that was taken, as the model has it from now on. */
  async submitted(
    answer: Answer,
    amount: number,
    key: string | undefined,
    expected: ActionState,
  ): Promise<void> {
    const { agent, offset } = this.world;
    const rule = expected === 'APPROVED' ? 'TRANSFER-APPROVAL-AUTOMATIC' : 'TRANSFER-APPROVAL-PENDING';
    await this.on.hold(rule, () => expect(answer).toHaveStatus(expected));
    await holdSubmitted(this.on, answer, agent, amount, offset);
    const id = this.on.must(answer.body?.id as string | undefined, 'the action has no id');
    const first = JSON.parse(JSON.stringify(answer.body)) as Action;
    const one: KnownAction = {
      id,
      amount,
      key,
      answer,
      first,
      state: expected,
      decided: false,
      asked: false,
      last: first,
    };
    this.known.push(one);
    if (expected === 'APPROVED') await pay(this, one);
    await this.look(one, 'ACTION-READ-STATUS');
  }

  /** Every action once, and none that was not submitted; by its amount, as an agent may have had others before. */
  async list(rule = 'TRANSFER-IDEMPOTENCY-ONE-ACTION'): Promise<void> {
    const list = this.on.told(
      await this.world.agent.call('listMyActions', { label: "listing the agent's actions" }),
    );
    const shown = objectsIn(list).filter(({ id }) => /^AgentAction:/i.test(String(id)));
    // The interface shows no list: it tells of a further action only where it shows those that are there.
    if (!this.known.every(({ id }) => shown.some((one) => sameId(one['id'], id)))) return;
    const own = new Set(this.known.map(({ id }) => folded(id)));
    await this.on.hold(
      rule,
      () =>
        expect(
          shown.filter(({ id }) => !own.has(folded(id))).map(({ id }) => id),
          'actions that nobody submitted',
        ).toEqual([]),
      [list],
    );
  }

  /** Reads an action and compares it with what was submitted and what has become of it. @param rule of the last step */
  async look(one: KnownAction, rule: string): Promise<Sighting | undefined> {
    const { agent } = this.world;
    const fits = (seen: Sighting) =>
      seen.action.status === one.state || (one.state === 'APPROVED' && seen.action.status === 'FAILED');
    const seen = await eventually(
      () => readAction(agent, one.id),
      (look) => look === undefined || fits(look),
      agent.patienceMs,
    );
    if (!seen) return undefined;
    this.on.told(seen.answer);
    await this.on.hold(rule, () => expectState(seen, one.state), {
      evidence: [seen.answer],
      assumes: ['effectSeconds'],
    });
    await holdTimes(this.on, seen.answer, seen.action, one.last);
    one.last = JSON.parse(JSON.stringify(seen.action)) as Action;
    await this.on.hold('ACTION-ID-STABLE', () => expect(sameId(seen.action.id, one.id)).toBe(true), [
      seen.answer,
    ]);
    await this.on.hold('ACTION-DETAILS-STABLE', () =>
      expect(detailsOf(seen.action)).toEqual(detailsOf(one.first, seen.action)),
    );
    const [then, now] = [instantOf(one.first.createdAt), instantOf(seen.action.createdAt)];
    if (then && now)
      await this.on.hold(
        'ACTION-CREATED-AT-STABLE',
        () => expect(elapsed(then, now), 'milliseconds between the two').toBe(0),
        [seen.answer],
      );
    return seen;
  }
}

/** What was submitted, as far as a sight of the action shows it; a list may show less, and other fields are free. */
function detailsOf(action: Action, shown: Action = action): unknown {
  const details = action.transferDetails ?? {};
  const pairs = [
    ...(['agentId', 'customerId', 'type'] as const).map((name) => [name, action[name], shown[name]] as const),
    ...['amount', 'currency', 'sourceAccountId', 'destinationAccountId'].map(
      (name) => [name, details[name], shown.transferDetails?.[name]] as const,
    ),
  ];
  return Object.fromEntries(
    pairs.flatMap(([name, value, isShown]) => (isShown === undefined ? [] : [[name, folded(value)]])),
  );
}
