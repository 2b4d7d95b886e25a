import type { JsonObject } from '../../core/json.ts';
import { Refusal, type Decision } from '../../core/refusal.ts';
import type { World } from '../../core/world.ts';
import type { Attestation } from '../../crypto/webauthn.ts';
import type { CredentialKind, CredentialType } from '../../domain/credential.ts';
import { customers } from '../../domain/customer.ts';
import type { InternalAccount } from '../../domain/internal-account.ts';

/** What the body of a registration registers, once its proof has been judged. */
export async function readRegistration(
  world: World,
  account: InternalAccount,
  body: JsonObject,
): Promise<CredentialKind | Refusal> {
  const type = body['type'] as CredentialType;
  if (type === 'OAUTH') return world.rules.readOauthRegistration(world, account, body);
  if (type === 'PASSKEY') return world.rules.readPasskeyRegistration(world, body);
  return world.rules.readOtpRegistration(world, account, type);
}

export function readOauthRegistration(
  world: World,
  account: InternalAccount,
  body: JsonObject,
): CredentialKind | Refusal {
  const now = world.clock.now(account.customerId);
  const claims = world.rules.judgeRegistrationToken(world, body['oidcToken'] as string, now);
  if (claims instanceof Refusal) return claims;
  const nickname = world.rules.nicknameFrom(world, claims);
  const identity = world.rules.identityOf(world, claims);
  return { type: 'OAUTH', identity, ...(nickname === undefined ? {} : { nickname }) };
}

export async function readPasskeyRegistration(
  world: World,
  body: JsonObject,
): Promise<CredentialKind | Refusal> {
  const attestation = body['attestation'] as unknown as Attestation;
  const nickname = body['nickname'] as string;
  const unfit = world.rules.nicknameFits(world, nickname);
  if (unfit) return unfit;
  const passkey = await world.rules.judgeAttestation(world, attestation, body['challenge'] as string);
  if (passkey instanceof Refusal) return passkey;
  return { type: 'PASSKEY', passkey, nickname: world.rules.passkeyNickname(world, nickname) };
}

/** 1 to 100 characters. */
export function nicknameFits(world: World, nickname: string): Decision {
  const length = world.rules.countCharacters(world, nickname);
  if (length >= 1 && length <= 100) return undefined;
  return world.rules.refuseField(world, 'nickname', 'must have 1 to 100 characters');
}

export function passkeyNickname(_world: World, nickname: string): string {
  return nickname;
}

/** The code goes to the address that the customer has; a sandbox sends none. */
export function readOtpRegistration(
  world: World,
  account: InternalAccount,
  type: 'EMAIL_OTP' | 'SMS_OTP',
): CredentialKind | Refusal {
  const address = customers.get(world, account.customerId)?.data[
    type === 'EMAIL_OTP' ? 'email' : 'phoneNumber'
  ];
  return { type, ...(typeof address === 'string' ? { nickname: address } : {}) };
}
