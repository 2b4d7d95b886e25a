import type { Replacements } from '../../areas/behaviour.ts';
import type { AgentAction } from '../../areas/transfers/records.ts';
import type { Reply } from '../../server/area.ts';
import type { JsonObject } from '../../server/json.ts';
import type { World } from '../../world/world.ts';
import { bare, faultsOf, field, inAList, shown } from '../fault.ts';

const action = (name: string) => field('presentAction', name);
const transaction = (name: string) => field('presentTransaction', name);

const OTHER = '00000000-0000-4000-8000-000000000000';

/** AgentAction and its parts, shown wrongly: name, broken rule, what it looks like, how. */
export const actionFieldFaults = faultsOf([
  [
    'transfer-answers-200',
    'TRANSFER-SUCCESS-STATUS',
    'An accepted transfer-out answers 200.',
    accepted((reply) => ({ ...reply, status: 200 })),
  ],
  [
    'transfer-answers-202',
    'TRANSFER-SUCCESS-STATUS',
    'An accepted transfer-out answers 202.',
    accepted((reply) => ({ ...reply, status: 202 })),
  ],
  ['action-in-a-list', 'ACTION-OBJECT', 'The action comes in a list of one.', accepted(inAList)],
  [
    'automatic-transfer-without-transaction',
    'TRANSFER-APPROVED-HAS-TRANSACTION',
    'The 201 of an automatic transfer-out has no transaction.',
    field('presentSubmitted', 'transaction').drop(),
  ],
  ['action-without-id', 'ACTION-ID', 'An action has no id.', action('id').drop()],
  ['action-id-bare-uuid', 'ACTION-ID', 'The id of an action is a bare uuid.', action('id').mapText(bare)],
  ['action-without-agent-id', 'ACTION-AGENT-ID', 'An action has no agentId.', action('agentId').drop()],
  [
    'action-agent-id-bare-uuid',
    'ACTION-AGENT-ID',
    'The agentId of an action is a bare uuid.',
    action('agentId').mapText(bare),
  ],
  [
    'action-without-customer-id',
    'ACTION-CUSTOMER-ID',
    'An action has no customerId.',
    action('customerId').drop(),
  ],
  [
    'action-customer-id-bare-uuid',
    'ACTION-CUSTOMER-ID',
    'The customerId of an action is a bare uuid.',
    action('customerId').mapText(bare),
  ],
  [
    'action-without-platform-customer-id',
    'ACTION-PLATFORM-CUSTOMER-ID',
    'An action has no platformCustomerId.',
    action('platformCustomerId').drop(),
  ],
  [
    'action-platform-customer-id-null',
    'ACTION-PLATFORM-CUSTOMER-ID',
    'The platformCustomerId of an action is null.',
    action('platformCustomerId').set(null),
  ],
  ['action-without-status', 'ACTION-STATUS', 'An action has no status.', action('status').drop()],
  [
    'action-status-lower-case',
    'ACTION-STATUS',
    'The status of an action is in small letters.',
    action('status').mapText((status) => status.toLowerCase()),
  ],
  [
    'approved-action-called-executed',
    'ACTION-STATUS',
    'An approved action has the status EXECUTED.',
    action('status').mapText((status) => (status === 'APPROVED' ? 'EXECUTED' : status)),
  ],
  ['action-without-type', 'ACTION-TYPE', 'An action has no type.', action('type').drop()],
  ['action-type-invented', 'ACTION-TYPE', 'The type of a transfer is PAYOUT.', action('type').set('PAYOUT')],
  [
    'action-without-created-at',
    'ACTION-CREATED-AT',
    'An action has no createdAt.',
    action('createdAt').drop(),
  ],
  [
    'action-created-at-in-milliseconds',
    'ACTION-CREATED-AT',
    'The createdAt of an action is a number.',
    action('createdAt').mapText((at) => Date.parse(at)),
  ],
  [
    'action-without-updated-at',
    'ACTION-UPDATED-AT',
    'An action has no updatedAt.',
    action('updatedAt').drop(),
  ],
  [
    'action-updated-at-without-time',
    'ACTION-UPDATED-AT',
    'The updatedAt of an action is a date without a time.',
    action('updatedAt').mapText((at) => at.slice(0, 10)),
  ],
  [
    'transfer-action-quote-null',
    'ACTION-QUOTE',
    'A transfer carries a quote that is null.',
    action('quote').set(null),
  ],
  [
    'transfer-action-carries-quote',
    'ACTION-NO-QUOTE-FOR-TRANSFER',
    'A transfer carries a quote.',
    action('quote').set(quote()),
  ],
  [
    'transfer-action-without-details',
    'ACTION-DETAILS-FOR-TRANSFER',
    'A transfer carries no transferDetails.',
    action('transferDetails').drop(),
  ],
  [
    'transfer-details-null',
    'ACTION-TRANSFER-DETAILS',
    'The transferDetails of a transfer are null.',
    action('transferDetails').set(null),
  ],
  [
    'absent-transaction-is-null',
    'ACTION-TRANSACTION',
    'Where an action has no transaction it is null instead of absent.',
    shown('presentAction', (action) => ({ ...action, transaction: action['transaction'] ?? null })),
  ],
  [
    'transaction-as-id',
    'ACTION-TRANSACTION',
    'The transaction of an action is its id alone.',
    action('transaction').map((transaction) => (transaction as JsonObject)['id'] ?? ''),
  ],
  [
    'transaction-without-type',
    'ACTION-TRANSACTION-TYPE',
    'A transaction has no type.',
    transaction('type').drop(),
  ],
  [
    'transaction-type-lower-case',
    'ACTION-TRANSACTION-TYPE',
    'The type of a transaction is in small letters.',
    transaction('type').set('outgoing'),
  ],
  [
    'pending-action-has-transaction',
    'ACTION-NO-TRANSACTION-WHILE-PENDING',
    'An action that waits for approval shows the transaction that it will get.',
    transactionWhen('PENDING_APPROVAL'),
  ],
  [
    'rejected-action-has-transaction',
    'ACTION-NO-TRANSACTION-WHEN-REJECTED',
    'A rejected action shows a transaction.',
    transactionWhen('REJECTED'),
  ],
  [
    'rejection-reason-as-object',
    'ACTION-REJECTION-REASON',
    'The rejectionReason is an object.',
    action('rejectionReason').map((text) => ({ text })),
  ],
  [
    'absent-rejection-reason-is-null',
    'ACTION-REJECTION-REASON',
    'Where an action has no rejectionReason it is null instead of absent.',
    shown('presentAction', (action) => ({ ...action, rejectionReason: action['rejectionReason'] ?? null })),
  ],
  [
    'every-action-has-rejection-reason',
    'ACTION-REJECTION-REASON-ONLY-REJECTED',
    'Every action has a rejectionReason.',
    shown('presentAction', (action) => ({ ...action, rejectionReason: action['rejectionReason'] ?? 'none' })),
  ],
  [
    'transfer-out-called-transfer-in',
    'ACTION-TYPE-TRANSFER-OUT',
    'The action of a transfer-out has the type TRANSFER_IN.',
    action('type').map((type) => (type === 'TRANSFER_OUT' ? 'TRANSFER_IN' : type)),
  ],
  [
    'action-shows-another-agent',
    'ACTION-AGENT-ID-CALLER',
    'The agentId of an action is another agent.',
    action('agentId').set(`Agent:${OTHER}`),
  ],
  [
    'action-shows-another-customer',
    'ACTION-CUSTOMER-ID-CALLER',
    'The customerId of an action is another customer.',
    action('customerId').set(`Customer:${OTHER}`),
  ],
  [
    'platform-customer-id-is-the-services-own',
    'ACTION-PLATFORM-CUSTOMER-ID-CALLER',
    "The platformCustomerId of an action is the service's own id.",
    shown('presentAction', (action) => ({ ...action, platformCustomerId: action['customerId'] })),
  ],
  [
    'updated-before-created',
    'ACTION-UPDATED-AT-NOT-BEFORE-CREATED',
    'An action was updated an hour before it was created.',
    updatedBeforeCreated(),
  ],
  [
    'times-in-local-time',
    'GENERAL-TIMESTAMP-UTC',
    'Timestamps are in a local time, two hours ahead of UTC.',
    { presentTime: () => (_world, at) => new Date(at + 7_200_000).toISOString().replace('Z', '+02:00') },
  ],
]);

function accepted(change: (reply: Reply) => Reply): Replacements {
  return { presentTransferOut: (original) => (world, action) => change(original(world, action)) };
}

function transactionWhen(status: AgentAction['status']): Replacements {
  return {
    transactionOfAction: (original) => (world, action) =>
      action.status === status
        ? { id: `Transaction:${OTHER}`, type: 'OUTGOING', status: 'PENDING' }
        : original(world, action),
  };
}

function updatedBeforeCreated(): Replacements {
  return {
    presentAction: (original) => (world: World, action) => ({
      ...original(world, action),
      updatedAt: world.behaviour.presentTime(action.createdAt - 3_600_000),
    }),
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
