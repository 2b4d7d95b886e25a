import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { chosen, type Step } from '../../../generators/steps.ts';
import {
  eventually,
  expect,
  type Agent,
  type Answer,
  type Platform,
  type Walk,
} from '../../../suite/index.ts';
import {
  type Action,
  type Sighting,
  elapsed,
  instantOf,
  objectsIn,
  readAction,
  sightingOf,
  readUntil,
} from '../../support/actions.ts';
import { folded, sameId } from '../../../suite/same-id.ts';
import { THRESHOLD } from '../../support/agents.ts';
import { expectSameResponse } from '../../support/replay.ts';
import type { SourceAccount } from '../../support/source-account.ts';
import { holdSubmitted, holdTimes, SIGHT_RULES } from './action-sight.ts';
import {
  ACTION_TRANSITIONS,
  MONEY_RULES,
  type ActionState,
  type ActionTrigger,
} from './action-transitions.ts';

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
interface Known {
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
}

/** Amounts are so far apart that what has left tells which one it was. */
const APART = 7_000;

/** The actions and the money of one agent, one step after another. */
export class ActionModel {
  readonly #world: ActionWorld;
  readonly #on: Walk;
  readonly #known: Known[] = [];
  #sent = 0;
  #spent = 0;

  constructor(world: ActionWorld, on: Walk) {
    this.#world = world;
    this.#on = on;
  }

