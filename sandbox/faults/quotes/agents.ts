import { balanceOf, externalAccounts, internalAccounts } from '../../areas/accounts/records.ts';
import { agents } from '../../areas/agents/records.ts';
import type { Replacements } from '../../areas/behaviour.ts';
import { type AgentAction, actions, type TransferDetails } from '../../areas/transfers/records.ts';
import type { QuoteCaller } from '../../areas/quotes/creation-behaviour.ts';
import { isOpen, spendingOfQuote, type Quote, quotes, sourceAccountId } from '../../areas/quotes/records.ts';
import { type JsonObject, textOf } from '../../server/json.ts';
import { mintId, type World } from '../../world/world.ts';
import { giving, answeringWith, asking, no, where, nothing, yes } from '../../areas/replacements.ts';
import { anyMoveOf, breaking, fault, field, shown, within } from '../fault.ts';

const executed = (change: (action: JsonObject, world: World) => JsonObject) =>
  shown('presentAction', (action, world) =>
    action['type'] === 'EXECUTE_QUOTE' ? change(action, world) : action,
  );

function pay(world: World, quote: Quote): void {
  world.behaviour.startQuote(quote);
  world.behaviour.settleQuote(quote);
}

/** A mistake with the quotes that agents ask for. */
export function whereAgentsAsk(inner: Replacements): Replacements {
  return within('createQuote', inner, ({ kind }: QuoteCaller) => kind === 'agent');
}

