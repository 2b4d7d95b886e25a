import { mintId, type World } from '../../world/world.ts';
import {
  CHALLENGE_LIFE,
  type Credential,
  openLoginChallenges,
  type OtpChallenge,
  type PasskeyChallenge,
  passkeyChallenges,
} from './records.ts';

/** @param clientPublicKey hex, as the client sent it */
export function issuePasskeyChallenge(
  world: World,
  credential: Credential,
  clientPublicKey: string,
): PasskeyChallenge {
  const challenge: PasskeyChallenge = {
    id: mintId(world, 'Request'),
    customerId: credential.customerId,
    status: 'OPEN',
    credentialId: credential.id,
    challenge: world.behaviour.newPasskeyChallenge(credential),
    clientPublicKey,
    expiresAt: world.clock.now(credential.customerId) + world.behaviour.challengeLifetime(),
  };
  openLoginChallenges.add(world, challenge);
  return passkeyChallenges.put(world, challenge.id, challenge);
}

/** A code that has logged in, or whose time is over. */
export function otpIsSpent(challenge: OtpChallenge): boolean {
  return challenge.status !== 'OPEN';
}

/** The counter is kept, for WebAuthn tells a copied passkey by a counter that does not grow. */
export function usePasskeyChallenge(
  world: World,
  credential: Credential,
  challenge: PasskeyChallenge,
  counter: number,
): void {
  world.behaviour.changeStatus(CHALLENGE_LIFE, challenge, 'USED');
  credential.passkey!.counter = counter;
}
