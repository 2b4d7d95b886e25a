import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import {
  eventually,
  expect,
  inTime,
  succeeded,
  survey,
  test,
  verifies,
  type Agent,
  type Answer,
} from '../../suite/index.ts';
import { type SerialModel, race, raced, someOrderExplains, timed } from '../../suite/concurrent-calls.ts';
import { folded } from '../../suite/same-id.ts';
import {
  ABOVE,
  actionsOf,
  amountOfItsOwn,
  needApprove,
  BELOW,
  isOver,
  pending,
  readAction,
  readUntil,
  needReject,
  sightingOf,
  THRESHOLD,
  type Sighting,
} from '../support/actions.ts';
import { replay } from '../support/replay.ts';
import { SourceAccount } from '../support/source-account.ts';

const LIMIT = 100_000;
/** Races of one kind at standard depth. */
const RACES = 3;
const SHARED = 'prepared agents are shared between tests, so what they have spent is not known';

/** What of a day's limit is spent, in the smallest unit: no order of transfers takes it over the limit. */
const day: SerialModel<number, number, Answer> = {
  start: 0,
  next: (spent, amount, answer) =>
    // While one is under way another may be refused for that alone.
    succeeded(answer) ? (spent + amount <= LIMIT ? [spent + amount] : []) : [spent],
};

test(
  'transfer-outs at once never pass the daily limit together',
  verifies('TRANSFER-SPENDING-LIMIT-CUMULATIVE'),
  async ({ given, check }) => {
    given.unshared(SHARED);
    const amounts = fc.array(fc.integer({ min: LIMIT / 4, max: LIMIT - 1 }), { minLength: 2, maxLength: 8 });

    await survey(
      check,
      amounts,
      async (calls, on) => {
        const run = () =>
          raced(on, async () => {
            const agent = await given.agent({ dailyLimit: LIMIT });
            return { records: agent, calls, send: (amount: number) => transfer(agent, amount) };
          });
        let found = await run();
        // The day may have ended in the middle, wherever the target's days end. It does not end twice in a row.
        if (!someOrderExplains(day, found.history)) found = await run();
        const { history, answers } = found;
        on.need.that(
          answers.every((answer) => answer.exchange.response) && answers.some(succeeded),
          'no transfer-out was taken',
        );
        await on.hold(
          'TRANSFER-SPENDING-LIMIT-CUMULATIVE',
          () => {
            const taken = history.filter(({ answer }) => succeeded(answer)).map(({ call }) => call);
            const says = `some order in which ${taken.join(', ')} stay within ${LIMIT}`;
            expect(someOrderExplains(day, history), says).toBe(true);
          },
          answers,
        );
      },
      { runs: RACES },
    );
  },
);

type Decision = 'approve' | 'reject' | 'read';
interface Shown {
  readonly answer: Answer | undefined;
  readonly status: unknown;
}

/** AgentActionStatus under decisions (States and transitions): what is decided once stays so. */
const decisions: SerialModel<'PENDING_APPROVAL' | 'APPROVED' | 'REJECTED', Decision, Shown> = {
  start: 'PENDING_APPROVAL',
  next(state, call, { answer, status }) {
    const fits = (one: string) =>
      status === undefined || status === one || (one === 'APPROVED' && status === 'FAILED');
    if (call === 'read' || !answer || !succeeded(answer)) return fits(state) ? [state] : [];
    const decided = call === 'approve' ? 'APPROVED' : 'REJECTED';
    // Whether a decision on what is decided is refused is open; that it changes nothing is not.
    const next = state === 'PENDING_APPROVAL' ? decided : state;
    // What the answer shows is not stated: it may be given before the decision is carried out.
    return fits(next) || fits(state) ? [next] : [];
  },
};

