import fc from 'fast-check';
import {
  expect,
  ORDINARY_AMOUNT,
  survey,
  test,
  verifies,
  type Agent,
  type Answer,
  type Given,
  type Walk,
} from '../../suite/index.ts';
import { READ_ONLY } from '../support/agents.ts';
import { objectsIn } from '../support/actions.ts';
import { SourceAccount } from '../support/source-account.ts';

/** A policy, and the amounts that an agent under it asks for, one after another. */
interface Case {
  readonly permitted: boolean;
  readonly asksAlways: boolean;
  readonly perTransactionLimit: number | undefined;
  readonly dailyLimit: number | undefined;
  readonly approvalThreshold: number | undefined;
  /** Each says from which bound it is taken, and how far beside it. */
  readonly amounts: readonly { readonly near: number; readonly beside: number }[];
}

const bound = fc.constantFrom(undefined, 40_000, 100_000, 123_457);
/** Half of all policies permit transfers and let them run. */
const CASES: fc.Arbitrary<Case> = fc.record({
  permitted: fc.constantFrom(true, true, true, true, false),
  asksAlways: fc.constantFrom(false, false, false, false, true),
  perTransactionLimit: bound,
  dailyLimit: bound,
  approvalThreshold: bound,
  amounts: fc.array(
    fc.record({ near: fc.nat({ max: 3 }), beside: fc.constantFrom(0, 1, -1, 1, 60_000, -30_000) }),
    { minLength: 1, maxLength: 4 },
  ),
});

const isTaken = (answer: Answer) => answer.exchange.response !== undefined && answer.accepted;

test(
  'whatever the policy is, each amount is judged by it',
  verifies(
    'TRANSFER-PERMISSION-REQUIRED',
    'TRANSFER-SPENDING-LIMIT',
    'TRANSFER-SPENDING-LIMIT-EQUAL',
    'TRANSFER-SPENDING-LIMIT-CUMULATIVE',
    'TRANSFER-APPROVAL-PENDING',
    'TRANSFER-APPROVAL-AUTOMATIC',
    'TRANSFER-REFUSED-LEAVES-NOTHING',
  ),
  async ({ given, need, check, platform, profile }) => {
    given.unshared('prepared agents are shared between tests, so what they have spent is not known');
    const free = await given.agent();
    const account = await SourceAccount.open({ agent: free, platform, profile, need });
    // Where a fee comes on top of an amount, exactly the limit may be over it.
    const isFree = (await account.mustMove(ORDINARY_AMOUNT)) === ORDINARY_AMOUNT;

    await survey(
      check,
      CASES,
      async (one, on) => {
        const agent = await agentOf(given, one);
        const source = await SourceAccount.open({ agent, platform, profile, need });
        const twin = () => given.agent({ dailyLimit: one.dailyLimit ?? 0 });
        const day = new Day(one, { agent, free, isFree, twin }, on);
        for (const { near, beside } of one.amounts) {
          const bounds = [one.perTransactionLimit, one.dailyLimit, one.approvalThreshold, ORDINARY_AMOUNT];
          await day.send(Math.max(1, (bounds[near] ?? ORDINARY_AMOUNT) + beside));
        }
        await day.end(source);
      },
      { runs: 18 },
    );
  },
);

function agentOf(given: Given, one: Case): Promise<Agent> {
  const { perTransactionLimit, dailyLimit, approvalThreshold } = one;
  return given.agent({
    ...(one.permitted ? {} : { permissions: READ_ONLY }),
    ...(one.asksAlways ? { execution: 'APPROVAL_REQUIRED' as const } : {}),
    ...(perTransactionLimit === undefined ? {} : { perTransactionLimit }),
    ...(dailyLimit === undefined ? {} : { dailyLimit }),
    ...(approvalThreshold === undefined ? {} : { approvalThreshold }),
  });
}

interface DayParts {
  readonly agent: Agent;
  /** An agent without limits, for controls. */
  readonly free: Agent;
  /** Whether transfers are seen to cost nothing more than their amount. */
  readonly isFree: boolean;
  /** Another agent with the same daily limit, whose day is new. */
  readonly twin: () => Promise<Agent>;
}

/** One day of one agent: what it may still spend, and what it was refused. */
class Day {
  readonly #one: Case;
  readonly #parts: DayParts;
  readonly #on: Walk;
  #spent = 0;
  /** What waits may count as spent or not: the text does not say. */
  #waiting = 0;
  readonly #taken: number[] = [];
  readonly #refused: number[] = [];

  constructor(one: Case, parts: DayParts, on: Walk) {
    this.#one = one;
    this.#parts = parts;
    this.#on = on;
  }

