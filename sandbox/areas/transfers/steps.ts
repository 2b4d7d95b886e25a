import type { JsonObject } from '../../server/json.ts';
import { type Passes, Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import {
  type ExternalAccount,
  externalAccounts,
  type InternalAccount,
  internalAccounts,
} from '../accounts/records.ts';
import type { Agent } from '../agents/records.ts';
import { customers } from '../customers/records.ts';
import { endQuoteAction } from '../quotes/execution.ts';
import {
  type AgentAction,
  type Payment,
  paymentOf,
  setTransactionStatus,
  transactions,
  type TransferDetails,
} from './records.ts';
import type { NewAction } from './submission-behaviour.ts';

/** Why the destination sends a payout back, or undefined when it keeps it. */
export function payoutFailure(world: World, action: AgentAction): string | undefined {
  return externalAccounts.get(world, action.transfer!.destinationAccountId)?.payoutFails;
}

/** Ends an execution that has begun: the money has arrived, or it comes back. */
export function endExecution(world: World, action: AgentAction): void {
  if (action.type === 'EXECUTE_QUOTE') return endQuoteAction(world, action);
  const transaction = transactions.get(world, action.transactionId!)!;
  if (transaction.status !== 'PROCESSING') return;
  const reason = payoutFailure(world, action);
  if (reason === undefined) {
    world.behaviour.deliverMoney(action);
    setTransactionStatus(world, transaction, 'COMPLETED');
    return;
  }
  failExecution(world, action, reason);
  world.behaviour.returnMoney(action);
}

/** An approved action whose execution fails is FAILED. @param reason transaction failure reason */
export function failExecution(world: World, action: AgentAction, reason: string): void {
  const transaction = transactions.get(world, action.transactionId!)!;
  transaction.failureReason = reason;
  setTransactionStatus(world, transaction, 'FAILED');
  world.behaviour.setStatus(action, 'FAILED');
}

/** Submits a transfer from an external to an internal account, as a transfer-out is submitted. @throws Refusal */
export function submitTransferIn(world: World, agent: Agent, body: JsonObject): AgentAction {
  const { behaviour } = world;
  behaviour.permissionGranted(agent, 'CREATE_TRANSFERS');
  const wanted = behaviour.readTransferIn(agent, body);
  transferAllowed(world, agent, wanted);
  return submitAction(world, agent, wanted, wanted.transfer!);
}

/** Puts a checked action on record. Unless it waits for the platform, its execution begins. @throws Refusal */
export function submitAction(
  world: World,
  agent: Agent,
  wanted: NewAction,
  spending: TransferDetails,
): AgentAction {
  const { behaviour } = world;
  if (behaviour.needsApproval(agent, spending)) return behaviour.addAction(agent, wanted, 'PENDING_APPROVAL');
  // What leaves an account of the service for another one is looked for there at once.
  const source = wanted.type === 'TRANSFER_OUT' && internalAccounts.get(world, spending.sourceAccountId);
  if (source) behaviour.fundsAtSubmission(source, spending.amount);
  const action = behaviour.addAction(agent, wanted, 'APPROVED');
  behaviour.beginExecution(action);
  return action;
}

/**
 * The agent's policy must have room for it, and its customer must be able to make this payment. Where this is asked of the customer is
 * not shown: quotes ask it too.
 */
export function transferAllowed(world: World, agent: Agent, wanted: NewAction): Passes {
  world.behaviour.withinTransactionLimit(agent, wanted.transfer!);
  world.behaviour.withinPeriodLimits(agent, wanted.transfer!);
  const payment = paymentOf({ customerId: agent.customerId, ...wanted });
  customerMayPay(world, payment);
  world.behaviour.withinLimits(payment);
}

/** The customer must be ready, and the counterparty enabled for its accounts. */
export function customerMayPay(world: World, { customerId, destination }: Payment): Passes {
  const customer = customers.get(world, customerId)!;
  world.behaviour.customerIsReady(customer);
  world.behaviour.counterpartyAllowed({ customer, destination });
}

/** The source must exist and belong to the agent's customer. */
export function transferSource(world: World, agent: Agent, id: string): InternalAccount {
  const account = internalAccounts.get(world, id);
  if (!account) throw world.behaviour.refuseUnknownSource(id);
  return account.customerId === agent.customerId
    ? account
    : world.behaviour.refuseForeignSource(agent, account);
}

/** The destination must exist and belong to the agent's customer. */
export function transferDestination(world: World, agent: Agent, id: string): ExternalAccount {
  const account = externalAccounts.get(world, id);
  if (!account) return world.behaviour.refuseUnknownDestination(agent, id);
  return account.customerId === agent.customerId
    ? account
    : world.behaviour.refuseForeignDestination(agent, account);
}

/** Transfers stay within one currency. */
export function sameCurrency(source: InternalAccount, destination: ExternalAccount): Passes {
  if (source.currency === destination.currency) return;
  throw new Refusal(
    400,
    'INVALID_CURRENCY',
    `The source holds ${source.currency}, the destination ${destination.currency}.`,
  );
}
