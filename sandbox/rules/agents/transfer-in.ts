import type { JsonObject } from '../../core/json.ts';
import { enforce, unlessRefused } from '../../core/refusal.ts';
import { created, type Reply } from '../../core/reply.ts';
import type { World } from '../../core/world.ts';
import type { Agent } from '../../domain/agent.ts';
import type { NewAction } from './submit.ts';

/** Submits a transfer from an external to an internal account. @throws Refusal */
export function submitTransferIn(world: World, agent: Agent, body: JsonObject): Reply {
  const { rules } = world;
  enforce(rules.permissionGranted(world, agent, 'CREATE_TRANSFERS'));
  const wanted = rules.readTransferIn(world, agent, body);
  if (rules.needsApproval(world, agent, wanted.transfer!)) {
    return created(rules.presentSubmitted(world, rules.addAction(world, agent, wanted, 'PENDING_APPROVAL')));
  }
  const action = rules.addAction(world, agent, wanted, 'APPROVED');
  rules.beginExecution(world, action);
  const reply = created(rules.presentSubmitted(world, action));
  rules.whenExecutionEnds(world, () => rules.endExecution(world, action));
  return reply;
}

/** Checks a body, which has the right shape, against the records that it names. @throws Refusal */
export function readTransferIn(world: World, agent: Agent, body: JsonObject): NewAction {
  const { rules } = world;
  const source = unlessRefused(
    rules.transferDestination(world, agent, (body['source'] as { accountId: string }).accountId),
  );
  const destination = unlessRefused(
    rules.transferSource(world, agent, (body['destination'] as { accountId: string }).accountId),
  );
  enforce(rules.accountsAllowed(world, agent, [source.id, destination.id]));
  enforce(rules.sameCurrency(world, destination, source));
  return {
    type: 'TRANSFER_IN',
    transfer: {
      amount: unlessRefused(rules.transferAmount(world, destination, body['amount'])),
      currency: destination.currency,
      sourceAccountId: source.id,
      destinationAccountId: destination.id,
    },
  };
}
