import { randomUUID } from 'node:crypto';
import { chosen, sequences, type Step } from '../../generators/steps.ts';
import {
  expect,
  succeeded,
  survey,
  test,
  verifies,
  type Agent,
  type Answer,
  type Walk,
} from '../../suite/index.ts';
import { folded, sameId } from '../../suite/same-id.ts';
import { BELOW, objectsIn, readUntil, sightingOf, THRESHOLD, type Sighting } from '../support/actions.ts';
import { expectSameResponse, replay } from '../support/replay.ts';
import { SourceAccount } from '../support/source-account.ts';

/** What may be done to the actions of an agent, legal and illegal. */
const STEPS = [
  'small transfer',
  'large transfer',
  'large transfer',
  'same key again',
  'same key again',
  'approve',
  'approve',
  'reject',
  'reject',
  'agent approves',
  'agent rejects',
  'list',
] as const;
type ActionStep = (typeof STEPS)[number];
type Trigger = 'approve' | 'reject' | 'agent approves' | 'agent rejects';
/** FAILED is what may become of APPROVED at any time. */
type State = 'PENDING_APPROVAL' | 'APPROVED' | 'REJECTED';

/** The state that a trigger leads to, and the rule that says so; what does not lead elsewhere may be refused. */
type Transition = readonly [to: State, rule: string];

/** AgentActionStatus (interface, States and transitions): what each trigger makes of an action in each state. */
const TRANSITIONS: Readonly<Record<State, Readonly<Record<Trigger, Transition>>>> = {
  PENDING_APPROVAL: {
    approve: ['APPROVED', 'ACTION-APPROVE-APPROVES'],
    reject: ['REJECTED', 'ACTION-REJECT-REJECTS'],
    'agent approves': ['PENDING_APPROVAL', 'ACTION-APPROVE-NEEDS-PLATFORM'],
    'agent rejects': ['PENDING_APPROVAL', 'ACTION-REJECT-NEEDS-PLATFORM'],
  },
  APPROVED: {
    approve: ['APPROVED', 'ACTION-READ-STATUS'],
    reject: ['APPROVED', 'ACTION-REJECT-ONLY-PENDING'],
    'agent approves': ['APPROVED', 'ACTION-APPROVE-NEEDS-PLATFORM'],
    'agent rejects': ['APPROVED', 'ACTION-REJECT-NEEDS-PLATFORM'],
  },
  REJECTED: {
    approve: ['REJECTED', 'ACTION-APPROVE-ONLY-PENDING'],
    reject: ['REJECTED', 'ACTION-READ-STATUS'],
    'agent approves': ['REJECTED', 'ACTION-APPROVE-NEEDS-PLATFORM'],
    'agent rejects': ['REJECTED', 'ACTION-REJECT-NEEDS-PLATFORM'],
  },
};

/** The rule that money left although this was decided last. */
const MONEY_RULES: Readonly<Partial<Record<ActionStep, string>>> = {
  approve: 'ACTION-APPROVE-MONEY-ONCE',
  reject: 'ACTION-REJECT-NOT-EXECUTED',
};

/** The least amount of a walk. */
const SMALL = 20_000;

interface KnownAction {
  readonly id: string;
  readonly amount: number;
  readonly key: string;
  readonly answer: Answer;
  state: State;
  /** Whether a decision has changed it since it was submitted. */
  decided: boolean;
}

/** The actions and the money of one agent, one step after another: what is known of them, and what must hold after each. */
class ActionModel {
  readonly #agent: Agent;
  readonly #account: SourceAccount;
  readonly #costOf: (amount: number) => number;
  readonly #on: Walk;
  readonly #known: KnownAction[] = [];

  /**
   * @param account of the agent, from which nothing has left yet
   * @param costOf the most that a transfer-out of an amount takes here, fees included
   */
  constructor(agent: Agent, account: SourceAccount, costOf: (amount: number) => number, on: Walk) {
    this.#agent = agent;
    this.#account = account;
    this.#costOf = costOf;
    this.#on = on;
  }

  async take({ do: name, which }: Step<ActionStep>): Promise<void> {
    if (name === 'small transfer') return this.#submit(SMALL, 'APPROVED');
    if (name === 'large transfer' || this.#known.length === 0)
      await this.#submit(THRESHOLD + SMALL, 'PENDING_APPROVAL');
    if (name === 'large transfer') return;
    if (name === 'list') return this.#list();
    const one = chosen(this.#known, which) as KnownAction;
    if (name === 'same key again') return this.#again(one);
    await this.#decide(one, name);
    const rule = MONEY_RULES[name];
    if (rule !== undefined) await this.#nothingElseHasLeft(rule);
  }

  /** A transfer-out with a key, which is sent twice and taken once. */
  async #submit(least: number, state: State): Promise<void> {
    const amount = least + this.#known.length;
    const key = randomUUID();
    const answer = this.#on.told(await replay(this.#agent, amount, key, `a transfer-out of ${amount}`));
    this.#on.need.that(succeeded(answer), 'the transfer-out was refused');
    const rule = state === 'APPROVED' ? 'TRANSFER-APPROVAL-AUTOMATIC' : 'TRANSFER-APPROVAL-PENDING';
    await this.#on.hold(rule, () => expect(answer).toHaveStatus(state));
    const id = this.#on.need.that(answer.body?.id as string | undefined, 'the action has no id');
    const one: KnownAction = { id, amount, key, answer, state, decided: false };
    this.#known.push(one);
    await this.#again(one);
    await this.#look(one, 'ACTION-READ-STATUS');
  }

  async #again(one: KnownAction): Promise<void> {
    const label = `the key of ${this.#name(one)} again`;
    const again = this.#on.told(await replay(this.#agent, one.amount, one.key, label));
    const rule = one.decided
      ? 'TRANSFER-IDEMPOTENCY-AFTER-STATE-CHANGE'
      : 'TRANSFER-IDEMPOTENCY-SAME-RESPONSE';
    await this.#on.hold(rule, () => expectSameResponse(again, one.answer));
    await this.#list();
    await this.#nothingElseHasLeft('TRANSFER-IDEMPOTENCY-MONEY-ONCE');
  }

