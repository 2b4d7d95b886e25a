import { randomBytes } from 'node:crypto';
import { type Assertion, readClientData, verifyAssertion } from '../../crypto/webauthn.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../server/json.ts';
import { mintId, type World } from '../../world/world.ts';
import { type ScaProfile } from '../customers/records.ts';
import type { Quote } from '../quotes/records.ts';
import {
  scaOf,
  allowedOrigins,
  challengesFor,
  openScaChallenges,
  type ScaChallenge,
  SMS_CODE,
} from './records.ts';

/** interface.md > Quote: PENDING_AUTHORIZATION occurs only for customers in an SCA region. */
export function quoteNeedsAuthorization(world: World, quote: Quote): boolean {
  return challengesFor(world, quote) > 0;
}

/** How many authorizations the sends of a customer need, where nobody says otherwise. Today two. */
export const usualChallenges = (_world: World): number => 2;

interface Issue {
  readonly factor: string;
  /** Milliseconds. */
  readonly lifetime: number;
  readonly purpose?: string;
}

/**
 * A ScaChallenge as interface.md > Resources describes it. How long one can be authorized is not shown, so whoever issues
 * it says so.
 */
export function newChallenge(world: World, customerId: string, sca: ScaProfile, issue: Issue): ScaChallenge {
  return openScaChallenges.add(world, {
    id: mintId(world, 'ScaChallenge'),
    customerId,
    status: 'OPEN',
    factor: issue.factor,
    availableFactors: sca.availableFactors,
    ...(issue.purpose === undefined ? {} : { purpose: issue.purpose }),
    ...(issue.factor === 'PASSKEY' ? { nonce: randomBytes(32).toString('base64url') } : {}),
    expiresAt: world.clock.now(customerId) + issue.lifetime,
  });
}

/** The factor asked for if the customer has it, else text messages, else the only one there is. */
export function factorFor(_world: World, sca: ScaProfile, wanted: string | undefined): string {
  if (wanted !== undefined && sca.availableFactors.includes(wanted)) return wanted;
  return sca.availableFactors.includes('SMS_OTP') ? 'SMS_OTP' : sca.availableFactors[0]!;
}

/** A ScaChallenge as interface.md > Resources shows it. */
export function presentChallenge(world: World, challenge: ScaChallenge): JsonObject {
  return {
    id: challenge.id,
    expiresAt: world.behaviour.presentTime(challenge.expiresAt),
    factor: challenge.factor,
    availableFactors: [...challenge.availableFactors],
    purpose: challenge.purpose,
    passkeyAssertionOptions: assertionOptions(world, challenge),
  };
}

/** WebAuthn request options; only of passkey challenges. */
function assertionOptions(world: World, challenge: ScaChallenge): JsonObject | undefined {
  const passkey = scaOf(world, challenge.customerId)?.passkey;
  if (challenge.nonce === undefined || !passkey) return undefined;
  return {
    challenge: challenge.nonce,
    rpId: passkey.rpId,
    allowCredentials: [{ type: 'public-key', id: passkey.credentialId }],
    userVerification: 'preferred',
    timeout: 120_000,
  };
}

/** Whether a ScaAuthorization proves the challenge. */
export async function proofHolds(world: World, challenge: ScaChallenge, proof: JsonObject): Promise<boolean> {
  const { behaviour } = world;
  if (challenge.factor === 'PASSKEY') return behaviour.assertionHolds(challenge, proof);
  return behaviour.codeHolds(challenge, proof);
}

/** Which field of a ScaAuthorization holds the code of a text message is not shown; here it is `code`. */
export function codeHolds(_world: World, _challenge: ScaChallenge, { code }: JsonObject): boolean {
  return code === SMS_CODE;
}

/** The code that a state tells; undefined: whoever asks has to know it. */
export const toldScaCode = (_world: World): string | undefined => SMS_CODE;

/** The assertion must be made for this challenge, at an origin that is allowed, by the customer's passkey. */
export async function assertionHolds(
  world: World,
  challenge: ScaChallenge,
  proof: JsonObject,
): Promise<boolean> {
  const passkey = scaOf(world, challenge.customerId)?.passkey;
  const assertion = readAssertion(proof['passkeyAssertion']);
  if (!passkey || !assertion) return false;
  const origin = proof['origin'] ?? readClientData(assertion.clientDataJson)?.origin;
  if (typeof origin !== 'string' || !world.behaviour.originAllowed(challenge, origin)) return false;
  try {
    await verifyAssertion(assertion, {
      challenge: (sent) => world.behaviour.challengeMatches(challenge, sent),
      origin,
      rpId: passkey.rpId,
      userPresence: true,
      // Authenticators that are shared between devices do not count, and the text asks for no counter.
      passkey: { ...passkey, counter: 0 },
    });
    return true;
  } catch {
    return false;
  }
}

/**
 * interface.md > ScaChallenge: the origin used must be one of passkeyAllowedOrigins. Challenges of quotes show no such list
 * and keep to the same origins.
 */
export function originAllowed(world: World, challenge: ScaChallenge, origin: string): boolean {
  return allowedOrigins(world, challenge).includes(origin);
}

/** @param sent base64url, from the client data */
export function challengeMatches(_world: World, challenge: ScaChallenge, sent: string): boolean {
  return sent === challenge.nonce;
}

/** The interface's spelling, WebAuthn's JSON, or either as text. */
function readAssertion(value: Json | undefined): Assertion | undefined {
  if (typeof value === 'string') {
    try {
      return readAssertion(parseJson(value));
    } catch {
      return undefined;
    }
  }
  if (!isObject(value)) return undefined;
  const response = isObject(value['response']) ? value['response'] : value;
  const credentialId = value['credentialId'] ?? value['id'];
  const clientDataJson = response['clientDataJson'] ?? response['clientDataJSON'];
  const { authenticatorData, signature } = response;
  const parts = [credentialId, clientDataJson, authenticatorData, signature];
  if (!parts.every((part) => typeof part === 'string')) return undefined;
  return { credentialId, clientDataJson, authenticatorData, signature } as Assertion;
}
