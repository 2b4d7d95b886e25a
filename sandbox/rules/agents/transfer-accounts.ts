import { Refusal, type Decision } from '../../core/refusal.ts';
import type { World } from '../../core/world.ts';
import type { Agent } from '../../domain/agent.ts';
import { externalAccounts, type ExternalAccount } from '../../domain/external-account.ts';
import { internalAccounts, type InternalAccount } from '../../domain/internal-account.ts';

/** The source must exist and belong to the agent's customer. */
export function transferSource(world: World, agent: Agent, id: string): InternalAccount | Refusal {
  const account = internalAccounts.get(world, id);
  if (!account) return world.rules.refuseUnknownSource(world, id);
  return account.customerId === agent.customerId
    ? account
    : world.rules.refuseForeignSource(world, agent, account);
}

/** The destination must exist and belong to the agent's customer. */
export function transferDestination(world: World, agent: Agent, id: string): ExternalAccount | Refusal {
  const account = externalAccounts.get(world, id);
  if (!account) return world.rules.refuseUnknownDestination(world, agent, id);
  return account.customerId === agent.customerId
    ? account
    : world.rules.refuseForeignDestination(world, agent, account);
}

export function refuseUnknownSource(world: World, id: string): Refusal {
  return world.rules.refuseNotFound(world, 'internal account', id);
}

export function refuseUnknownDestination(world: World, _agent: Agent, id: string): ExternalAccount | Refusal {
  return world.rules.refuseNotFound(world, 'external account', id);
}

/** Somebody else's account: told as if it did not exist. The status is not shown. */
export function refuseForeignSource(
  world: World,
  _agent: Agent,
  account: InternalAccount,
): InternalAccount | Refusal {
  return world.rules.refuseForeignAccount(world, account);
}

export function refuseForeignDestination(
  world: World,
  _agent: Agent,
  account: ExternalAccount,
): ExternalAccount | Refusal {
  return world.rules.refuseForeignAccount(world, account);
}

export function refuseForeignAccount(world: World, account: { readonly id: string }): Refusal {
  return world.rules.refuseNotFound(world, 'account', account.id);
}

/** Transfers stay within one currency. */
export function sameCurrency(_world: World, source: InternalAccount, destination: ExternalAccount): Decision {
  if (source.currency === destination.currency) return undefined;
  return new Refusal(
    400,
    'INVALID_CURRENCY',
    `The source holds ${source.currency}, the destination ${destination.currency}.`,
  );
}

/** The rail that a transfer takes: the one asked for, which the destination must support, or a default. */
export function chooseRail(
  world: World,
  destination: ExternalAccount,
  wanted: string | undefined,
): string | Refusal {
  if (wanted === undefined) return world.rules.defaultRail(world, destination);
  return destination.rails.includes(wanted) ? wanted : world.rules.refuseRail(world, destination, wanted);
}

export function defaultRail(_world: World, destination: ExternalAccount): string | Refusal {
  return destination.rails[0]!;
}

export function refuseRail(_world: World, destination: ExternalAccount, wanted: string): string | Refusal {
  return invalid('destination.paymentRail', `The destination does not support ${wanted}.`, {
    enum: [...destination.rails],
  });
}

/** Geographies that want to know what a payment is for. */
export function purposeNeeded(_world: World, destination: ExternalAccount): boolean {
  return destination.accountInfo['accountType'] === 'INR_ACCOUNT';
}

export function purposeGiven(
  world: World,
  destination: ExternalAccount,
  purpose: string | undefined,
): Decision {
  if (purpose !== undefined || !world.rules.purposeNeeded(world, destination)) return undefined;
  return invalid('purposeOfPayment', 'This destination needs a purposeOfPayment.', {});
}

function invalid(field: string, message: string, constraint: { readonly enum?: string[] }): Refusal {
  return new Refusal(400, 'INVALID_INPUT', message, {
    details: { errors: [{ field, message, constraint: { ...constraint } }] },
  });
}
