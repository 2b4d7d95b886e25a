import {
  type Assertion,
  type Attestation,
  type ExpectedAssertion,
  type ExpectedAttestation,
  type Passkey,
  readClientData,
  verifyAssertion,
  verifyAttestation,
} from '../../crypto/webauthn.ts';
import type { JsonObject } from '../../server/json.ts';
import { type Passes } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { type Credential, type CredentialKind, type PasskeyChallenge, passkeyChallenges } from './records.ts';

/** The challenge that the Request-Id of a login names. */
export function judgeLoginRequestId(
  world: World,
  credential: Credential,
  requestId: string | undefined,
): PasskeyChallenge {
  const { behaviour } = world;
  if (requestId === undefined) return behaviour.refuseLoginWithoutId(credential);
  const challenge = passkeyChallenges.get(world, requestId);
  if (!challenge) throw behaviour.refuseRequestId('The Request-Id is unknown.');
  behaviour.isChallengeOf(credential, challenge);
  behaviour.passkeyChallengeIsUnused(challenge);
  behaviour.passkeyChallengeIsFresh(challenge);
  return challenge;
}

/** A Request-Id is of one challenge, and so of one credential. Which 401 code that of another one gets is not shown. */
export function isChallengeOf(world: World, credential: Credential, challenge: PasskeyChallenge): Passes {
  if (challenge.credentialId === credential.id) return;
  throw world.behaviour.refuseRequestId('The Request-Id is of another credential.');
}

/** A challenge logs in once. */
export function passkeyChallengeIsUnused(world: World, challenge: PasskeyChallenge): Passes {
  if (challenge.status === 'USED') throw world.behaviour.refuseRequestId('The Request-Id has been used.');
}

/** A PasskeyAuthChallenge has an expiresAt. Which 401 code a login after it gets is not shown. @throws Refusal */
export function passkeyChallengeIsFresh(world: World, challenge: PasskeyChallenge): Passes {
  if (challenge.status === 'EXPIRED') throw world.behaviour.refuseRequestId('The challenge has expired.');
}

/** Another login may have come in between, with this challenge or with this counter. */
export function passkeyStillGood(
  world: World,
  credential: Credential,
  challenge: PasskeyChallenge,
  counter: number,
): Passes {
  const before = credential.passkey!.counter;
  if (counter <= before && (counter > 0 || before > 0))
    throw world.behaviour.refuseProof('The counter has been seen.');
  world.behaviour.passkeyChallengeIsUnused(challenge);
  world.behaviour.passkeyChallengeIsFresh(challenge);
}

/** The passkey of a registration. @param challenge issued by the integrator's backend */
export async function judgeAttestation(
  { behaviour }: World,
  attestation: Attestation,
  challenge: string,
): Promise<Passkey> {
  const origin = behaviour.registrationOrigin(attestation);
  const expected: ExpectedAttestation = {
    challenge: (seen) => behaviour.isRegistrationChallenge(seen, challenge),
    origin,
    rpIds: rpIdsOf(origin),
  };
  let passkey: Passkey;
  try {
    passkey = await behaviour.attestationVerdict(attestation, expected);
  } catch (error) {
    throw behaviour.refuseAttestation(error instanceof Error ? error.message : 'unreadable');
  }
  behaviour.isAttestedId(attestation, passkey);
  return passkey;
}

/** The library's verdict. @throws Error that says what is wrong */
export function attestationVerdict(
  _world: World,
  attestation: Attestation,
  expected: ExpectedAttestation,
): Promise<Passkey> {
  return verifyAttestation(attestation, expected);
}

/** The credentialId beside the attestation object is the one inside it. */
export function isAttestedId(world: World, attestation: Attestation, passkey: Passkey): Passes {
  if (attestation.credentialId.replace(/=+$/, '') === passkey.credentialId) return;
  throw world.behaviour.refuseAttestation('it is of another credentialId');
}

/**
 * The domain of the integrator is whatever secure origin it registers its passkeys on; the RP id of the attestation must
 * belong to that origin, and every login must come from it.
 */
export function registrationOrigin(_world: World, attestation: Attestation): string {
  const origin = readClientData(attestation.clientDataJson)?.origin;
  return typeof origin === 'string' && isSecure(origin) ? origin : 'https://unknown.invalid';
}

