import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { balanceOf, internalAccounts } from '../areas/accounts/records.ts';
import type { Agent } from '../areas/agents/records.ts';
import { quotes } from '../areas/quotes/records.ts';
import type { Replacements, BehaviourSet } from '../areas/behaviour.ts';
import { actions } from '../areas/transfers/records.ts';
import type { Call } from '../server/area.ts';
import { held } from '../world/ledger.ts';
import type { World } from '../world/world.ts';
import { faultsOf, field, type Presenter, anyMoveOf, RACE_MILLISECONDS } from './fault.ts';

/** What goes wrong around a service: time zones. */
export const surroundingsFaults = faultsOf([
  [
    'quote-expires-in-local-time',
    'QUOTE-EXECUTABLE-UNTIL-EXPIRY',
    'expiresAt of a quote is the local time of a place an hour east, labelled as UTC.',
    inLocalTime('presentQuote'),
  ],
  [
    'session-expires-in-local-time',
    'SESSION-VALID-UNTIL-EXPIRY',
    'expiresAt of a session is the local time of a place an hour east, labelled as UTC.',
    inLocalTime('presentSession'),
  ],
  [
    'request-expires-in-local-time',
    'RETRY-VALID-UNTIL-EXPIRY',
    'expiresAt of a 202 is the local time of a place an hour east, labelled as UTC.',
    inLocalTime('presentRequest'),
  ],
]);

function inLocalTime(presenter: Presenter) {
  return field(presenter, 'expiresAt').mapText((text) =>
    new Date(Date.parse(text) + 3_600_000).toISOString(),
  );
}

/** A service that looks at its records when a call arrives, and changes them a while later without a second look. */
class Race<Seen> {
  readonly #seen = new AsyncLocalStorage<Seen>();
  /** Makes the calls of one operation wait between the look and the change, which they make one after the other. */
  readonly gap: Replacements;

  /** @param operation method and path, with the names of its parameters */
  constructor(operation: string, look: (world: World, call: Call) => Seen) {
    let last: Promise<unknown> = Promise.resolve();
    this.gap = {
      handleCall: (original) => (world, call, route) => {
        if (`${route.method} ${route.path}` !== operation) return original(world, call, route);
        return this.#seen.run(look(world, call), () => {
          const turn = last;
          const work = (async () => {
            await delay(RACE_MILLISECONDS);
            await turn;
            return original(world, call, route);
          })();
          last = work.catch(() => undefined);
          return work;
        });
      },
    };
  }

  /** What this call has seen; undefined in every other call. */
  get seen(): Seen | undefined {
    return this.#seen.getStore();
  }
}

const TRANSFER_OUT = 'POST /agents/me/transfer-out';
const DECIDE = 'POST /agents/:agentId/actions/:actionId';
const statusOfAction = (world: World, call: Call) =>
  actions.get(world, call.params['actionId'] ?? '')?.status;

/** A decision that looks at the action when the call arrives: a move that another has made meanwhile is overwritten. */
const overwriting = (
  race: Race<string | undefined>,
  decision: 'mayApprove' | 'mayReject',
  other: string,
): Replacements => ({
  ...race.gap,
  [decision]:
    (original: BehaviourSet['mayApprove']): BehaviourSet['mayApprove'] =>
    (world, action) =>
      race.seen === 'PENDING_APPROVAL' && action.status === other ? undefined : original(world, action),
  ...anyMoveOf('action'),
});

const funds = new Race(
  TRANSFER_OUT,
  (world) => new Map(internalAccounts.all(world).map((account) => [account.id, balanceOf(world, account)])),
);
const spending = new Race(TRANSFER_OUT, (world, call) => {
  const agent = call.caller as Agent;
  const now = world.clock.now(agent.customerId);
  const periods = (['day', 'month'] as const).map((period) => world.behaviour.startOfPeriod(period, now));
  return new Map(periods.map((since) => [since, world.behaviour.transfersSince(agent, since)]));
});
const approval = new Race(`${DECIDE}/approve`, statusOfAction);
const rejection = new Race(`${DECIDE}/reject`, statusOfAction);
const execution = new Race(
  'POST /quotes/:quoteId/execute',
  (world, call) => quotes.get(world, call.params['quoteId'] ?? '')?.status,
);

const authorization = new Race(
  'POST /quotes/:quoteId/authorize',
  (world, call) => quotes.get(world, call.params['quoteId'] ?? '')?.challenge,
);

/** Calls at the same moment that do not see each other. Those that come one after another meet a service without fault. */
export const raceFaults = faultsOf([
  [
    'authorizations-race',
    'SCA-PROOF-OF-EARLIER-CHALLENGE',
    'Assertions at the same moment are each held against the challenge that was there when they came, and each authorizes one.',
    {
      ...authorization.gap,
      challengeMatches: (original) => (world, challenge, sent) =>
        sent === authorization.seen?.nonce || original(world, challenge, sent),
    },
  ],
  [
    'funds-race',
    'TRANSFER-FUNDS-SPENT-ONCE',
    'Transfer-outs at the same moment each find the same money, and all of them are executed.',
    {
      ...funds.gap,
      fundsSuffice: (original) => (world, source, amount) => {
        const balance = funds.seen?.get(source.id);
        return balance === undefined ? original(world, source, amount) : balance >= amount;
      },
      moveMoney: () => (world, action) => {
        const { amount, currency, sourceAccountId: from } = action.transfer!;
        world.ledger.overdraw({ from, to: held(action.id), amount, currency, reason: action.id });
      },
    },
  ],
  [
    'daily-limit-race',
    'TRANSFER-SPENDING-LIMIT-CUMULATIVE',
    'Transfer-outs at the same moment do not count against the limit of the day for each other.',
    {
      ...spending.gap,
      transfersSince: (original) => (world, agent, since) =>
        spending.seen?.get(since) ?? original(world, agent, since),
    },
  ],
  [
    'approval-race',
    'ACTION-APPROVE-ONLY-PENDING',
    'An approval that overlaps a rejection overwrites it; both are answered with success.',
    overwriting(approval, 'mayApprove', 'REJECTED'),
  ],
  [
    'rejection-race',
    'ACTION-REJECT-ONLY-PENDING',
    'A rejection that overlaps an approval overwrites it; both are answered with success.',
    overwriting(rejection, 'mayReject', 'APPROVED'),
    ['ACTION-REJECT-NOT-EXECUTED', 'ACTION-NO-TRANSACTION-WHEN-REJECTED'],
  ],
  [
    'approvals-race',
    'ACTION-APPROVE-MONEY-ONCE',
    'Approvals at the same moment each find the action pending, and execute it.',
    overwriting(approval, 'mayApprove', 'APPROVED'),
  ],
  [
    'quote-executions-race',
    'QUOTE-DEBIT-IS-TOTAL',
    'Executions of a quote at the same moment each find it open, and pay it.',
    {
      ...execution.gap,
      quoteOpen: (original) => (world, quote) =>
        execution.seen === 'PENDING' ? undefined : original(world, quote),
      ...anyMoveOf('quote', 'transaction'),
    },
  ],
]);