test(
  'an approval and a rejection at once are one after the other',
  verifies('ACTION-APPROVE-ONLY-PENDING', 'ACTION-REJECT-ONLY-PENDING', 'ACTION-REJECT-NOT-EXECUTED'),
  async ({ given, check, platform }) => {
    given.unshared('prepared accounts are shared between tests');
    // The control: one after another each decision is taken and shown.
    const control = await given.agent({ approvalThreshold: THRESHOLD });
    const { id: rejected } = await pending(control);
    await needReject(control, rejected);
    const isDecided = ({ action }: Sighting) => action.status !== 'PENDING_APPROVAL';
    const shown = await readUntil(control, rejected, isDecided);
    control.need.that(!shown || isDecided(shown), 'a read does not follow what the platform decides');
    await needApprove(control, (await pending(control)).id);
    const calls = fc
      .array(fc.constantFrom<Decision>('approve', 'reject'), { minLength: 2, maxLength: 6 })
      .filter((all) => all.includes('approve') && all.includes('reject'));

    await survey(
      check,
      calls,
      async (wanted, on) => {
        const found = await race(async () => {
          const agent = await given.agent({ approvalThreshold: THRESHOLD });
          const account = await SourceAccount.of(agent);
          const { id } = await pending(agent, ABOVE);
          const send = async (call: Decision): Promise<Shown> => {
            const { agentId } = agent.state;
            const answer =
              call === 'approve' ? await platform.approve(agentId, id) : await platform.reject(agentId, id);
            return { answer, status: sightingOf(answer, id)?.action.status };
          };
          return { records: { agent, account, id }, calls: wanted, send };
        });
        const { records, history } = on.need.that(found, 'the calls did not overlap');
        for (const { answer } of history) if (answer.answer) on.told(answer.answer);
        on.need.that(
          history.every(({ answer }) => answer.answer?.exchange.response) &&
            history.some(({ answer }) => answer.answer && succeeded(answer.answer)),
          'no decision was taken',
        );
        const { agent, account, id } = records;
        const last = await eventually(
          () =>
            timed('read' as Decision, async (): Promise<Shown> => {
              const seen = await readAction(agent, id);
              return { answer: seen?.answer, status: seen?.action.status };
            }),
          (read) => someOrderExplains(decisions, [...history, read]),
          agent.patienceMs,
        );
        const answer = on.told(on.need.that(last.answer.answer, 'this target offers no read of an action'));
        const { status } = last.answer;
        // What a finished approval is not to be made of is a rejection, and the other way round.
        const rule = status === 'REJECTED' ? 'ACTION-REJECT-ONLY-PENDING' : 'ACTION-APPROVE-ONLY-PENDING';
        await on.hold(
          rule,
          () =>
            expect(
              someOrderExplains(decisions, [...history, last]),
              `some order of ${history.map(({ call, answer: got }) => `${call} (${String(got.status ?? got.answer?.outcome)})`).join(', ')} that ends in ${String(status)}`,
            ).toBe(true),
          [...history.flatMap(({ answer: got }) => got.answer ?? []), answer],
        );
        if (status !== 'REJECTED') return;
        const watched = await account.takenAfterwards();
        // Money that was held back may return late.
        const taken = watched.amount < ABOVE ? watched : await account.untilLessTaken(ABOVE);
        await on.hold(
          'ACTION-REJECT-NOT-EXECUTED',
          () => expect(taken).toHaveTaken({ below: ABOVE }),
          inTime(taken.answer),
        );
      },
      { runs: RACES },
    );
  },
);

test(
  'approvals at once take the amount once',
  verifies('ACTION-APPROVE-MONEY-ONCE'),
  async ({ given, check }) => {
    await survey(
      check,
      fc.integer({ min: 2, max: 6 }),
      async (count, on) => {
        const { records: account, answers } = await raced(on, async () => {
          const agent = await given.agent({ approvalThreshold: THRESHOLD });
          const opened = await SourceAccount.of(agent);
          const { id } = await pending(agent, ABOVE);
          const calls = Array.from({ length: count }, (_, at) => at);
          return { records: opened, calls, send: () => agent.approve(id) };
        });
        on.need.that(answers.some(succeeded), 'no approval was taken');
        on.need.that((await account.untilTaken(ABOVE)).amount >= ABOVE, 'the amount did not leave in time');
        // A second amount, less what a fee may be.
        const forbidden = ABOVE * 2;
        const watched = on.told((await account.takenAfterwards()).answer);
        const taken = await account.taken();
        await on.hold('ACTION-APPROVE-MONEY-ONCE', () => expect(taken).toHaveTaken({ below: forbidden }), [
          watched,
        ]);
      },
      { runs: RACES },
    );
  },
);

