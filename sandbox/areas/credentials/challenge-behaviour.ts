import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { newPrivateKey } from '../../crypto/keys.ts';
import type { JsonObject } from '../../server/json.ts';
import type { Passes } from '../../server/refusal.ts';
import { mintId, type World } from '../../world/world.ts';
import {
  challengeTimes,
  type Credential,
  openLoginChallenges,
  type OtpChallenge,
  otpChallenges,
  type PasskeyChallenge,
} from './records.ts';

const MINUTE = 60_000;

/** Challenges of one credential within a minute. */
export const challengeLimit = (_world: World): number => 10;

/** Challenges are not issued too often. */
export function mayChallenge(world: World, credential: Credential): Passes {
  const now = world.clock.now(credential.customerId);
  const recent = (challengeTimes.get(world, credential.id) ?? []).filter((at) => at > now - MINUTE);
  challengeTimes.put(world, credential.id, recent);
  const limit = world.behaviour.challengeLimit();
  if (recent.length < limit) {
    recent.push(now);
    return;
  }
  throw world.behaviour.refuseTooOften(Math.ceil((recent[recent.length - limit]! + MINUTE - now) / 1000));
}

/** Milliseconds that a challenge can be answered. */
export const challengeLifetime = (_world: World): number => 5 * MINUTE;

/** The body of a verify call is of the credential's type. */
export function typeFits(world: World, credential: Credential, type: string): Passes {
  if (type !== credential.type) throw world.behaviour.refuseField('type', `must be ${credential.type}`);
}

/** A fresh code and a fresh key to seal it to. */
export function issueOtpChallenge(world: World, credential: Credential): OtpChallenge {
  const challenge: OtpChallenge = {
    id: mintId(world, 'Challenge'),
    customerId: credential.customerId,
    status: 'OPEN',
    code: world.behaviour.newCode(),
    target: newPrivateKey(),
    expiresAt: world.clock.now(credential.customerId) + world.behaviour.challengeLifetime(),
  };
  openLoginChallenges.add(world, challenge);
  otpChallenges.put(world, credential.id, [...(otpChallenges.get(world, credential.id) ?? []), challenge]);
  return challenge;
}

/** In a sandbox the code is always the same. */
export const newCode = (_world: World): string => '000000';

/** The code that a state tells; undefined: whoever asks has to know it. */
export function toldCode(_world: World, code: string): string | undefined {
  return code;
}

/** The credential, with the bundle to seal the code to. */
export function presentOtpChallenge(
  world: World,
  credential: Credential,
  challenge: OtpChallenge,
): JsonObject {
  return {
    ...world.behaviour.presentCredential(credential),
    otpEncryptionTargetBundle: world.behaviour.presentTargetBundle(challenge),
  };
}

/** JSON text that names the key, and who vouches for it. */
export function presentTargetBundle(world: World, challenge: OtpChallenge): string {
  const data = Buffer.from(JSON.stringify({ targetPublic: challenge.target.point.toString('hex') }));
  const quorum = quorumKey();
  return JSON.stringify({
    version: 'v1.0.0',
    data: data.toString('hex'),
    dataSignature: sign('sha256', data, quorum.privateKey).toString('hex'),
    enclaveQuorumPublic: quorum.point,
  });
}

/**
 * When time ends a challenge that waits for its login, in milliseconds since the epoch. A code that came in time is signed in
 * its own time.
 */
export function challengeEndsAt(world: World, challenge: OtpChallenge | PasskeyChallenge): number {
  const answeredAt = 'answeredAt' in challenge ? challenge.answeredAt : undefined;
  if (answeredAt === undefined) return challenge.expiresAt;
  return Math.max(challenge.expiresAt, answeredAt + world.behaviour.signingWindow());
}

/** Lower-case hex. */
export function newPasskeyChallenge(_world: World, _credential: Credential): string {
  return randomBytes(32).toString('hex');
}

/** A PasskeyAuthChallenge as interface.md > Credential and session objects shows it. */
export function presentPasskeyChallenge(world: World, challenge: PasskeyChallenge): JsonObject {
  return {
    challenge: challenge.challenge,
    requestId: challenge.id,
    expiresAt: world.behaviour.presentTime(challenge.expiresAt),
  };
}

let quorum: { readonly privateKey: KeyObject; readonly point: string } | undefined;

/** One for the process, as the enclave has one for everybody. */
function quorumKey(): { readonly privateKey: KeyObject; readonly point: string } {
  if (quorum) return quorum;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')]);
  return (quorum = { privateKey, point: point.toString('hex') });
}

/** Whole seconds. */
export function retryAfter(_world: World, seconds: number): string {
  return String(seconds);
}
