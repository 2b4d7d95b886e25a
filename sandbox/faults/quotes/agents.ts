import { externalAccounts } from '../../areas/accounts/records.ts';
import type { Replacements } from '../../areas/behaviour.ts';
import type { AgentAction } from '../../areas/transfers/records.ts';
import { type Quote, quotes, sourceAccountId } from '../../areas/quotes/records.ts';
import type { JsonObject } from '../../server/json.ts';
import { mintId, type World } from '../../world/world.ts';
import { faultsOf, objectsNever, shown, within } from '../fault.ts';

const executed = (change: (action: JsonObject) => JsonObject) =>
  shown('presentAction', (action) => (action['type'] === 'EXECUTE_QUOTE' ? change(action) : action));

function pay(world: World, quote: Quote): void {
  world.behaviour.startQuote(quote);
  world.behaviour.settleQuote(quote);
}

/** Quotes of agents, and transfers in. */
export const agentQuoteFaults = faultsOf([
  [
    'executed-quote-null-in-action',
    'ACTION-QUOTE',
    'The quote of an action that executes one is null.',
    executed((action) => ({ ...action, quote: null })),
  ],
  [
    'action-without-executed-quote',
    'ACTION-QUOTE-FOR-EXECUTE',
    'An action that executes a quote does not carry it.',
    { quoteOfAction: () => () => undefined },
  ],
  [
    'action-carries-another-quote',
    'ACTION-QUOTE-IS-EXECUTED-ONE',
    'An action that executes a quote carries another one.',
    shown('presentAction', (action, world) =>
      action['quote'] === undefined
        ? action
        : { ...action, quote: { ...(action['quote'] as JsonObject), id: mintId(world, 'Quote') } },
    ),
  ],
  [
    'action-with-a-transaction-of-its-own',
    'ACTION-TRANSACTION-OF-QUOTE',
    'An action that executes a quote shows another transaction than the quote names.',
    executed((action) =>
      action['transaction'] === undefined
        ? action
        : {
            ...action,
            transaction: {
              ...(action['transaction'] as JsonObject),
              id: 'Transaction:00000000-0000-4000-8000-000000000000',
            },
          },
    ),
  ],
  [
    'agent-quotes-from-any-account',
    'AGENT-QUOTE-SCOPED',
    "An agent's quote may be paid from any account of the platform.",
    {
      callerActsFor: (original) => (world, caller, customer) =>
        caller.kind === 'agent' || original(world, caller, customer),
    },
  ],
  [
    'agent-executes-any-quote',
    'AGENT-QUOTE-SCOPED',
    'Whose quote an agent executes, is not looked at.',
    { agentActsOnQuote: () => () => true },
  ],
  [
    'waiting-quote-executed-at-once',
    'TRANSFER-PENDING-NOT-EXECUTED',
    'A quote that an agent executes is paid while its action still waits for the platform.',
    {
      executeAsAgent: (original) => (world, agent, quote) => {
        const action = original(world, agent, quote);
        if (action.status === 'PENDING_APPROVAL') pay(world, quote);
        return action;
      },
      beginQuoteAction: (original) => (world, action) => {
        const quote = quotes.get(world, action.quoteId!)!;
        if (quote.status === 'PENDING') return original(world, action);
        Object.assign(quote, { executedBy: action.id });
        action.transactionId = quote.transactionId;
      },
    },
    ['ACTION-REJECT-NOT-EXECUTED'],
  ],
  [
    'rejected-quote-executed',
    'ACTION-REJECT-NOT-EXECUTED',
    'A quote is paid when the platform rejects its execution.',
    {
      setStatus: (original) => (world, action, status) => {
        original(world, action, status);
        const quote = action.quoteId === undefined ? undefined : quotes.get(world, action.quoteId);
        if (status === 'REJECTED' && quote?.status === 'PENDING') pay(world, quote);
      },
    },
  ],
  [
    'agent-quotes-without-limit',
    'AGENT-QUOTE-SPENDING-LIMIT',
    'Spending limits hold for transfers alone.',
    within('executeAsAgent', { withinTransactionLimit: objectsNever, withinPeriodLimits: objectsNever }),
  ],
  [
    'agent-quote-takes-more-than-its-total',
    'QUOTE-DEBIT-IS-TOTAL',
    'The execution of a quote by an agent costs something on top.',
    {
      startQuote: (original) => (world, quote) => {
        original(world, quote);
        if (quote.executedBy !== undefined) debit(world, quote, 500n);
      },
    },
  ],
  [
    'uma-payment-takes-more-than-its-total',
    'QUOTE-DEBIT-IS-TOTAL',
    'The execution of a quote to a UMA address costs something on top.',
    {
      startQuote: (original) => (world, quote) => {
        original(world, quote);
        if (quote.destination['destinationType'] === 'UMA_ADDRESS' && sourceAccountId(quote))
          debit(world, quote, 500n);
      },
    },
  ],
  [
    'agent-quote-paid-again',
    'QUOTE-DEBIT-IS-TOTAL',
    'A quote that an agent has executed is paid again when it executes it once more.',
    {
      executeAsAgent: (original) => (world, agent, quote) => {
        if (quote.executedBy !== undefined) debit(world, quote, quote.totalSendingAmount);
        return original(world, agent, quote);
      },
    },
  ],
  [
    'approved-quote-never-begins',
    'ACTION-APPROVE-BEGINS-EXECUTION',
    'An approved execution of a quote is never begun.',
    neverBegun('EXECUTE_QUOTE'),
  ],
  [
    'approved-transfer-in-never-begins',
    'ACTION-APPROVE-BEGINS-EXECUTION',
    'An approved transfer-in is never begun.',
    neverBegun('TRANSFER_IN'),
  ],
  [
    'agent-quotes-to-any-account',
    'AGENT-QUOTE-SCOPED',
    "An agent's quote may pay to an external account of any customer.",
    {
      receivingParty: (original) => (world, caller, customer, destination) => {
        const account = externalAccounts.get(world, String(destination['accountId']));
        return caller.kind === 'agent' && account
          ? account.currency
          : original(world, caller, customer, destination);
      },
    },
  ],
  [
    'quote-action-carries-details',
    'ACTION-NO-DETAILS-FOR-EXECUTE',
    'An action that executes a quote carries transferDetails.',
    {
      detailsOfAction: (original) => (world, action) =>
        original(world, action) ?? {
          amount: 100,
          currency: 'USD',
          sourceAccountId: mintId(world, 'InternalAccount'),
          destinationAccountId: mintId(world, 'ExternalAccount'),
        },
    },
  ],
  [
    'quote-action-called-transfer',
    'ACTION-TYPE-EXECUTE-QUOTE',
    'The action of an executed quote has the type TRANSFER_OUT.',
    {
      presentQuoteAction: (original) => (world, action) => {
        const reply = original(world, action);
        const quote = quotes.get(world, action.quoteId!)!;
        return {
          ...reply,
          body: {
            ...(reply.body as JsonObject),
            type: 'TRANSFER_OUT',
            quote: undefined,
            transferDetails: {
              ...world.behaviour.presentTransferDetails(world.behaviour.spendingOfQuote(quote)),
            },
          },
        };
      },
    },
  ],
  [
    'transfer-in-called-transfer-out',
    'ACTION-TYPE-TRANSFER-IN',
    'The action of a transfer-in has the type TRANSFER_OUT.',
    shown('presentAction', (action) =>
      action['type'] === 'TRANSFER_IN' ? { ...action, type: 'TRANSFER_OUT' } : action,
    ),
  ],
  [
    'transfer-in-shown-the-other-way',
    'TRANSFER-IN-DETAILS-DIRECTION',
    'A transfer-in shows the internal account as its source.',
    shown('presentAction', (action) =>
      action['type'] === 'TRANSFER_IN'
        ? { ...action, transferDetails: turned(action['transferDetails'] as JsonObject) }
        : action,
    ),
  ],
]);

function debit(world: World, quote: Quote, amount: bigint): void {
  const { sendingCurrency: currency, id: reason } = quote;
  world.ledger.post({ from: sourceAccountId(quote)!, to: 'fees:service', amount, currency, reason });
}

/** The platform's approval changes the status of actions of this type, and nothing else. */
function neverBegun(type: AgentAction['type']): Replacements {
  return {
    approveAction: (original) => (world, action) =>
      action.type === type ? world.behaviour.setStatus(action, 'APPROVED') : original(world, action),
  };
}

function turned(details: JsonObject): JsonObject {
  return {
    ...details,
    sourceAccountId: details['destinationAccountId'],
    destinationAccountId: details['sourceAccountId'],
  };
}
