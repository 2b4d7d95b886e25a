import type { JsonObject } from '../../server/json.ts';
import type { Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import type { Customer } from '../customers/records.ts';
import { type ScaChallenge, scaLogins } from './records.ts';

const LOGIN_TIME = 600_000;

/** 180 days, in milliseconds. */
const SESSION_TIME = 180 * 24 * 3_600_000;

/** Starts a login: a code is sent, or a passkey is asked for. @throws Refusal */
export function startScaLogin(world: World, customer: Customer, wanted: string | undefined): ScaChallenge {
  const { rules } = world;
  const sca = rules.scaOf(customer.id);
  if (!sca) throw rules.refuseScaNotApplicable();
  rules.accountNotLocked(customer.id, sca);
  const factor = rules.factorFor(sca, wanted);
  const challenge = rules.newChallenge(customer.id, sca, { factor, lifetime: LOGIN_TIME });
  return scaLogins.put(world, challenge.id, challenge);
}

/** The challenge of a login; passkey challenges of logins list the origins. */
export function presentLoginChallenge(world: World, challenge: ScaChallenge): JsonObject {
  return {
    ...world.rules.presentChallenge(challenge),
    challengeId: challenge.id,
    passkeyAllowedOrigins: world.rules.loginOrigins(challenge),
  };
}

export function loginOrigins(world: World, challenge: ScaChallenge): readonly string[] | undefined {
  return challenge.factor === 'PASSKEY' ? [...world.rules.allowedOrigins(challenge)] : undefined;
}

/** Completes a login with the proof of its challenge. @returns until when the session lasts @throws Refusal */
export async function completeScaLogin(world: World, customer: Customer, body: JsonObject): Promise<number> {
  const { rules } = world;
  const sca = rules.scaOf(customer.id);
  if (!sca) throw rules.refuseLoginWithoutSca();
  rules.accountNotLocked(customer.id, sca);
  const challenge =
    scaLogins.get(world, String(body['challengeId'])) ??
    latestLogin(world, customer.id, body['challengeId'] === undefined);
  if (!challenge || challenge.customerId !== customer.id || isUsed(challenge))
    throw rules.refuseScaProof('There is no such login challenge.');
  if (rules.challengeExpired(challenge)) throw rules.refuseScaProof('The challenge has expired.');
  if (!(await rules.proofHolds(challenge, body))) {
    rules.countFailure(customer.id, sca);
    throw rules.refuseScaProof('The proof is not right for this login.');
  }
  // Two proofs at once: a challenge opens one session. Or time has ended it meanwhile.
  if (isUsed(challenge)) throw rules.refuseScaProof('The challenge has been used.');
  if (rules.challengeExpired(challenge)) throw rules.refuseScaProof('The challenge has expired.');
  rules.useScaChallenge(challenge);
  sca.failedAttempts = 0;
  const until = world.clock.now(customer.id) + rules.scaSessionTime();
  rules.openScaSession(customer, until);
  return until;
}

/** Customers outside SCA regions. Which code is not shown. */
export function refuseLoginWithoutSca(world: World): Refusal {
  return world.rules.refuseScaNotApplicable();
}

/** How long an SCA session lasts, in milliseconds. */
export function scaSessionTime(_world: World): number {
  return SESSION_TIME;
}

export function openScaSession(world: World, customer: Customer, until: number): void {
  world.rules.scaOf(customer.id)!.sessionExpiresAt = until;
}

export function presentLoginCompletion(world: World, until: number): JsonObject {
  return { status: 'COMPLETED', sessionExpiresAt: world.rules.presentTime(until) };
}

const isUsed = ({ status }: ScaChallenge): boolean => status === 'USED';

function latestLogin(world: World, customerId: string, isWanted: boolean): ScaChallenge | undefined {
  return isWanted
    ? scaLogins
        .all(world)
        .findLast((challenge) => challenge.customerId === customerId && challenge.status === 'OPEN')
    : undefined;
}
