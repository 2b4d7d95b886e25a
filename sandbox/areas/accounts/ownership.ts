import { randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '../../server/json.ts';
import { Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { type ExternalAccount, type OwnershipChallenge, ownershipChallenges } from './records.ts';

/** Asks for a proof of ownership; the account stays as it is. @throws Refusal */
export function challengeOwnership(
  world: World,
  account: ExternalAccount,
  method: OwnershipChallenge['method'],
): OwnershipChallenge {
  const { behaviour } = world;
  behaviour.awaitsOwnership(account);
  const challenge: OwnershipChallenge = {
    accountId: account.id,
    method,
    // What the wallet signs is not shown. It is another text each time, so that no earlier signature holds.
    messageToSign: `I own the wallet behind ${account.id}. ${randomUUID()}`,
    expiresAt: world.clock.now(account.customerId) + 600_000,
  };
  ownershipChallenges.put(world, account.id, challenge);
  behaviour.afterOwnershipChallenge(account);
  return challenge;
}

/** The shape is not shown. A liveness check is hosted elsewhere: it has an address in place of a message. */
export function presentOwnershipChallenge(world: World, challenge: OwnershipChallenge): JsonObject {
  const { method, messageToSign, expiresAt } = challenge;
  const hosted = { url: `https://liveness.sandbox.example/${challenge.accountId.slice(-12)}` };
  return {
    method,
    ...(method === 'LIVENESS' ? hosted : { messageToSign }),
    expiresAt: world.behaviour.presentTime(expiresAt),
  };
}

/**
 * Checks the signature; the account has its new status when this returns.
 *
 * @returns whether it held
 * @throws Refusal
 */
export function verifyOwnership(
  world: World,
  account: ExternalAccount,
  signature: Json | undefined,
): boolean {
  const { behaviour } = world;
  behaviour.awaitsOwnership(account);
  const challenge = ownershipChallenges.get(world, account.id);
  if (!challenge) throw behaviour.refuseConflict('Ask for a challenge first.');
  if (typeof signature !== 'string' || signature === '')
    throw new Refusal(400, 'INVALID_INPUT', 'A signature is needed.');
  if (world.clock.now(account.customerId) >= challenge.expiresAt)
    throw new Refusal(400, 'INVALID_INPUT', 'The challenge has expired.');
  const holds = behaviour.ownershipProven(account, challenge, signature);
  ownershipChallenges.delete(world, account.id);
  behaviour.whenOwnershipKnown(() => behaviour.settleOwnership(account, holds));
  return holds;
}

/** Moves an account to a status; a change is told. */
export function setAccountStatus(world: World, account: ExternalAccount, status: string): void {
  const changes = account.status !== status;
  account.status = status;
  account.updatedAt = world.clock.now(account.customerId);
  if (changes) world.behaviour.tellAccountStatus(account);
}
