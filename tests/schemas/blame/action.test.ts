import { UUID, action, blames, executeAction, fieldCases, put, quote, without } from './hold.ts';

const approved = put(action, 'status', 'APPROVED');
const rejected = put(action, 'status', 'REJECTED');

blames('AgentAction', [
  ['a legal one with an unknown field', action],
  ...fieldCases(
    action,
    {
      id: 'ACTION-ID',
      agentId: 'ACTION-AGENT-ID',
      customerId: 'ACTION-CUSTOMER-ID',
      platformCustomerId: 'ACTION-PLATFORM-CUSTOMER-ID',
      status: 'ACTION-STATUS',
      type: 'ACTION-TYPE',
      createdAt: 'ACTION-CREATED-AT',
      updatedAt: 'ACTION-UPDATED-AT',
    },
    (object, field) => [
      ['absent', without(object, field)],
      ['a number', put(object, field, 7)],
      ['null', put(object, field, null)],
    ],
  ),
  ['the id of another type', put(action, 'id', `Agent:${UUID}`), 'ACTION-ID'],
  ['a time with an offset', put(action, 'createdAt', '2026-01-02T03:04:05+02:00'), 'GENERAL-TIMESTAMP-UTC'],
  ['a time in words', put(action, 'createdAt', 'yesterday'), 'ACTION-CREATED-AT'],
  [
    'a transaction while pending',
    put(action, 'transaction', { type: 'OUTGOING' }),
    'ACTION-NO-TRANSACTION-WHILE-PENDING',
  ],
  ['a transaction that is null', put(action, 'transaction', null), 'ACTION-TRANSACTION'],
  [
    'a transaction when rejected',
    put(rejected, 'transaction', { type: 'OUTGOING' }),
    'ACTION-NO-TRANSACTION-WHEN-REJECTED',
  ],
  [
    'a transaction of an unknown kind',
    put(approved, 'transaction', { type: 'OUT' }),
    'ACTION-TRANSACTION-TYPE',
  ],
  ['a transaction of no kind', put(approved, 'transaction', {}), 'ACTION-TRANSACTION-TYPE'],
  [
    'a rejection reason while pending',
    put(action, 'rejectionReason', 'x'),
    'ACTION-REJECTION-REASON-ONLY-REJECTED',
  ],
  ['a rejection reason when rejected', put(rejected, 'rejectionReason', 'x')],
  ['a rejection reason that is a number', put(rejected, 'rejectionReason', 4), 'ACTION-REJECTION-REASON'],
  ['a transfer without details', without(action, 'transferDetails'), 'ACTION-DETAILS-FOR-TRANSFER'],
  ['details that are null', put(action, 'transferDetails', null), 'ACTION-TRANSFER-DETAILS'],
  ['an amount in quotes', put(action, 'transferDetails.amount', '1'), 'ACTION-TRANSFER-AMOUNT'],
  ['an amount with a fraction', put(action, 'transferDetails.amount', 1.5), 'ACTION-TRANSFER-AMOUNT'],
  ['no amount', without(action, 'transferDetails.amount'), 'ACTION-TRANSFER-AMOUNT'],
  ['a currency in small letters', put(action, 'transferDetails.currency', 'usd'), 'ACTION-TRANSFER-CURRENCY'],
  ['a numeric currency', put(action, 'transferDetails.currency', '840'), 'ACTION-TRANSFER-CURRENCY'],
  ['the ticker of a cryptocurrency', put(action, 'transferDetails.currency', 'USDC')],
  [
    'a source of an unknown type',
    put(action, 'transferDetails.sourceAccountId', `Account:${UUID}`),
    'ACTION-TRANSFER-SOURCE',
  ],
  ['a quote in a transfer', put(action, 'quote', quote), 'ACTION-NO-QUOTE-FOR-TRANSFER'],
  ['a legal quote execution', executeAction],
  ['an execution without its quote', without(executeAction, 'quote'), 'ACTION-QUOTE-FOR-EXECUTE'],
  [
    'transfer details in an execution',
    put(executeAction, 'transferDetails', action.transferDetails),
    'ACTION-NO-DETAILS-FOR-EXECUTE',
  ],
  ['a quote with a wrong id', put(executeAction, 'quote.id', 'x'), 'QUOTE-ID'],
  ['a quote that is a list', put(executeAction, 'quote', []), 'ACTION-QUOTE'],
  ['a quote with an unknown source', put(executeAction, 'quote.source.sourceType', 'X'), 'QUOTE-SOURCE-TYPE'],
  ['a list in place of the object', [], 'ACTION-OBJECT'],
]);

blames('TransferOutAction', [
  ['pending', action],
  ['failed, without a transaction', put(action, 'status', 'FAILED')],
  ['approved without a transaction', approved, 'TRANSFER-APPROVED-HAS-TRANSACTION'],
  ['a text in place of the object', 'x', 'ACTION-OBJECT'],
  ['a wrong id', put(action, 'id', 'x'), 'ACTION-ID'],
]);