  async take({ do: name, which, what }: Step<ActionStep>): Promise<void> {
    const { agent, platform, other } = this.#world;
    switch (name) {
      case 'small transfer':
        return this.#submit(20_000 + this.#next(), 'APPROVED');
      case 'large transfer':
        return this.#submit(THRESHOLD + 20_000 + this.#next(), 'PENDING_APPROVAL');
      case 'without a key':
        return this.#withoutKey();
      case 'own records only':
        return this.#ownRecords();
      case 'mistaken transfer':
        return this.#mistaken(what);
      case 'foreign account':
        return this.#foreign(what % 2 === 0 ? 'source' : 'destination');
      case 'list':
        return this.#list();
    }
    // What is to be done to an action takes one.
    const keyed = name.includes('key');
    const choice = () => (keyed ? this.#known.filter(({ key }) => key !== undefined) : this.#known);
    if (choice().length === 0) await this.#submit(THRESHOLD + 20_000 + this.#next(), 'PENDING_APPROVAL');
    const one = chosen(choice(), which) as Known;
    const { agentId } = agent.state;
    const path = { agentId, actionId: one.id };
    switch (name) {
      case 'read by another agent':
        return this.#readByOther(one);
      case 'equal body, new key':
        return this.#equalBody(one);
      case 'same key again':
        return this.#again(one);
      case 'same key, other body':
        return this.#otherBody(one);
      case 'other agent, same key':
        return this.#otherAgent(
          one,
          await other.transferOut(
            { amount: one.amount },
            { ...keyOf(one), label: `another agent, the key of ${this.#name(one)}` },
          ),
        );
      case 'approve':
        return this.#decide(
          one,
          name,
          await platform.approve(agentId, one.id, { label: `approving ${this.#name(one)}` }),
        );
      case 'reject':
        return this.#decide(
          one,
          name,
          await platform.reject(agentId, one.id, {
            body: { reason: 'not now' },
            label: `rejecting ${this.#name(one)}`,
          }),
        );
      case 'agentApproves':
        return this.#decide(
          one,
          name,
          await agent.call('approveAgentAction', {
            path,
            label: `the agent approves ${this.#name(one)} itself`,
          }),
        );
      case 'agentRejects':
        return this.#decide(
          one,
          name,
          await agent.call('rejectAgentAction', {
            path,
            label: `the agent rejects ${this.#name(one)} itself`,
          }),
        );
    }
  }

  /** What must hold at the end: no money has left but that of what was executed. */
  async end(): Promise<void> {
    await this.#money();
    for (const one of this.#known) await this.#look(one, 'ACTION-READ-STATUS');
  }

  #next(): number {
    return APART * this.#sent++;
  }

  #name(one: Known): string {
    return `action ${this.#known.indexOf(one) + 1} (${one.amount}, ${one.state})`;
  }

  async #submit(amount: number, expected: ActionState): Promise<void> {
    const key = randomUUID();
    const answer = this.#on.told(
      await this.#world.agent.transferOut(
        { amount },
        { idempotencyKey: key, label: `a transfer-out of ${amount}` },
      ),
    );
    this.#on.must(isTaken(answer), 'the transfer-out was refused');
    await this.#submitted(answer, amount, key, expected);
  }

  /** A transfer-out that was taken, as the model has it from now on. */
  async #submitted(
    answer: Answer,
    amount: number,
    key: string | undefined,
    expected: ActionState,
  ): Promise<void> {
    const { agent, offset } = this.#world;
    const rule = expected === 'APPROVED' ? 'TRANSFER-APPROVAL-AUTOMATIC' : 'TRANSFER-APPROVAL-PENDING';
    await this.#on.hold(rule, () => expect(answer).toHaveStatus(expected));
    await holdSubmitted(this.#on, answer, agent, amount, offset);
    const id = this.#on.must(answer.body?.id as string | undefined, 'the action has no id');
    const first = JSON.parse(JSON.stringify(answer.body)) as Action;
    const one: Known = {
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
    this.#known.push(one);
    if (expected === 'APPROVED') await this.#pay(one);
    await this.#look(one, 'ACTION-READ-STATUS');
  }

  async #decide(one: Known, trigger: ActionTrigger, answer: Answer): Promise<void> {
    const { to, rule, legal } = ACTION_TRANSITIONS[one.state][trigger];
    this.#on.told(answer);
    this.#on.must(answer.exchange.response, 'the decision got no answer');
    const before = one.state;
    // Refusing a legal decision is another matter than taking it and doing something else.
    if (legal) this.#on.must(isTaken(answer), 'the decision was refused');
    one.state = to;
    if (before !== to) one.decided = true;
    one.asked = true;
    const shown = sightingOf(answer, one.id);
    const isShown = shown?.action.status !== undefined;
    if (isShown) await this.#on.hold(rule, () => expectState(shown, to));
    // What the answer says is decided, and a read that says otherwise reads wrongly.
    const seen = await this.#look(one, legal && isShown ? 'ACTION-READ-STATUS' : rule);
    if (trigger === 'reject' && legal) await this.#reasonOf(shown, seen);
    if (before === 'PENDING_APPROVAL' && to === 'APPROVED') {
      if (seen && one.last.status !== 'FAILED') await this.#begun(one, seen);
      await this.#pay(one);
    } else await this.#money(one);
  }

  /** The platform gave a reason, and the action says one. */
  async #reasonOf(shown: Sighting | undefined, seen: Sighting | undefined): Promise<void> {
    const sights = [shown, seen].filter((sight) => sight !== undefined);
    this.#on.must(sights.length > 0, 'nothing shows the rejected action');
    await this.#on.hold(
      'ACTION-REJECT-REASON',
      () =>
        expect(
          sights
            .map(({ action }) => action.rejectionReason)
            .find((reason) => typeof reason === 'string' && reason !== ''),
          'rejectionReason',
        ).toBeDefined(),
      sights.map(({ answer }) => answer),
    );
  }

  /** After its approval the execution of an action begins by itself; the text names no time for it. */
  async #begun(one: Known, seen: Sighting): Promise<void> {
    const { agent } = this.#world;
    const last = seen.action.transaction
      ? seen
      : await readUntil(agent, one.id, ({ action }) => Boolean(action.transaction));
    if (last)
      await this.#on.hold(
        'ACTION-APPROVE-BEGINS-EXECUTION',
        () =>
          expect(last.action.transaction ?? null, 'the transaction of the approved action').not.toBeNull(),
        { evidence: [last.answer], assumes: ['effectSeconds'] },
      );
  }

  /** A key is optional. */
  async #withoutKey(): Promise<void> {
    const amount = 20_000 + this.#next();
    const answer = this.#on.told(
      await this.#world.agent.transferOut({ amount }, { label: `a transfer-out of ${amount} without a key` }),
    );
    // Only where one with a key is taken it is the key that is missed.
    if (!isTaken(answer)) await this.#submit(20_000 + this.#next(), 'APPROVED');
    await this.#on.hold('TRANSFER-IDEMPOTENCY-OPTIONAL', () => expect(answer).toBeAccepted());
    await this.#submitted(answer, amount, undefined, 'APPROVED');
  }

  /** An equal body with another key is another transfer-out. */
  async #equalBody(one: Known): Promise<void> {
    const key = randomUUID();
    const label = `the body of ${this.#name(one)} with a key of its own`;
    const answer = this.#on.told(
      await this.#world.agent.transferOut({ amount: one.amount }, { idempotencyKey: key, label }),
    );
    this.#on.must(isTaken(answer), 'the transfer-out was refused');
    await this.#on.hold('TRANSFER-IDEMPOTENCY-KEYS-INDEPENDENT', () =>
      expect(folded(answer.body?.id), 'the action').not.toBe(folded(one.id)),
    );
    await this.#submitted(answer, one.amount, key, one.amount > THRESHOLD ? 'PENDING_APPROVAL' : 'APPROVED');
  }

  /** What an agent lists is its own customer's. */
  async #ownRecords(): Promise<void> {
    const { agent, other } = this.#world;
    if (sameId(agent.state.customerId, other.state.customerId)) return;
    const ends = [
      ['listMyInternalAccounts', agent.state.sourceAccountId, other.state.sourceAccountId],
      ['listMyExternalAccounts', agent.state.destinationAccountId, other.state.destinationAccountId],
    ] as const;
    for (const [operation, own, foreign] of ends) {
      const list = this.#on.told(await agent.call(operation, { label: `${operation} of the agent` }));
      const ids = objectsIn(list).map(({ id }) => folded(id));
      if (!ids.includes(folded(own))) continue;
      await this.#on.hold(
        'AGENT-ONE-CUSTOMER',
        () => expect(ids, 'accounts').not.toContain(folded(foreign)),
        [list],
      );
    }
  }

  async #again(one: Known): Promise<void> {
    const { agent } = this.#world;
    const label = `the key of ${this.#name(one)} again`;
    const again = this.#on.told(await agent.transferOut({ amount: one.amount }, { ...keyOf(one), label }));
    // A decision is to blame only where the same key is answered the same without one.
    const rule =
      one.decided && !isSame(again, one.answer) && (await this.#plainKeysWork())
        ? 'TRANSFER-IDEMPOTENCY-AFTER-STATE-CHANGE'
        : 'TRANSFER-IDEMPOTENCY-SAME-RESPONSE';
    await this.#on.hold(rule, () => expectSameResponse(again, one.answer));
    if (one.decided)
      await this.#on.hold('TRANSFER-IDEMPOTENCY-AFTER-STATE-CHANGE', () =>
        expectSameResponse(again, one.answer),
      );
    await this.#money(one, true);
    await this.#list();
  }

  /** Whether a key that is sent again and again, with nothing in between, is answered the same. */
  async #plainKeysWork(): Promise<boolean> {
    const { agent } = this.#world;
    const parts = { idempotencyKey: randomUUID(), label: 'the control: a key, and the same key again' };
    const body = { amount: THRESHOLD + 20_000 + this.#next() };
    const first = await agent.transferOut(body, parts);
    for (let turn = 0; turn < 2; turn += 1)
      if (!isSame(await agent.transferOut(body, parts), first)) return false;
    return isTaken(first);
  }

  async #otherBody(one: Known): Promise<void> {
    // What the key is answered with the same body stands against what it is answered with another.
    await this.#again(one);
    const { agent } = this.#world;
    const label = `the key of ${this.#name(one)} with another amount`;
    const mixed = this.#on.told(
      await agent.transferOut({ amount: one.amount + 1_000 }, { ...keyOf(one), label }),
    );
    await this.#on.hold('TRANSFER-IDEMPOTENCY-OTHER-BODY', () => {
      if (mixed.accepted) expect(folded(mixed.body.id)).toBe(folded(one.id));
    });
    await this.#money();
    await this.#list('TRANSFER-IDEMPOTENCY-OTHER-BODY');
  }

  async #otherAgent(one: Known, theirs: Answer): Promise<void> {
    this.#on.told(theirs);
    await this.#on.hold('TRANSFER-IDEMPOTENCY-PER-AGENT', () =>
      expect(theirs.accepted ? folded((theirs.body as Action).id) : undefined).not.toBe(folded(one.id)),
    );
  }

  /** An account of another customer, although it exists. */
  async #foreign(end: 'source' | 'destination'): Promise<void> {
    const { agent, other } = this.#world;
    if (sameId(agent.state.customerId, other.state.customerId)) return;
    const accountId = end === 'source' ? other.state.sourceAccountId : other.state.destinationAccountId;
    const answer = this.#on.told(
      await agent.transferOut({ [end]: { accountId } }, { label: `a transfer-out with a foreign ${end}` }),
    );
    const rule = end === 'source' ? 'TRANSFER-SOURCE-FOREIGN' : 'TRANSFER-DESTINATION-FOREIGN';
    await this.#on.hold(rule, () => expect(answer).not.toBeAccepted());
    await this.#list('TRANSFER-REFUSED-LEAVES-NOTHING');
  }

  async #readByOther(one: Known): Promise<void> {
    const { agent, other } = this.#world;
    if (sameId(agent.state.customerId, other.state.customerId)) return;
    const answer = this.#on.told(
      await other.readAction(one.id, { label: `another customer's agent reads ${this.#name(one)}` }),
    );
    await this.#on.hold('AGENT-ACTION-NOT-VISIBLE-TO-OTHERS', () => expect(answer).not.toBeAccepted());
  }

  async #mistaken(what: number): Promise<void> {
    const amounts = ['1000', 10.5, {}, 2n ** 64n, 'much', true, [], 1e30];
    const answer = this.#on.told(
      await this.#world.agent.transferOut(
        { amount: amounts[what] },
        { label: `a transfer-out with a mistake (${what})` },
      ),
    );
    // That it is refused is the rule of the field.
    this.#on.must(!isTaken(answer), 'a transfer-out with a mistake was taken');
    await this.#list('TRANSFER-REFUSED-LEAVES-NOTHING');
    await this.#money();
  }

  /** Every action once, and none that was not submitted; by its amount, as an agent may have had others before. */
  async #list(rule = 'TRANSFER-IDEMPOTENCY-ONE-ACTION'): Promise<void> {
    const list = this.#on.told(
      await this.#world.agent.call('listMyActions', { label: "listing the agent's actions" }),
    );
    const shown = objectsIn(list).filter(({ id }) => typeof id === 'string');
    // The interface shows no list: it tells of a further action only where it shows those that are there.
    if (!this.#known.every(({ id }) => shown.some((one) => sameId(one['id'], id)))) return;
    const own = new Set(this.#known.map(({ id }) => folded(id)));
    await this.#on.hold(
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
  async #look(one: Known, rule: string): Promise<Sighting | undefined> {
    const { agent } = this.#world;
    const fits = (seen: Sighting) =>
      seen.action.status === one.state || (one.state === 'APPROVED' && seen.action.status === 'FAILED');
    const seen = await eventually(
      () => readAction(agent, one.id),
      (look) => look === undefined || fits(look),
      agent.patienceMs,
    );
    if (!seen) return undefined;
    this.#on.told(seen.answer);
    await this.#on.hold(rule, () => expectState(seen, one.state));
    await holdTimes(this.#on, seen.answer, seen.action, one.last);
    one.last = JSON.parse(JSON.stringify(seen.action)) as Action;
    await this.#on.hold('ACTION-ID-STABLE', () => expect(sameId(seen.action.id, one.id)).toBe(true), [
      seen.answer,
    ]);
    await this.#on.hold('ACTION-DETAILS-STABLE', () =>
      expect(submitted(seen.action)).toEqual(submitted(one.first, seen.action)),
    );
    const [then, now] = [instantOf(one.first.createdAt), instantOf(seen.action.createdAt)];
    if (then && now)
      await this.#on.hold(
        'ACTION-CREATED-AT-STABLE',
        () => expect(elapsed(then, now), 'milliseconds between the two').toBe(0),
        [seen.answer],
      );
    return seen;
  }

  /** An executed action takes its amount; the text names no time for it. */
  async #pay(one: Known): Promise<void> {
    const { account, agent } = this.#world;
    const before = this.#spent;
    this.#spent += one.amount;
    const taken = await account.untilTaken(this.#spent);
    const late = taken.amount < this.#spent ? await readAction(agent, one.id) : undefined;
    // The text names no time for an execution: only one that is over must have taken the amount.
    this.#on.must(
      taken.amount >= this.#spent || late?.action.transaction?.['status'] === 'COMPLETED',
      'the amount did not leave in time',
    );
    await this.#on.hold(
      'TRANSFER-DEBITS-SOURCE',
      () => {
        expect(taken.amount, `what has left after ${this.#name(one)}`).toBeGreaterThanOrEqual(this.#spent);
        // No fee is as large as that, but an amount that was taken for whole units is.
        expect(taken.amount - before, `what left for ${this.#name(one)}`).toBeLessThan(10 * one.amount);
      },
      [taken.answer],
    );
    await this.#money(one);
  }

  /**
   * Nothing has left beside what was executed. Which amount is too much tells whose it was; a fee is none of them.
   *
   * @param last what the last step was about: where amounts are equal, it is this one's
   * @param sentAgain whether that step was its submission once more
   */
  async #money(last?: Known, sentAgain = false): Promise<void> {
    const { amount, answer } = await this.#world.account.taken();
    const excess = amount - this.#spent;
    const whose = [...(last ? [last] : []), ...this.#known].find(
      (one) => Math.abs(excess - one.amount) < APART / 2,
    );
    const ruleOf = (one: Known) =>
      one.state === 'APPROVED' && ((sentAgain && one === last) || !one.asked)
        ? MONEY_RULES.keyed
        : MONEY_RULES[one.state];
    for (const rule of new Set(this.#known.map(ruleOf)))
      await this.#on.hold(
        rule,
        () =>
          expect(
            whose && ruleOf(whose) === rule ? excess : 0,
            `what has left beside what was executed, of ${whose ? this.#name(whose) : 'nothing'}`,
          ).toBe(0),
        [answer],
      );
  }
}

function keyOf({ key }: Known): { readonly idempotencyKey?: string } {
  return key === undefined ? {} : { idempotencyKey: key };
}

function isSame(again: Answer, first: Answer): boolean {
  if (!again.exchange.response || !first.exchange.response) return false;
  return again.status === first.status && isDeepStrictEqual(plain(again.body), plain(first.body));
}

const plain = (body: unknown): unknown => JSON.parse(JSON.stringify(body ?? null)) as unknown;

function expectState({ action }: Sighting, state: ActionState): void {
  expect(action.status === 'FAILED' && state === 'APPROVED' ? state : action.status, 'status').toBe(state);
}

function isTaken(answer: Answer): boolean {
  const status = answer.exchange.response?.status ?? 0;
  return status >= 200 && status < 300;
}

/** What was submitted, as far as a sight of the action shows it; a list may show less, and other fields are free. */
function submitted(action: Action, shown: Action = action): unknown {
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