  async #decide(one: KnownAction, trigger: Trigger): Promise<void> {
    const [to, rule] = TRANSITIONS[one.state][trigger];
    const before = one.state;
    const answer = this.#on.told(await this.#ask(one, trigger));
    this.#on.need.that(answer.exchange.response, 'the decision got no answer');
    // Refusing a legal decision is another matter than taking it and doing something else.
    if (before !== to) this.#on.need.that(succeeded(answer), 'the decision was refused');
    one.state = to;
    one.decided ||= before !== to;
    const shown = sightingOf(answer, one.id);
    // What the answer shows is not stated: it may be given before the decision is carried out.
    const isShown =
      shown?.action.status !== undefined && (before === to || stateIn(shown, before) !== before);
    if (isShown) await this.#on.hold(rule, () => expectState(shown, to));
    // What the answer says is decided, and a read that says otherwise reads wrongly.
    await this.#look(one, before !== to && isShown ? 'ACTION-READ-STATUS' : rule);
  }

  #ask(one: KnownAction, trigger: Trigger): Promise<Answer> {
    const agent = this.#agent;
    const { authorization } = agent;
    const name = this.#name(one);
    switch (trigger) {
      case 'approve':
        return agent.approve(one.id, `approving ${name}`);
      case 'reject':
        return agent.reject(one.id, { body: { reason: 'not now' }, label: `rejecting ${name}` });
      case 'agent approves':
        return agent.approve(one.id, { authorization, label: `the agent approves ${name} itself` });
      case 'agent rejects':
        return agent.reject(one.id, { authorization, label: `the agent rejects ${name} itself` });
    }
  }

  /** Every action once, and none that was not submitted. */
  async #list(): Promise<void> {
    const list = this.#on.told(await this.#agent.call('listMyActions', "listing the agent's actions"));
    const ids = objectsIn(list)
      .map(({ id }) => folded(id))
      .filter((id) => /^AgentAction:/i.test(String(id)));
    // The interface shows no list: it tells of a further action only where it shows those that are there.
    if (!this.#known.every(({ id }) => ids.includes(folded(id)))) return;
    await this.#on.hold(
      'TRANSFER-IDEMPOTENCY-ONE-ACTION',
      () =>
        expect(
          ids.filter((id) => !this.#known.some((one) => sameId(one.id, id))),
          'actions that nobody submitted',
        ).toEqual([]),
      [list],
    );
  }

  /** @param rule that is broken where a read shows another state */
  async #look(one: KnownAction, rule: string): Promise<void> {
    const seen = await readUntil(
      this.#agent,
      one.id,
      (sighting) => stateIn(sighting, one.state) === one.state,
    );
    if (seen)
      await this.#on.hold(rule, () => expectState(seen, one.state), {
        evidence: [this.#on.told(seen.answer)],
        assumes: ['effectSeconds'],
      });
  }

  /** What waits may be held back, and may return late once it is rejected. */
  async #nothingElseHasLeft(rule: string): Promise<void> {
    const due = this.#known.filter(({ state }) => state !== 'REJECTED');
    const forbidden = due.reduce((sum, { amount }) => sum + this.#costOf(amount), SMALL / 2);
    const taken = await this.#account.untilLessTaken(forbidden);
    await this.#on.hold(
      rule,
      () => expect(taken, 'with fees at their highest').toHaveTaken({ below: forbidden }),
      { evidence: [taken.answer], assumes: ['effectSeconds'] },
    );
  }

  #name(one: KnownAction): string {
    return `action ${this.#known.indexOf(one) + 1} (${one.amount}, ${one.state})`;
  }
}

function stateIn({ action: { status } }: Sighting, expected: State): unknown {
  return status === 'FAILED' && expected === 'APPROVED' ? expected : status;
}

function expectState(sighting: Sighting, expected: State): void {
  expect(stateIn(sighting, expected), 'status').toBe(expected);
}

test(
  "whatever is done in whatever order, an agent's actions and money are as the transitions say",
  verifies(
    ...new Set(Object.values(TRANSITIONS).flatMap((row) => Object.values(row).map(([, rule]) => rule))),
    ...Object.values(MONEY_RULES),
    'TRANSFER-APPROVAL-AUTOMATIC',
    'TRANSFER-APPROVAL-PENDING',
    'TRANSFER-IDEMPOTENCY-AFTER-STATE-CHANGE',
    'TRANSFER-IDEMPOTENCY-MONEY-ONCE',
    'TRANSFER-IDEMPOTENCY-ONE-ACTION',
    'TRANSFER-IDEMPOTENCY-SAME-RESPONSE',
  ),
  async ({ given, check }) => {
    given.unshared('prepared agents and accounts are shared between tests');
    const fee = (await (await SourceAccount.of(await given.agent())).needMove(BELOW)) - BELOW;
    // Whether a fee is fixed or goes with the amount is not shown: the larger of both.
    const costOf = (amount: number) => amount + fee * Math.max(1, amount / BELOW);

    await survey(
      check,
      sequences(STEPS),
      async (steps, on) => {
        const agent = await given.agent({ approvalThreshold: THRESHOLD });
        const model = new ActionModel(agent, await SourceAccount.of(agent), costOf, on);
        for (const step of steps) await model.take(step);
      },
      { runs: 5 },
    );
  },
);