/** The client data hold the challenge as base64url, or the bytes of its text. @param seen what the client data hold */
export function isRegistrationChallenge(_world: World, seen: string, challenge: string): boolean {
  return [challenge.replace(/=+$/, ''), Buffer.from(challenge).toString('base64url')].includes(seen);
}

/** The counter of a login with a passkey. */
export async function judgeAssertion(
  { behaviour }: World,
  assertion: Assertion,
  passkey: Passkey,
  { challenge }: PasskeyChallenge,
): Promise<number> {
  behaviour.isAssertionOf(assertion, passkey);
  const expected: ExpectedAssertion = {
    challenge: (seen) => behaviour.isLoginChallenge(seen, challenge),
    origin: behaviour.loginOrigin(assertion, passkey),
    rpId: passkey.rpId,
    // WebAuthn sets the flag when somebody was there. The interface does not speak of it; without it a login proves nobody.
    userPresence: true,
    passkey: behaviour.passkeyToVerify(assertion, passkey),
  };
  try {
    return await behaviour.assertionVerdict(assertion, expected);
  } catch (error) {
    throw behaviour.refuseProof(
      `The assertion is not accepted: ${error instanceof Error ? error.message : 'unreadable'}.`,
    );
  }
}

/** The library's verdict. @throws Error that says what is wrong */
export function assertionVerdict(
  _world: World,
  assertion: Assertion,
  expected: ExpectedAssertion,
): Promise<number> {
  return verifyAssertion(assertion, expected);
}

/** The assertion is of the passkey in the path, and of no other one of the account. */
export function isAssertionOf(world: World, assertion: Assertion, passkey: Passkey): Passes {
  if (assertion.credentialId.replace(/=+$/, '') === passkey.credentialId) return;
  throw world.behaviour.refuseProof('The assertion is of another passkey.');
}

/** The challenge is signed as its text. @param seen base64url, from the client data */
export function isLoginChallenge(_world: World, seen: string, challenge: string): boolean {
  return seen === Buffer.from(challenge).toString('base64url');
}

/** The one that the passkey was registered on. */
export function loginOrigin(_world: World, _assertion: Assertion, passkey: Passkey): string {
  return passkey.origin;
}

/** Key and counter that an assertion is held against. */
export function passkeyToVerify(
  _world: World,
  _assertion: Assertion,
  passkey: Passkey,
): Pick<Passkey, 'credentialId' | 'publicKey' | 'counter'> {
  return passkey;
}

/** WebAuthn runs on https, and on http for the machine itself. */
function isSecure(origin: string): boolean {
  return /^https:\/\/[^/]+$/.test(origin) || /^http:\/\/localhost(:\d+)?$/.test(origin);
}

/** The host of an origin and the domains above it; a top-level domain is nobody's. */
function rpIdsOf(origin: string): string[] {
  const host = URL.canParse(origin) ? new URL(origin).hostname : '';
  const labels = host.split('.');
  return labels
    .map((_, at) => labels.slice(at).join('.'))
    .filter((name) => name === host || name.includes('.'));
}

/**
 * interface.md > Credential operations: the challenge stands at the top of the body, beside the attestation and not in it.
 *
 * @throws Refusal
 */
export async function readPasskeyRegistration(world: World, body: JsonObject): Promise<CredentialKind> {
  const attestation = body['attestation'] as unknown as Attestation;
  const nickname = body['nickname'] as string;
  nicknameFits(world, nickname);
  const passkey = await world.behaviour.judgeAttestation(attestation, body['challenge'] as string);
  return { type: 'PASSKEY', passkey, nickname: world.behaviour.passkeyNickname(nickname) };
}

/** 1 to 100 characters. */
function nicknameFits(world: World, nickname: string): Passes {
  const length = world.behaviour.countCharacters(nickname);
  if (length >= 1 && length <= 100) return;
  throw world.behaviour.refuseField('nickname', 'must have 1 to 100 characters');
}

/** Whether a nickname is trimmed or shortened is not shown: it stays as it was sent. */
export function passkeyNickname(_world: World, nickname: string): string {
  return nickname;
}
