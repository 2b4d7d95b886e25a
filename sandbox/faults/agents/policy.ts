import type { Replacements } from '../../areas/behaviour.ts';
import { randomUUID } from 'node:crypto';
import { externalAccounts } from '../../areas/accounts/records.ts';
import { type Agent, agents } from '../../areas/agents/records.ts';
import type { JsonObject } from '../../server/json.ts';
import { Refusal } from '../../server/refusal.ts';
import { type TransferDetails, transactions } from '../../areas/transfers/records.ts';
import { mintId, type World } from '../../world/world.ts';
import { asking, giving, where, coded, refusingWith, no, nothing, yes } from '../../areas/replacements.ts';
import { breaking, fault, within } from '../fault.ts';

const mayQuote = ({ policy }: Agent) => policy.permissions.includes('CREATE_QUOTES');

/** The policies that each agent had before it was changed, oldest first. */
const earlier = new WeakMap<Agent, Agent['policy'][]>();
const refusedSums = new WeakMap<Agent, bigint>();

/** A transfer-out that is refused with this status, and does something. @param as what is carried out of its body */
function refusedAnd(
  status: number,
  as: typeof toOwn,
  then: (world: World, agent: Agent, body: JsonObject) => void,
): Replacements {
  return {
    submitTransferOut: (original) => (world, agent, body) => {
      try {
        return original(world, agent, body);
      } catch (error) {
        if (error instanceof Refusal && error.status === status) then(world, agent, as(world, agent, body));
        throw error;
      }
    },
  };
}

/** What a transfer-out that is refused with this status leaves behind. @param as what is carried out of its body */
function leaving(name: string, status: number, as: typeof toOwn) {
  const afterwards = (then: Parameters<typeof refusedAnd>[2]) => refusedAnd(status, as, then);
  return breaking('TRANSFER-REFUSED-LEAVES-NOTHING', {
    [`${name}-stays-on-record`]: afterwards((world, agent, body) => {
      world.behaviour.addAction(agent, world.behaviour.readTransferOut(agent, body), 'PENDING_APPROVAL');
    }),
    [`${name}-leaves-a-transaction`]: afterwards((world, agent, body) => {
      const submitted = world.behaviour.readTransferOut(agent, body);
      const { amount, currency } = submitted.transfer!;
      const source = { sourceType: 'ACCOUNT', accountId: submitted.transfer!.sourceAccountId };
      const counterparty = submitted.transfer!.destinationAccountId;
      const destination = { destinationType: 'ACCOUNT', accountId: counterparty };
      const now = world.clock.now(agent.customerId);
      const id = mintId(world, 'Transaction');
      transactions.put(world, id, {
        ...{ id, type: 'OUTGOING', status: 'PENDING', amount, currency, source, destination },
        ...{ customerId: agent.customerId, platformId: agent.platformId, agentId: agent.id },
        ...{ counterparty, createdAt: now, updatedAt: now },
      });
    }),
    [`${name}-moves-money`]: afterwards(debit),
    [`${name}-counts-as-spent`]: {
      ...afterwards((world, agent, body) => {
        const { amount } = world.behaviour.readTransferOut(agent, body).transfer!;
        refusedSums.set(agent, (refusedSums.get(agent) ?? 0n) + amount);
      }),
      spentSince: giving((usual, world, agent) => usual + (refusedSums.get(agent) ?? 0n)),
    },
  });
}

const asIs = (_world: World, _agent: Agent, body: JsonObject): JsonObject => body;

/** The same to an account of the agent's customer. */
function toOwn(world: World, { customerId }: Agent, body: JsonObject): JsonObject {
  const own = externalAccounts.all(world).find((account) => account.customerId === customerId);
  return { ...body, destination: { accountId: own!.id } };
}

function debit(world: World, agent: Agent, body: JsonObject): void {
  const { amount, currency, sourceAccountId, destinationAccountId } = world.behaviour.readTransferOut(
    agent,
    body,
  ).transfer!;
  world.ledger.post({ from: sourceAccountId, to: destinationAccountId, amount, currency, reason: 'refused' });
}

