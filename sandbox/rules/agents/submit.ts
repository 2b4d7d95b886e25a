import type { JsonObject } from '../../core/json.ts';
import { enforce, unlessRefused } from '../../core/refusal.ts';
import { created, type Reply } from '../../core/reply.ts';
import { mintId, type World } from '../../core/world.ts';
import { actions, type AgentAction } from '../../domain/action.ts';
import type { Agent } from '../../domain/agent.ts';
import { internalAccounts } from '../../domain/internal-account.ts';

/** What is left of a checked transfer-out body. */
export type NewAction = Pick<
  AgentAction,
  'type' | 'transfer' | 'paymentRail' | 'remittanceInformation' | 'purposeOfPayment' | 'quoteId'
>;

/** Submits a transfer-out whose body has the right shape. @throws Refusal */
export function submitTransferOut(world: World, agent: Agent, body: JsonObject): Reply {
  const { rules } = world;
  enforce(rules.permissionGranted(world, agent, 'CREATE_TRANSFERS'));
  const transfer = rules.readTransferOut(world, agent, body);
  const details = transfer.transfer!;
  enforce(rules.withinTransactionLimit(world, agent, details));
  enforce(rules.withinPeriodLimits(world, agent, details));
  if (rules.needsApproval(world, agent, details)) {
    return created(
      rules.presentSubmitted(world, rules.addAction(world, agent, transfer, 'PENDING_APPROVAL')),
    );
  }
  enforce(
    rules.fundsAtSubmission(world, internalAccounts.get(world, details.sourceAccountId)!, details.amount),
  );
  const action = rules.addAction(world, agent, transfer, 'APPROVED');
  rules.beginExecution(world, action);
  const reply = created(rules.presentSubmitted(world, action));
  rules.whenExecutionEnds(world, () => rules.endExecution(world, action));
  return reply;
}

/** Checks a transfer-out body against the records that it names. @throws Refusal */
export function readTransferOut(world: World, agent: Agent, body: JsonObject): NewAction {
  const { rules } = world;
  const wanted = body['destination'] as { accountId: string; paymentRail?: string };
  const source = unlessRefused(
    rules.transferSource(world, agent, (body['source'] as { accountId: string }).accountId),
  );
  const destination = unlessRefused(rules.transferDestination(world, agent, wanted.accountId));
  enforce(rules.accountsAllowed(world, agent, [source.id, destination.id]));
  enforce(rules.agentMaySpendFrom(world, source));
  enforce(rules.sameCurrency(world, source, destination));
  const paymentRail = unlessRefused(rules.chooseRail(world, destination, wanted.paymentRail));
  const purpose = body['purposeOfPayment'] as string | undefined;
  enforce(rules.purposeGiven(world, destination, purpose));
  const remittance = body['remittanceInformation'] as string | undefined;
  return {
    type: 'TRANSFER_OUT',
    transfer: {
      amount: unlessRefused(rules.transferAmount(world, source, body['amount'])),
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
  const id = mintId(world, 'AgentAction');
  const now = world.clock.now(agent.customerId);
  return actions.put(world, id, {
    ...wanted,
    id,
    platformId: agent.platformId,
    agentId: agent.id,
    customerId: agent.customerId,
    status,
    createdAt: now,
    updatedAt: now,
  });
}