/** Quotes of agents, and transfers in. */
export const agentQuoteFaults = [
  fault('executed-quote-null-in-action', 'ACTION-QUOTE', {
    ...executed((action) => ({ ...action, quote: null })),
  }),
  fault('action-without-executed-quote', 'ACTION-QUOTE-FOR-EXECUTE', field('presentAction', 'quote').drop()),
  fault(
    'action-carries-the-first-quote-of-its-agent',
    ['ACTION-QUOTE-IS-EXECUTED-ONE', 'ACTION-TRANSACTION-OF-QUOTE'],
    {
      presentAction: (original) => (world, action) => {
        const first = actions
          .all(world)
          .find(({ agentId, quoteId }) => agentId === action.agentId && quoteId);
        return original(world, { ...action, ...(action.quoteId && { quoteId: first!.quoteId! }) });
      },
    },
  ),
  fault('action-carries-another-quote', 'ACTION-QUOTE-IS-EXECUTED-ONE', {
    ...shown('presentAction', (action, world) =>
      action['quote'] === undefined
        ? action
        : { ...action, quote: { ...(action['quote'] as JsonObject), id: mintId(world, 'Quote') } },
    ),
  }),
  fault('action-with-a-transaction-of-its-own', 'ACTION-TRANSACTION-OF-QUOTE', {
    ...executed((action) =>
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
  }),
  ...breaking('AGENT-QUOTE-SCOPED', {
    'agent-quotes-from-any-account': { callerActsFor: where((caller) => caller.kind === 'agent', true) },
    'agent-executes-any-quote': { agentActsOnQuote: yes },
    'agent-quotes-to-any-account': {
      receivingParty: (original) => (world, caller, customer, destination) => {
        const account = externalAccounts.get(world, String(destination['accountId']));
        return caller.kind === 'agent' && account
          ? account.currency
          : original(world, caller, customer, destination);
      },
    },
  }),
  fault('waiting-quote-executed-at-once', ['TRANSFER-PENDING-NOT-EXECUTED', 'ACTION-REJECT-NOT-EXECUTED'], {
    executeAsAgent: giving((action, world, agent, quote) => {
      if (action.status === 'PENDING_APPROVAL') pay(world, quote);
      return action;
    }),
    beginQuoteAction: (original) => (world, action) => {
      const quote = quotes.get(world, action.quoteId!)!;
      if (quote.status === 'PENDING') return original(world, action);
      Object.assign(quote, { executedBy: action.id });
      action.transactionId = quote.transactionId;
    },
  }),
  fault('rejected-quote-executed', 'ACTION-REJECT-NOT-EXECUTED', {
    setStatus: (original) => (world, action, status) => {
      original(world, action, status);
      const quote = action.quoteId === undefined ? undefined : quotes.get(world, action.quoteId);
      if (status === 'REJECTED' && quote?.status === 'PENDING') pay(world, quote);
    },
  }),
  fault('agent-quotes-without-limit', 'AGENT-QUOTE-SPENDING-LIMIT', {
    ...within('executeAsAgent', { withinTransactionLimit: nothing, withinPeriodLimits: nothing }),
  }),
  fault('agent-quotes-without-daily-limit', 'AGENT-QUOTE-SPENDING-LIMIT', {
    ...within('executeAsAgent', { withinPeriodLimits: nothing }),
  }),
  fault('agent-quote-takes-more-than-its-total', ['QUOTE-DEBIT-IS-TOTAL', 'TRANSACTION-FAILED-REFUNDED'], {
    startQuote: (original) => (world, quote) => {
      original(world, quote);
      if (quote.executedBy !== undefined) debit(world, quote, 500n);
    },
  }),
  fault('uma-payment-takes-more-than-its-total', ['QUOTE-DEBIT-IS-TOTAL', 'TRANSACTION-FAILED-REFUNDED'], {
    startQuote: (original) => (world, quote) => {
      original(world, quote);
      if (quote.destination['destinationType'] === 'UMA_ADDRESS' && sourceAccountId(quote))
        debit(world, quote, 500n);
    },
  }),
  fault('agent-quote-paid-again', 'QUOTE-DEBIT-IS-TOTAL', {
    executeAsAgent: (original) => (world, agent, quote) => {
      if (quote.executedBy !== undefined) debit(world, quote, quote.totalSendingAmount);
      return original(world, agent, quote);
    },
  }),
  fault('platform-pays-again-what-an-agent-has-paid', 'QUOTE-DEBIT-IS-TOTAL', {
    executeQuote: (original) => (world, quote) => {
      if (quote.executedBy !== undefined) debit(world, quote, quote.totalSendingAmount);
      return original(world, quote);
    },
  }),
  fault('execution-without-funds-is-paid-for', 'QUOTE-DEBIT-IS-TOTAL', {
    executeQuote: (original) => (world, quote) => {
      const account = internalAccounts.get(world, sourceAccountId(quote) ?? '');
      if (account && !world.behaviour.fundsSuffice(account, quote.totalSendingAmount))
        debit(world, quote, balanceOf(world, account));
      return original(world, quote);
    },
  }),
  fault('agent-pays-again-what-the-platform-has-paid', 'QUOTE-DEBIT-IS-TOTAL', {
    executeAsAgent: (original) => (world, agent, quote) => {
      if (!isOpen(quote) && quote.executedBy === undefined) debit(world, quote, quote.totalSendingAmount);
      return original(world, agent, quote);
    },
  }),
  fault('agent-quote-approved-twice-paid-again', 'QUOTE-DEBIT-IS-TOTAL', {
    beginQuoteAction: (original) => (world, action) => {
      const quote = quotes.get(world, action.quoteId!)!;
      if (quote.executedBy !== undefined) debit(world, quote, quote.totalSendingAmount);
      return original(world, action);
    },
  }),
  fault('approved-quote-pays-again', 'QUOTE-DEBIT-IS-TOTAL', {
    beginQuoteAction: (original) => (world, action) => {
      original(world, action);
      const quote = quotes.get(world, action.quoteId!)!;
      const { policy } = agents.get(world, action.agentId)!;
      if (policy.defaultExecutionMode !== 'AUTO') debit(world, quote, quote.totalSendingAmount);
    },
  }),
  ...breaking('ACTION-APPROVE-BEGINS-EXECUTION', {
    'approved-quote-never-begins': neverBegun(({ type }) => type === 'EXECUTE_QUOTE'),
    'approved-transfer-in-never-begins': neverBegun(({ type }) => type === 'TRANSFER_IN'),
    'approved-transfer-with-text-never-begins': neverBegun(
      ({ remittanceInformation }) => remittanceInformation !== undefined,
    ),
  }),
  fault('quote-action-carries-details', 'ACTION-NO-DETAILS-FOR-EXECUTE', {
    ...executed((action, world) => ({
      ...action,
      transferDetails: {
        amount: 100,
        currency: 'USD',
        sourceAccountId: mintId(world, 'InternalAccount'),
        destinationAccountId: mintId(world, 'ExternalAccount'),
      },
    })),
  }),
  fault('quote-action-called-transfer', 'ACTION-TYPE-EXECUTE-QUOTE', {
    ...answeringWith('POST /agents/me/quotes/:quoteId/execute', ({ quote, ...body }, world) => {
      const spending = spendingOfQuote(quotes.get(world, textOf((quote as JsonObject)['id']))!);
      const transferDetails = world.behaviour.presentTransferDetails(spending);
      return { ...body, type: 'TRANSFER_OUT', transferDetails };
    }),
  }),
  fault('transfer-in-called-transfer-out', 'ACTION-TYPE-TRANSFER-IN', {
    ...shown('presentAction', (action) =>
      action['type'] === 'TRANSFER_IN' ? { ...action, type: 'TRANSFER_OUT' } : action,
    ),
  }),
  fault('transfer-in-takes-the-money', 'TRANSFER-IN-DETAILS-DIRECTION', {
    moveMoney: asking((action) => [asGoingOut(action)]),
    deliverMoney: asking((action) => [asGoingOut(action)]),
  }),
  fault('agent-executes-expired-quote', 'QUOTE-EXPIRED-NOT-EXECUTABLE', {
    ...within('executeAsAgent', {
      quoteExpired: no,
      quoteOpen: where(({ status }) => status === 'EXPIRED', undefined),
    }),
    ...anyMoveOf('quote', 'transaction'),
  }),
  fault('transfer-in-shown-the-other-way', 'TRANSFER-IN-DETAILS-DIRECTION', {
    ...shown('presentAction', (action) =>
      action['type'] === 'TRANSFER_IN'
        ? { ...action, transferDetails: turned(action['transferDetails'] as JsonObject) }
        : action,
    ),
  }),
];

function debit(world: World, quote: Quote, amount: bigint): void {
  const { sendingCurrency: currency, id: reason } = quote;
  world.ledger.post({ from: sourceAccountId(quote)!, to: 'fees:service', amount, currency, reason });
}

/** The platform's approval changes the status of such actions, and nothing else. */
function neverBegun(isMeant: (action: AgentAction) => boolean): Replacements {
  return {
    approveAction: (original) => (world, action) =>
      isMeant(action) ? world.behaviour.setStatus(action, 'APPROVED') : original(world, action),
  };
}

/** Details of a transfer with its ends exchanged. */
function turned<T extends object>(details: T): T {
  const { sourceAccountId, destinationAccountId } = details as Partial<TransferDetails>;
  return { ...details, sourceAccountId: destinationAccountId, destinationAccountId: sourceAccountId };
}

/** A transfer-in as if it went out of its account. */
function asGoingOut(action: AgentAction): AgentAction {
  return action.type === 'TRANSFER_IN' ? { ...action, transfer: turned(action.transfer!) } : action;
}