/** Keys of transfer-outs that wait for approval, by world. */
const waiting = new WeakMap<World, Set<string>>();

/** interface.md > Limits: characters of a remittanceInformation. */
const LONGEST = 80;

interface Sent {
  readonly destination?: { readonly paymentRail?: string };
  readonly remittanceInformation?: string;
  readonly purposeOfPayment?: string;
}

const namesRail = ({ destination }: Sent): boolean => destination?.paymentRail !== undefined;

/** What goes wrong where a transfer-out says this. */
const whenSent = (isMeant: (body: Sent) => boolean, inner: Replacements): Replacements =>
  within('submitTransferOut', inner, (_agent: unknown, body: Sent) => isMeant(body));

const isOfEuros = (_agent: Agent, { currency }: TransferDetails): boolean => currency === 'EUR';

/** Changes of a policy that do nothing. @param from the first of them that does */
function changesIgnored(name: string, from: number) {
  return fault(name, 'AGENT-POLICY-CURRENT', {
    changePolicy: (original) => (world, agent, policy) => {
      earlier.set(agent, [...(earlier.get(agent) ?? []), agent.policy]);
      original(world, agent, policy);
    },
    policyOf: (original) => (world, agent) => earlier.get(agent)?.[from - 1] ?? original(world, agent),
  });
}

/** A part of the policy that an agent had at its first transfer-out counts for all later ones. */
function keptFromTheFirst(part: (policy: Agent['policy']) => object): Replacements {
  const had = new WeakMap<Agent, Agent['policy']>();
  return within('submitTransferOut', {
    policyOf: giving((now, _world, agent) => {
      if (!had.has(agent)) had.set(agent, now);
      return { ...now, ...part(had.get(agent)!) };
    }),
  });
}

