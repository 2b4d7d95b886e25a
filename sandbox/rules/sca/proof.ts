import { isObject, parseJson, type Json, type JsonObject } from '../../core/json.ts';
import { Refusal } from '../../core/refusal.ts';
import type { World } from '../../core/world.ts';
import { readClientData, verifyAssertion, type Assertion } from '../../crypto/webauthn.ts';
import { SMS_CODE } from '../../domain/fixed-codes.ts';
import type { ScaChallenge } from '../../domain/quote.ts';

/** Whether a ScaAuthorization proves the challenge. */
export async function proofHolds(world: World, challenge: ScaChallenge, proof: JsonObject): Promise<boolean> {
  const { rules } = world;
  if (challenge.factor === 'PASSKEY') return rules.assertionHolds(world, challenge, proof);
  return rules.codeHolds(world, challenge, proof);
}

export function codeHolds(_world: World, _challenge: ScaChallenge, { code }: JsonObject): boolean {
  return code === SMS_CODE;
}

/** The code that a state tells; undefined: whoever asks has to know it. */
export function toldScaCode(_world: World): string | undefined {
  return SMS_CODE;
}

/** The assertion must be made for this challenge, at an origin that is allowed, by the customer's passkey. */
export async function assertionHolds(
  world: World,
  challenge: ScaChallenge,
  proof: JsonObject,
): Promise<boolean> {
  const passkey = world.rules.scaOf(world, challenge.customerId)?.passkey;
  const assertion = readAssertion(proof['passkeyAssertion']);
  if (!passkey || !assertion) return false;
  const origin = proof['origin'] ?? readClientData(assertion.clientDataJson)?.origin;
  if (typeof origin !== 'string' || !world.rules.originAllowed(world, challenge, origin)) return false;
  try {
    await verifyAssertion(assertion, {
      challenge: (sent) => world.rules.challengeMatches(world, challenge, sent),
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

export function originAllowed(world: World, challenge: ScaChallenge, origin: string): boolean {
  return world.rules.allowedOrigins(world, challenge).includes(origin);
}

/** @param sent base64url, from the client data */
export function challengeMatches(_world: World, challenge: ScaChallenge, sent: string): boolean {
  return sent === challenge.nonce;
}

/** What a wrong or expired proof is answered. Which 400 code is not shown. */
export function refuseScaProof(_world: World, why: string): Refusal {
  return new Refusal(400, 'INVALID_INPUT', why);
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
