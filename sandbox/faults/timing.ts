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
import { fault, field, type Presenter, anyMoveOf, RACE_MILLISECONDS } from './fault.ts';

/** What goes wrong around a service: time zones. */
export const surroundingsFaults = [
  fault('quote-expires-in-local-time', 'QUOTE-EXECUTABLE-UNTIL-EXPIRY', inLocalTime('presentQuote')),
  fault('session-expires-in-local-time', 'SESSION-VALID-UNTIL-EXPIRY', inLocalTime('presentSession')),
  fault('request-expires-in-local-time', 'RETRY-VALID-UNTIL-EXPIRY', inLocalTime('presentRequest')),
];

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
export const raceFaults = [
  fault('authorizations-race', 'SCA-PROOF-OF-EARLIER-CHALLENGE', {
    ...authorization.gap,
    challengeMatches: (original) => (world, challenge, sent) =>
      sent === authorization.seen?.nonce || original(world, challenge, sent),
  }),
  fault('funds-race', 'TRANSFER-FUNDS-SPENT-ONCE', {
    ...funds.gap,
    fundsSuffice: (original) => (world, source, amount) => {
      const balance = funds.seen?.get(source.id);
      return balance === undefined ? original(world, source, amount) : balance >= amount;
    },
    moveMoney: () => (world, action) => {
      const { amount, currency, sourceAccountId: from } = action.transfer!;
      world.ledger.overdraw({ from, to: held(action.id), amount, currency, reason: action.id });
    },
  }),
  fault('daily-limit-race', 'TRANSFER-SPENDING-LIMIT-CUMULATIVE', {
    ...spending.gap,
    transfersSince: (original) => (world, agent, since) =>
      spending.seen?.get(since) ?? original(world, agent, since),
  }),
  fault('approval-race', 'ACTION-APPROVE-ONLY-PENDING', overwriting(approval, 'mayApprove', 'REJECTED')),
  fault(
    'rejection-race',
    ['ACTION-REJECT-ONLY-PENDING', 'ACTION-REJECT-NOT-EXECUTED', 'ACTION-NO-TRANSACTION-WHEN-REJECTED'],
    overwriting(rejection, 'mayReject', 'APPROVED'),
  ),
  fault('approvals-race', 'ACTION-APPROVE-MONEY-ONCE', overwriting(approval, 'mayApprove', 'APPROVED')),
  fault('quote-executions-race', 'QUOTE-DEBIT-IS-TOTAL', {
    ...execution.gap,
    quoteOpen: (original) => (world, quote) =>
      execution.seen === 'PENDING' ? undefined : original(world, quote),
    ...anyMoveOf('quote', 'transaction'),
  }),
];