  async send(amount: number): Promise<void> {
    const { perTransactionLimit: each = Infinity, dailyLimit: all = Infinity, permitted } = this.#one;
    const label = `a transfer-out of ${amount}`;
    const answer = this.#on.told(await this.#parts.agent.transferOut({ amount }, { label }));
    this.#on.must(answer.exchange.response, 'the transfer-out got no answer');
    if (isTaken(answer)) this.#taken.push(amount);
    else this.#refused.push(amount);
    if (!permitted)
      return this.#on.hold('TRANSFER-PERMISSION-REQUIRED', () => expect(answer).toBeRefused(403));
    const isOver = amount > each || (this.#spent > 0 && this.#spent + amount > all) || amount > all;
    if (isOver) return this.#over(amount, answer);
    // What waits may have used the day up already.
    if (this.#spent + this.#waiting + amount > all)
      this.#on.must(isTaken(answer), 'what waits may count as spent');
    await this.#within(amount, answer);
  }

  /** Whether a limit counts when it is submitted or when it is approved is open; what runs at once must obey it. */
  async #over(amount: number, answer: Answer): Promise<void> {
    if (isTaken(answer) && this.#mayWait(amount) && statusOf(answer) === 'PENDING_APPROVAL') {
      this.#waiting += amount;
      return;
    }
    // Refused otherwise than with 403 it may be over a limit of the service itself, which is looked at first.
    if (!isTaken(answer) && answer.status !== 403)
      this.#on.must(
        isTaken(await this.#parts.free.transferOut({ amount })),
        'it is refused without a limit too',
      );
    const rule =
      amount > (this.#one.perTransactionLimit ?? Infinity)
        ? 'TRANSFER-SPENDING-LIMIT'
        : 'TRANSFER-SPENDING-LIMIT-CUMULATIVE';
    // The day may have ended in the middle, wherever the target's days end. It does not end twice in a row.
    const again =
      isTaken(answer) && this.#spent > 0 && rule.endsWith('CUMULATIVE') ? await this.#again(amount) : answer;
    await this.#on.hold(rule, () => expect(again).toBeRefused(403));
  }

  async #again(amount: number): Promise<Answer> {
    const twin = await this.#parts.twin();
    const before = this.#on.told(
      await twin.transferOut(
        { amount: this.#spent },
        { label: `on a new day, a transfer-out of ${this.#spent}` },
      ),
    );
    this.#on.must(isTaken(before), 'what was spent before is refused on a new day');
    const label = `on that day, a transfer-out of ${amount}`;
    return this.#on.told(await twin.transferOut({ amount }, { label }));
  }

  async #within(amount: number, answer: Answer): Promise<void> {
    const { perTransactionLimit: each, dailyLimit: all, approvalThreshold: threshold } = this.#one;
    const isExact = amount === each || this.#spent + amount === all;
    if (!isTaken(answer)) {
      this.#on.must(this.#refused.length === 1, 'what was refused before may have been counted');
      this.#on.must(
        isTaken(await this.#parts.free.transferOut({ amount })),
        'it is refused without a limit too',
      );
      this.#on.must(
        (each ?? all) !== undefined && (!isExact || this.#parts.isFree),
        'no limit stands against it',
      );
    }
    if ((each ?? all) !== undefined)
      await this.#on.hold('TRANSFER-SPENDING-LIMIT-EQUAL', () => expect(answer).toBeAccepted());
    this.#on.must(isTaken(answer), 'the transfer-out was refused');
    const waits = statusOf(answer) === 'PENDING_APPROVAL';
    if (waits) this.#waiting += amount;
    else this.#spent += amount;
    // On which side of the threshold the threshold itself lies is not said.
    if (amount === threshold && !this.#one.asksAlways) return;
    if (this.#mayWait(amount))
      await this.#on.hold('TRANSFER-APPROVAL-PENDING', () => expect(answer).toHaveStatus('PENDING_APPROVAL'));
    else
      await this.#on.hold('TRANSFER-APPROVAL-AUTOMATIC', () =>
        expect(answer.body?.status).not.toBe('PENDING_APPROVAL'),
      );
  }

  #mayWait(amount: number): boolean {
    return this.#one.asksAlways || amount >= (this.#one.approvalThreshold ?? Infinity);
  }

  /** What was refused has left no action, and taken no money. */
  async end(source: SourceAccount): Promise<void> {
    const { agent } = this.#parts;
    if (this.#refused.length === 0) return;
    const list = this.#on.told(await agent.call('listMyActions', { label: "listing the agent's actions" }));
    const amounts = objectsIn(list).map(
      (action) => (action['transferDetails'] as { amount?: unknown } | undefined)?.amount,
    );
    const only = this.#refused.filter((amount) => !this.#taken.includes(amount));
    if (isTaken(list) && this.#taken.every((amount) => amounts.includes(amount)))
      await this.#on.hold(
        'TRANSFER-REFUSED-LEAVES-NOTHING',
        () =>
          expect(
            amounts.filter((amount) => only.includes(Number(amount))),
            'refused and listed',
          ).toEqual([]),
        [list],
      );
    const most = this.#taken.reduce((sum, amount) => sum + amount, 0);
    const forbidden = most + Math.min(...this.#refused);
    const { amount, answer } = await source.watch(forbidden);
    if (this.#parts.isFree)
      await this.#on.hold(
        'TRANSFER-REFUSED-LEAVES-NOTHING',
        () => expect(amount, `what has left, where at most ${most} was taken`).toBeLessThan(forbidden),
        [answer],
      );
  }
}

function statusOf(answer: Answer): unknown {
  return (answer.body as { status?: unknown } | undefined)?.status;
}