/** The agent's policy: permissions and spending limits. */
export const policyFaults = [
  ...breaking('TRANSFER-PERMISSION-REQUIRED', {
    'permission-not-checked': {
      permissionGranted: where((_agent, permission) => permission === 'CREATE_TRANSFERS', undefined),
    },
    'permission-for-quotes-is-enough': {
      permissionGranted: asking((agent, permission) => [
        agent,
        permission === 'CREATE_TRANSFERS' && mayQuote(agent) ? 'CREATE_QUOTES' : permission,
      ]),
    },
    'missing-permission-answers-400': { refuseByPolicy: coded('INVALID_INPUT', 400) },
    'missing-permission-answers-401': { refuseByPolicy: coded('UNAUTHORIZED', 401) },
  }),
  ...breaking('TRANSFER-SPENDING-LIMIT', {
    'transaction-limit-not-checked': { withinTransactionLimit: nothing },
    'transaction-limit-of-dollars-alone': { withinTransactionLimit: where(isOfEuros, undefined) },
    'over-limit-answers-400': { withinTransactionLimit: refusingWith('AMOUNT_OUT_OF_RANGE', 400) },
    'over-limit-waits-for-approval': {
      withinTransactionLimit: nothing,
      needsApproval: (original) => (world, agent, transfer) => {
        const limit = agent.policy.spendingLimits?.perTransactionLimit;
        return (limit !== undefined && transfer.amount > limit) || original(world, agent, transfer);
      },
    },
    'limit-off-by-one': {
      withinTransactionLimit: (original) => (world, agent, transfer) =>
        original(world, agent, { ...transfer, amount: transfer.amount - 1n }),
    },
  }),
  fault('limit-reached-is-refused', 'TRANSFER-SPENDING-LIMIT-EQUAL', {
    exceeds: () => (_world, spent, limit) => spent >= limit,
  }),
  fault('day-of-an-agent-never-ends', 'TRANSFER-SPENDING-LIMIT-EQUAL', {
    transfersSince: (original) => (world, agent) => original(world, agent, 0),
  }),
  fault('what-others-spend-counts', 'TRANSFER-SPENDING-LIMIT-EQUAL', {
    transfersSince: (original) => (world, _agent, since) =>
      agents.all(world).flatMap((agent) => original(world, agent, since)),
  }),
  ...breaking('TRANSFER-SPENDING-LIMIT-CUMULATIVE', {
    'daily-limit-not-checked': { spentSince: () => () => 0n },
    'daily-limit-sees-only-the-transfers-before': {
      withinPeriodLimits: (original) => (world, agent, transfer) => {
        const first =
          world.behaviour.transfersSince(
            agent,
            world.behaviour.startOfPeriod('day', world.clock.now(agent.customerId)),
          ).length === 0;
        return original(world, agent, first ? transfer : { ...transfer, amount: 0n });
      },
    },
    'daily-limit-answers-429': { withinPeriodLimits: refusingWith('DAILY_VOLUME_LIMIT_EXCEEDED', 429) },
  }),
  ...leaving('refused-transfer', 403, asIs),
  ...leaving('transfer-to-nobody', 404, toOwn),
  fault('transfer-by-an-unsupported-rail-pays', 'TRANSFER-REFUSED-LEAVES-NOTHING', {
    ...refusedAnd(400, asIs, (world, agent, body) => {
      const isByRail = (body['destination'] as JsonObject | undefined)?.['paymentRail'] !== undefined;
      if (isByRail) debit(world, agent, toOwn(world, agent, body));
    }),
  }),
  fault('policy-of-a-sibling', 'AGENT-POLICY-OWN', {
    policyOf: (original) => (world, agent) =>
      original(world, agents.all(world).find((other) => other.customerId === agent.customerId) ?? agent),
  }),
  changesIgnored('policy-change-ignored', 1),
  changesIgnored('second-policy-change-ignored', 2),
  ...breaking('AGENT-POLICY-CURRENT', {
    'changed-limits-ignored': keptFromTheFirst(({ spendingLimits }) => ({ spendingLimits })),
    'changed-approval-ignored': keptFromTheFirst(({ defaultExecutionMode }) => ({ defaultExecutionMode })),
  }),

  // Which transfers wait for the platform.
  fault('approval-threshold-of-dollars-alone', 'TRANSFER-APPROVAL-PENDING', {
    needsApproval: where(isOfEuros, false),
  }),
  fault('approval-threshold-ignored', 'TRANSFER-APPROVAL-PENDING', {
    needsApproval: () => (_world, agent) => agent.policy.defaultExecutionMode === 'APPROVAL_REQUIRED',
  }),
  fault('approval-required-mode-ignored', 'TRANSFER-APPROVAL-PENDING', {
    needsApproval: where((agent) => agent.policy.defaultExecutionMode !== 'AUTO', false),
  }),
  fault('transfer-with-a-text-needs-no-approval', 'TRANSFER-APPROVAL-PENDING', {
    ...whenSent(({ remittanceInformation }) => remittanceInformation !== undefined, { needsApproval: no }),
  }),
  fault('small-amounts-need-no-approval', 'TRANSFER-APPROVAL-PENDING', {
    needsApproval: where((_agent, transfer) => transfer.amount < 100n, false),
  }),
  fault('just-above-the-threshold-runs', 'TRANSFER-APPROVAL-PENDING', {
    needsApproval: asking((agent, transfer) => [agent, { ...transfer, amount: transfer.amount - 1n }]),
  }),
  fault('far-above-the-threshold-runs', 'TRANSFER-APPROVAL-PENDING', {
    needsApproval: (original) => (world, agent, transfer) => {
      const threshold = agent.policy.approvalThresholds?.amount;
      return (
        original(world, agent, transfer) && !(threshold !== undefined && transfer.amount >= threshold * 10n)
      );
    },
  }),
  ...breaking('AGENT-APPROVAL-EVERY-ACTION', {
    'transfers-in-need-no-approval': {
      needsApproval: where((_agent, { sourceAccountId }) => sourceAccountId.startsWith('External'), false),
    },
    'quotes-of-agents-need-no-approval': { ...within('executeAsAgent', { needsApproval: no }) },
  }),
  fault('everything-needs-approval', 'TRANSFER-APPROVAL-AUTOMATIC', { needsApproval: yes }),

  // Rules that are held for the shortest transfer-out, and broken for one that says more.
  fault('foreign-destination-by-a-named-rail', 'TRANSFER-DESTINATION-FOREIGN', {
    ...whenSent(namesRail, { refuseForeignDestination: () => (_world, _agent, account) => account }),
  }),
  fault('foreign-source-for-a-purpose', 'TRANSFER-SOURCE-FOREIGN', {
    ...whenSent(({ purposeOfPayment }) => purposeOfPayment !== undefined, {
      refuseForeignSource: () => (_world, _agent, account) => account,
    }),
  }),
  fault('unknown-destination-400-by-a-named-rail', 'TRANSFER-DESTINATION-UNKNOWN', {
    ...whenSent(namesRail, { refuseUnknownDestination: refusingWith('INVALID_INPUT', 400) }),
  }),
  ...Object.entries({
    'transaction-size': ['LIMIT-TRANSACTION-SIZE', { withinTransactionSize: nothing }],
    'daily-volume': ['LIMIT-DAILY-VOLUME', { withinDailyVolume: nothing }],
    velocity: ['LIMIT-VELOCITY', { withinVelocity: nothing }],
    ownership: ['ACCOUNT-VERIFICATION-REQUIRED', { ownershipSuffices: nothing }],
    counterparty: ['ERROR-COUNTERPARTY-NOT-ALLOWED', { counterpartyAllowed: nothing }],
    'wallet-session': ['WALLET-PAYMENT-NEEDS-SESSION', { agentMaySpendFrom: nothing }],
    'day-of-the-agent': ['TRANSFER-SPENDING-LIMIT-CUMULATIVE', { withinPeriodLimits: nothing }],
  } satisfies Record<string, readonly [rule: string, replace: Replacements]>).map(([what, [rule, replace]]) =>
    fault(`${what}-forgotten-with-a-text`, rule, {
      ...whenSent(({ remittanceInformation }) => remittanceInformation !== undefined, replace),
    }),
  ),
  fault('limit-forgotten-with-a-text', 'TRANSFER-SPENDING-LIMIT', {
    ...whenSent(({ remittanceInformation }) => remittanceInformation !== undefined, {
      withinTransactionLimit: nothing,
    }),
  }),
  fault('longest-remittance-refused-by-a-named-rail', 'TRANSFER-REMITTANCE-ACCEPTED', {
    submitTransferOut: (original) => (world, agent, body) => {
      const sent = body as Sent;
      if (namesRail(sent) && sent.remittanceInformation?.length === LONGEST)
        throw new Refusal(400, 'INVALID_INPUT', 'The remittanceInformation is too long.');
      return original(world, agent, body);
    },
  }),
  fault('permission-forgotten-with-a-key', 'TRANSFER-PERMISSION-REQUIRED', {
    ...within(
      'runTransfer',
      { permissionGranted: nothing },
      (request: { readonly key: string | undefined }) => request.key !== undefined,
    ),
  }),
  ...breaking(['TRANSFER-IDEMPOTENCY-SAME-RESPONSE', 'TRANSFER-IDEMPOTENCY-ONE-ACTION'], {
    'waiting-transfer-forgets-its-key': {
      idempotencyScope: giving((scope, world) =>
        waiting.get(world)?.has(scope) ? `${scope} ${randomUUID()}` : scope,
      ),
      answerOnce: (original) => async (world, request) => {
        const scope = request.key === undefined ? undefined : world.behaviour.idempotencyScope(request);
        const reply = await original(world, request);
        const { status } = (reply.body ?? {}) as { readonly status?: unknown };
        if (scope !== undefined && status === 'PENDING_APPROVAL')
          waiting.set(world, (waiting.get(world) ?? new Set<string>()).add(scope));
        return reply;
      },
    },
  }),
];
