import { afterwards, eventually, isShared, type Agent, type Answer } from '../../suite/index.ts';
import { sameId } from '../../suite/same-id.ts';
import { balanceIn, type Taken as Left } from '../../suite/taken.ts';
import { BELOW, objectsIn } from './actions.ts';

/** How long to look at least for a movement that must not come, in milliseconds. */
const WATCH_MS = 200;

/** What has left the account since it was opened, and the answer that shows it. */
export interface Taken extends Left {
  readonly answer: Answer;
}

/**
 * The balance of an agent's source account, watched from its opening on. Fees may come on top of an amount and
 * executions may take time, so checks compare with amounts that are far apart.
 */
export class SourceAccount {
  readonly #agent: Agent;
  #opening = 0;
  /** How long a movement that was due took to show in the balance, in milliseconds. */
  #slowest = 0;

  private constructor(agent: Agent) {
    this.#agent = agent;
  }

  /** The interface shows no field of an account: where no balance can be recognised, the test is not verified. */
  static async of(agent: Agent): Promise<SourceAccount> {
    agent.need.offered(
      !isShared(agent.state),
      'prepared accounts are shared between tests, so a balance proves nothing',
    );
    const account = new SourceAccount(agent);
    // Money that was put in a moment ago may be shown late.
    const opening = await eventually(
      () => account.taken(),
      ({ amount }) => amount !== 0,
      agent.patienceMs,
    );
    account.#opening = -opening.amount;
    return account;
  }

  /** What has left the account by now. */
  async taken(): Promise<Taken> {
    const agent = this.#agent;
    const own = await agent.call('listMyInternalAccounts', "the agent reads its customer's accounts");
    let balance = balanceSeen(own, agent.state.sourceAccountId);
    let answer = own;
    if (balance === undefined) {
      answer = await agent.platform.call('listInternalAccounts', {
        label: "the platform reads the customer's accounts",
        query: { customerId: agent.state.customerId },
      });
      balance = balanceSeen(answer, agent.state.sourceAccountId);
    }
    const seen = agent.need.offered(
      balance && { balance },
      'the target shows no balance of the source account that could be recognised',
    );
    const { amount, unit } = seen.balance;
    return { amount: this.#opening - amount, opening: this.#opening, unit, answer };
  }

  /** Waits until at least this much has left; the last look, whether or not it has. */
  async untilTaken(amount: number): Promise<Taken> {
    const start = performance.now();
    const seen = await eventually(
      () => this.taken(),
      (taken) => taken.amount >= amount,
      this.#agent.patienceMs,
    );
    this.#slowest = Math.max(this.#slowest, performance.now() - start);
    return seen;
  }

  /**
   * The control of money that must not move: a transfer-out that is executed shows in this very balance. Sent after what
   * must not move, it marks the time as well: by then, that would have shown too.
   *
   * @returns what one such transfer-out costs, fees included
   */
  async needMove(amount = BELOW): Promise<number> {
    const agent = this.#agent;
    const before = await this.taken();
    await agent.needTransfer({ amount }, 'a transfer-out that is executed');
    const after = await this.untilTaken(before.amount + amount);
    agent.need.that(
      after.amount >= before.amount + amount,
      'the balance shows no movement for an executed transfer-out',
    );
    return after.amount - before.amount;
  }

  /** Waits until less than this has left, for money that was only held back. */
  untilLessTaken(amount: number): Promise<Taken> {
    return eventually(
      () => this.taken(),
      (taken) => taken.amount < amount,
      this.#agent.patienceMs,
    );
  }

  /** Waits until at least this much has come in; what has, by then. */
  async untilReceived(amount: number): Promise<Taken> {
    const start = performance.now();
    const seen = await this.untilLessTaken(1 - amount);
    this.#slowest = Math.max(this.#slowest, performance.now() - start);
    return { ...seen, amount: -seen.amount };
  }

  /** What has come in after longer than what was due took to come: more than that must not. */
  async receivedAfterwards(): Promise<Taken> {
    const seen = await this.takenAfterwards();
    return { ...seen, amount: -seen.amount };
  }

  /**
   * What has left after longer than a movement that was due took to show: more than that must not.
   *
   * @param control the account that such a movement was seen in
   */
  takenAfterwards(control: SourceAccount = this): Promise<Taken> {
    return afterwards(() => this.taken(), Math.max(WATCH_MS, 2 * control.#slowest));
  }
}

function balanceSeen(answer: Answer, accountId: string) {
  const balance = balanceIn(objectsIn(answer).find((one) => sameId(one['id'], accountId)));
  return balance && Number.isSafeInteger(balance.amount) ? balance : undefined;
}
