import { Refusal, type Decision } from '../../core/refusal.ts';
import type { World } from '../../core/world.ts';
import type { Credential } from '../../domain/credential.ts';
import type { PasskeyChallenge } from '../../domain/login-challenge.ts';

/** The challenge that the Request-Id of a login names. */
export function judgeLoginRequestId(
  world: World,
  credential: Credential,
  requestId: string | undefined,
): PasskeyChallenge | Refusal {
  const { rules } = world;
  if (requestId === undefined) return rules.refuseLoginWithoutId(world, credential);
  const challenge = rules.passkeyChallengeOf(world, requestId);
  if (!challenge) return rules.refuseRequestId(world, 'The Request-Id is unknown.');
  const decision =
    rules.isChallengeOf(world, credential, challenge) ??
    rules.passkeyChallengeIsUnused(world, challenge) ??
    rules.passkeyChallengeIsFresh(world, credential, challenge);
  return decision ?? challenge;
}

export function refuseLoginWithoutId(_world: World, _credential: Credential): Refusal | PasskeyChallenge {
  return new Refusal(401, 'REQUEST_ID_MISSING', 'Request-Id of the challenge is required.');
}

export function isChallengeOf(world: World, credential: Credential, challenge: PasskeyChallenge): Decision {
  if (challenge.credentialId === credential.id) return undefined;
  return world.rules.refuseRequestId(world, 'The Request-Id is of another credential.');
}

/** A challenge logs in once. */
export function passkeyChallengeIsUnused(world: World, challenge: PasskeyChallenge): Decision {
  return challenge.isUsed ? world.rules.refuseRequestId(world, 'The Request-Id has been used.') : undefined;
}

export function passkeyChallengeIsFresh(
  world: World,
  credential: Credential,
  challenge: PasskeyChallenge,
): Decision {
  if (world.clock.now(credential.customerId) < challenge.expiresAt) return undefined;
  return world.rules.refuseRequestId(world, 'The challenge has expired.');
}

/** Another login may have come in between, with this challenge or with this counter. */
export function passkeyStillGood(
  world: World,
  credential: Credential,
  challenge: PasskeyChallenge,
  counter: number,
): Decision {
  const before = credential.passkey!.counter;
  if (counter <= before && (counter > 0 || before > 0))
    return world.rules.refuseProof(world, 'The counter has been seen.');
  return world.rules.passkeyChallengeIsUnused(world, challenge);
}

export function usePasskeyChallenge(
  _world: World,
  credential: Credential,
  challenge: PasskeyChallenge,
  counter: number,
): void {
  challenge.isUsed = true;
  credential.passkey!.counter = counter;
}
