import type { Replacements } from '../../areas/behaviour.ts';
import { type AgentAction, actions } from '../../areas/transfers/records.ts';
import type { Reply } from '../../server/area.ts';
import type { JsonObject } from '../../server/json.ts';
import { answering } from '../../areas/replacements.ts';
import { breaking, fault, field, inAList, shown } from '../fault.ts';
import { shownWrongly, inText } from '../shown-wrongly.ts';

const action = (name: string) => field('presentAction', name);

const TRANSFER_OUT = 'POST /agents/me/transfer-out';

const OTHER = '00000000-0000-4000-8000-000000000000';

/** AgentAction and its parts, shown wrongly: name, broken rule, what it looks like, how. */
export const actionFieldFaults = [
  ...shownWrongly(TRANSFER_OUT, 'submitted action', {
    transaction: ['TRANSFER-APPROVED-HAS-TRANSACTION', 'missing'],
  }),
  ...shownWrongly('presentAction', 'action', {
    id: ['ACTION-ID', 'missing', 'bare-uuid'],
    agentId: ['ACTION-AGENT-ID', 'missing', 'bare-uuid'],
    customerId: ['ACTION-CUSTOMER-ID', 'missing', 'bare-uuid'],
    platformCustomerId: ['ACTION-PLATFORM-CUSTOMER-ID', 'missing', 'null'],
    status: [
      'ACTION-STATUS',
      'missing',
      'in-small-letters',
      ['approved-action-called-executed', inText((status) => (status === 'APPROVED' ? 'EXECUTED' : status))],
    ],
    type: ['ACTION-TYPE', 'missing', ['invented', () => 'PAYOUT']],
    createdAt: ['ACTION-CREATED-AT', 'missing', 'in-milliseconds'],
    updatedAt: ['ACTION-UPDATED-AT', 'missing', 'without-time'],
    quote: ['ACTION-QUOTE', 'null'],
    transferDetails: ['ACTION-DETAILS-FOR-TRANSFER', 'missing'],
    transaction: ['ACTION-TRANSACTION', ['as-id', (transaction) => (transaction as JsonObject)['id'] ?? '']],
    rejectionReason: ['ACTION-REJECTION-REASON', ['as-object', (text) => ({ text })]],
  }),
  ...shownWrongly('presentTransaction', 'transaction', {
    type: [
      'ACTION-TRANSACTION-TYPE',
      'missing',
      ['lower-case', () => 'outgoing'],
      ['incoming', () => 'INCOMING'],
    ],
  }),
  ...breaking('TRANSFER-SUCCESS-STATUS', {
    'transfer-answers-200': accepted((reply) => ({ ...reply, status: 200 })),
    'transfer-answers-202': accepted((reply) => ({ ...reply, status: 202 })),
  }),
  fault('action-in-a-list', 'ACTION-OBJECT', accepted(inAList)),
  fault('transfer-action-carries-quote', 'ACTION-NO-QUOTE-FOR-TRANSFER', action('quote').set(quote())),
  fault('transfer-details-null', 'ACTION-TRANSFER-DETAILS', action('transferDetails').set(null)),
  fault('absent-transaction-is-null', 'ACTION-TRANSACTION', {
    ...shown('presentAction', (action) => ({ ...action, transaction: action['transaction'] ?? null })),
  }),
  fault(
    'actions-of-an-agent-show-one-transaction',
    ['TRANSFER-APPROVED-HAS-TRANSACTION', 'ACTION-TRANSACTION-OF-QUOTE'],
    {
      transactionOfAction: (original) => (world, action) => {
        const first = actions.all(world).find(({ agentId }) => agentId === action.agentId);
        return original(world, action) && original(world, first!);
      },
    },
  ),
  fault('rejected-action-has-transaction', 'ACTION-NO-TRANSACTION-WHEN-REJECTED', {
    ...transactionWhen('REJECTED'),
  }),
  fault(
    'absent-rejection-reason-is-null',
    'ACTION-REJECTION-REASON',
    shown('presentAction', (action) => ({ ...action, rejectionReason: action['rejectionReason'] ?? null })),
  ),
  fault(
    'every-action-has-rejection-reason',
    'ACTION-REJECTION-REASON-ONLY-REJECTED',
    shown('presentAction', (action) => ({ ...action, rejectionReason: action['rejectionReason'] ?? 'none' })),
  ),
  fault('transfer-out-called-transfer-in', 'ACTION-TYPE-TRANSFER-OUT', {
    ...action('type').map((type) => (type === 'TRANSFER_OUT' ? 'TRANSFER_IN' : type)),
  }),
  fault('updated-before-created', 'ACTION-UPDATED-AT-NOT-BEFORE-CREATED', {
    presentAction: (original) => (world, action) => ({
      ...original(world, action),
      updatedAt: world.behaviour.presentTime(action.createdAt - 3_600_000),
    }),
  }),
  fault('times-in-local-time', 'GENERAL-TIMESTAMP-UTC', {
    presentTime: () => (_world, at) => new Date(at + 7_200_000).toISOString().replace('Z', '+02:00'),
  }),
];

function accepted(change: (reply: Reply) => Reply): Replacements {
  return answering(TRANSFER_OUT, change);
}

/** Actions of a status that have a transaction. @param isMeant all of them unless given */
export function transactionWhen(
  status: AgentAction['status'],
  isMeant: (action: AgentAction) => boolean = () => true,
): Replacements {
  return {
    transactionOfAction: (original) => (world, action) =>
      action.status === status && isMeant(action)
        ? { id: `Transaction:${OTHER}`, type: 'OUTGOING', status: 'PENDING' }
        : original(world, action),
  };
}

/** A quote of the right shape, so that nothing but its presence is wrong. */
function quote(): JsonObject {
  const usd = { code: 'USD', name: 'United States Dollar', symbol: '$', decimals: 2 };
  return {
    id: `Quote:${OTHER}`,
    status: 'COMPLETED',
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-01T00:05:00.000Z',
    source: { sourceType: 'ACCOUNT', accountId: `InternalAccount:${OTHER}` },
    destination: { destinationType: 'ACCOUNT', accountId: `ExternalAccount:${OTHER}` },
    sendingCurrency: usd,
    receivingCurrency: usd,
    totalSendingAmount: 100,
    totalReceivingAmount: 100,
    exchangeRate: 1,
    feesIncluded: 0,
    transactionId: `Transaction:${OTHER}`,
  };
}