test(
  'transfer-outs at once with a few keys make one action a key',
  verifies('TRANSFER-IDEMPOTENCY-CONCURRENT', 'TRANSFER-IDEMPOTENCY-KEYS-INDEPENDENT'),
  async ({ given, check }) => {
    const keys = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 2, maxLength: 8 });

    await survey(
      check,
      keys,
      async (calls, on) => {
        const amount = amountOfItsOwn(BELOW / 10);
        const names = [randomUUID(), randomUUID(), randomUUID()];
        const send = (agent: Agent, key: number, when = '') =>
          replay(agent, amount, names[key] as string, `a transfer-out with key ${key + 1}${when}`);
        const { records: agent, history } = await raced(on, async () => {
          const own = await given.agent();
          return { records: own, calls, send: (key: number) => send(own, key) };
        });
        const used = [...new Set(calls)];
        const all: Answer[] = [];
        for (const key of used) {
          // Those that were refused while the first was under way get its response now.
          const later = on.told(await send(agent, key, ' once more, later'));
          on.need.that(succeeded(later), 'the key sent again was refused');
          const same = [...history.filter(({ call }) => call === key).map(({ answer }) => answer), later];
          await on.hold('TRANSFER-IDEMPOTENCY-CONCURRENT', () =>
            expect(idsOf(same.filter(succeeded)).size, 'actions of one key').toBe(1),
          );
          all.push(same.find(succeeded) as Answer);
        }
        if (all.length > 1)
          await on.hold('TRANSFER-IDEMPOTENCY-KEYS-INDEPENDENT', () =>
            expect(idsOf(all).size, 'actions').toBe(all.length),
          );
        const { list, ids: listed, shows } = await actionsOf(agent, amount);
        if (all[0] && shows(all[0]))
          await on.hold(
            'TRANSFER-IDEMPOTENCY-CONCURRENT',
            () => expect(listed.length, `actions of ${used.length} keys`).toBeLessThanOrEqual(used.length),
            [list],
          );
      },
      { runs: RACES },
    );
  },
);

test(
  'the last money is spent once',
  verifies('TRANSFER-FUNDS-SPENT-ONCE'),
  async ({ given, need, check }) => {
    given.unshared('prepared accounts are shared between tests');
    const balance = 200_000;
    const amount = balance * 0.6;
    /** Whether an action was executed: FAILED is what becomes of one without funds. */
    const isExecuted = async (agent: Agent, answer: Answer): Promise<boolean | undefined> => {
      if (!succeeded(answer)) return false;
      const seen = await readAction(agent, String(answer.body?.id));
      const status = seen?.action.status ?? answer.body?.status;
      if (status === 'APPROVED') return true;
      return ['FAILED', 'PENDING_APPROVAL', 'REJECTED'].includes(String(status)) ? false : undefined;
    };
    const executedOf = async (agent: Agent, answers: readonly Answer[]) => {
      const all = await Promise.all(answers.map((answer) => isExecuted(agent, answer)));
      return all.filter((one) => one !== false).length;
    };
    // The control: one after another the second finds no money, so the target knows no overdraft.
    const poor = await given.agent({ balance });
    const first = await transfer(poor, amount);
    need(first).accepted();
    const second = await transfer(poor, amount);
    const lone = await eventually(
      () => executedOf(poor, [first, second]),
      (count) => count === 1,
      poor.patienceMs,
    );
    need.offered(lone === 1, 'this target executes a transfer-out that the balance does not cover');

    const asking = await given.agent({ balance, approvalThreshold: THRESHOLD });
    const account = await SourceAccount.of(asking);
    const both = [await transfer(asking, amount), await transfer(asking, amount)];
    if (both.every((answer) => succeeded(answer) && answer.body?.status === 'PENDING_APPROVAL')) {
      const [one, other] = both.map(({ body }) => String(body?.id)) as [string, string];
      await asking.approve(one);
      const { amount: once } = await account.untilTaken(amount);
      // What waits may be held back, all of it.
      if (once < 2 * amount) {
        await asking.approve(other);
        const taken = await account.takenAfterwards();
        await check('TRANSFER-FUNDS-SPENT-ONCE', () => expect(taken).toHaveTaken({ below: 2 * amount }), [
          ...both,
          taken.answer,
        ]);
      }
    }

    await survey(
      check,
      fc.integer({ min: 2, max: 6 }),
      async (count, on) => {
        const { records: agent, answers } = await raced(on, async () => {
          const own = await given.agent({ balance });
          const calls = Array.from({ length: count }, () => amount);
          return { records: own, calls, send: (one: number) => transfer(own, one) };
        });
        const executed = await eventually(
          () => executedOf(agent, answers),
          (many) => many <= 1,
          agent.patienceMs,
        );
        // What is over is no matter of time.
        const ids = executed > 1 ? answers.filter(succeeded).map(({ body }) => String(body?.id)) : [];
        const over = (await Promise.all(ids.map((id) => readAction(agent, id)))).filter(isOver);
        await on.hold(
          'TRANSFER-FUNDS-SPENT-ONCE',
          () =>
            expect(executed, `transfer-outs of ${amount} executed from ${balance}`).toBeLessThanOrEqual(1),
          over.length > 1 ? answers : inTime(...answers),
        );
      },
      { runs: RACES },
    );
  },
);

/** Each has a key, so that none is taken for another one that was sent twice. */
function transfer(agent: Agent, amount: number): Promise<Answer> {
  return agent.transferOut(
    { amount },
    { label: `a transfer-out of ${amount}`, idempotencyKey: randomUUID() },
  );
}

function idsOf(answers: readonly Answer[]): Set<unknown> {
  return new Set(answers.map(({ body }) => folded(body?.id)));
}
