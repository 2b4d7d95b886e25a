import { type Json, type JsonObject, readAmount } from '../../server/json.ts';
import { type Passes, Refusal } from '../../server/refusal.ts';
import { newRecord, type World } from '../../world/world.ts';
import { balanceOf, type ExternalAccount, type InternalAccount } from '../accounts/records.ts';
import { accountsAllowed, type Agent } from '../agents/records.ts';
import { actions, type AgentAction } from './records.ts';
import { sameCurrency, submitAction, transferAllowed, transferDestination, transferSource } from './steps.ts';

/*
 * Transfers and the actions of agents. Here they are submitted and checked, in execution-behaviour.ts approved and executed, in
 * showing-behaviour.ts shown; steps.ts has the steps that no world replaces, idempotency.ts answers a key once.
 */

/** What is left of a checked transfer-out body. */
export type NewAction = Pick<
  AgentAction,
  'type' | 'transfer' | 'paymentRail' | 'remittanceInformation' | 'purposeOfPayment' | 'quoteId'
>;

/**
 * Submits a transfer-out whose body has the right shape. Unless it waits for approval, its execution has begun.
 *
 * @throws Refusal
 */
export function submitTransferOut(world: World, agent: Agent, body: JsonObject): AgentAction {
  const { behaviour } = world;
  behaviour.permissionGranted(agent, 'CREATE_TRANSFERS');
  const wanted = behaviour.readTransferOut(agent, body);
  transferAllowed(world, agent, wanted);
  return submitAction(world, agent, wanted, wanted.transfer!);
}

/** Checks a transfer-out body against the records that it names. @throws Refusal */
export function readTransferOut(world: World, agent: Agent, body: JsonObject): NewAction {
  const { behaviour } = world;
  const wanted = body['destination'] as { accountId: string; paymentRail?: string };
  const source = transferSource(world, agent, (body['source'] as { accountId: string }).accountId);
  const destination = transferDestination(world, agent, wanted.accountId);
  accountsAllowed(world, agent, [source.id, destination.id]);
  behaviour.agentMaySpendFrom(source);
  sameCurrency(source, destination);
  const paymentRail = behaviour.chooseRail(destination, wanted.paymentRail);
  const purpose = body['purposeOfPayment'] as string | undefined;
  behaviour.purposeGiven(destination, purpose);
  const remittance = body['remittanceInformation'] as string | undefined;
  return {
    type: 'TRANSFER_OUT',
    transfer: {
      amount: behaviour.transferAmount(source, body['amount']),
      currency: source.currency,
      sourceAccountId: source.id,
      destinationAccountId: destination.id,
    },
    paymentRail,
    ...(remittance === undefined ? {} : { remittanceInformation: remittance }),
    ...(purpose === undefined ? {} : { purposeOfPayment: purpose }),
  };
}

/** Puts a new action on record. */
export function addAction(
  world: World,
  agent: Agent,
  wanted: NewAction,
  status: AgentAction['status'],
): AgentAction {
  const born = newRecord(world, 'AgentAction', agent.customerId);
  return actions.put(world, born.id, {
    ...wanted,
    ...born,
    platformId: agent.platformId,
    agentId: agent.id,
    customerId: agent.customerId,
    status,
  });
}

/** Checks a body, which has the right shape, against the records that it names. @throws Refusal */
export function readTransferIn(world: World, agent: Agent, body: JsonObject): NewAction {
  const source = transferDestination(world, agent, (body['source'] as { accountId: string }).accountId);
  const destination = transferSource(world, agent, (body['destination'] as { accountId: string }).accountId);
  accountsAllowed(world, agent, [source.id, destination.id]);
  sameCurrency(destination, source);
  return {
    type: 'TRANSFER_IN',
    transfer: {
      amount: world.behaviour.transferAmount(destination, body['amount']),
      currency: destination.currency,
      sourceAccountId: source.id,
      destinationAccountId: destination.id,
    },
  };
}

/** The rail that a transfer takes: the one asked for, which the destination must support, or a default. */
export function chooseRail(world: World, destination: ExternalAccount, wanted: string | undefined): string {
  if (wanted === undefined) return world.behaviour.defaultRail(destination);
  return destination.rails.includes(wanted) ? wanted : world.behaviour.refuseRail(destination, wanted);
}

/**
 * interface.md > TransferOutRequest: if omitted, the system selects a default rail. Which one is not shown: the account's
 * first.
 */
export function defaultRail(_world: World, destination: ExternalAccount): string {
  return destination.rails[0]!;
}

/** Geographies that want to know what a payment is for. */
export function purposeNeeded(_world: World, destination: ExternalAccount): boolean {
  return destination.accountInfo['accountType'] === 'INR_ACCOUNT';
}

/** interface.md > TransferOutRequest: may be required for certain geographies. Which code its absence gets is not shown. */
export function purposeGiven(
  world: World,
  destination: ExternalAccount,
  purpose: string | undefined,
): Passes {
  if (purpose !== undefined || !world.behaviour.purposeNeeded(destination)) return;
  throw invalid('purposeOfPayment', 'This destination needs a purposeOfPayment.', {});
}

function invalid(field: string, message: string, constraint: { readonly enum?: string[] }): Refusal {
  return new Refusal(400, 'INVALID_INPUT', message, {
    details: { errors: [{ field, message, constraint: { ...constraint } }] },
  });
}

/** The amount of a transfer, in the smallest unit of the source's currency. */
export function transferAmount(world: World, source: InternalAccount, value: Json | undefined): bigint {
  if (value === undefined) return world.behaviour.amountWhenAbsent(source);
  const amount = readAmount(value);
  return amount > 0n ? amount : world.behaviour.refuseAmount(amount);
}

/** The whole balance can be spent. @param amount smallest unit of the account's currency */
export function fundsSuffice(world: World, source: InternalAccount, amount: bigint): boolean {
  return balanceOf(world, source) >= amount;
}

/**
 * Looks at the balance before an automatic execution is accepted. Whether insufficient funds refuse the request, or let
 * the action fail, is not shown.
 */
export function fundsAtSubmission(world: World, source: InternalAccount, amount: bigint): Passes {
  if (world.behaviour.fundsSuffice(source, amount)) return;
  throw world.behaviour.refuseInsufficientFunds();
}
