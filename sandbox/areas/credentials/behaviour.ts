import type { JsonObject } from '../../server/json.ts';
import { type Passes, Refusal } from '../../server/refusal.ts';
import { shownTimes, type World } from '../../world/world.ts';
import type { InternalAccount } from '../accounts/records.ts';
import { customers } from '../customers/records.ts';
import {
  addCredential,
  type Credential,
  CREDENTIAL_LIFE,
  type CredentialKind,
  credentialsOf,
  type CredentialType,
  type Session,
  sessions,
} from './records.ts';
import { changeStatus } from '../../world/table.ts';

/*
 * Credentials of Global Accounts, the logins and sessions that they give, and the signed retry. Here stand registration and
 * revocation; the types of credentials, sessions and signed requests have behaviour files of their own beside it.
 */

/** What the body of a registration registers, once its proof has been judged. */
export async function readRegistration(
  world: World,
  account: InternalAccount,
  body: JsonObject,
): Promise<CredentialKind> {
  const type = body['type'] as CredentialType;
  if (type === 'OAUTH') return world.behaviour.readOauthRegistration(account, body);
  if (type === 'PASSKEY') return world.behaviour.readPasskeyRegistration(body);
  return world.behaviour.readOtpRegistration(account, type);
}

/** The code goes to the address that the customer has; a sandbox sends none. */
export function readOtpRegistration(
  world: World,
  account: InternalAccount,
  type: 'EMAIL_OTP' | 'SMS_OTP',
): CredentialKind {
  const address = customers.get(world, account.customerId)?.data[
    type === 'EMAIL_OTP' ? 'email' : 'phoneNumber'
  ];
  return { type, ...(typeof address === 'string' ? { nickname: address } : {}) };
}

/** An account without credentials takes its first one unsigned. */
export function needsNoSignature(world: World, account: InternalAccount, _kind: CredentialKind): boolean {
  return credentialsOf(world, account.id).length === 0;
}

/** What an account already has. */
export function credentialIsNew(world: World, account: InternalAccount, kind: CredentialKind): Passes {
  const { behaviour } = world;
  const others = credentialsOf(world, account.id).filter(({ type }) => type === kind.type);
  if (kind.type === 'EMAIL_OTP') return behaviour.isOnlyEmailOtp(others);
  if (kind.type === 'SMS_OTP') return behaviour.isOnlySmsOtp(others);
  if (kind.type === 'PASSKEY') return behaviour.isNewPasskey(account, kind);
  behaviour.isNewIdentity(others, kind);
}

/** interface.md > Limits: an internal account has one EMAIL_OTP credential. @throws Refusal */
export function isOnlyEmailOtp(world: World, others: readonly Credential[]): Passes {
  if (others.length === 0) return;
  throw new Refusal(400, 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS', 'The account has an EMAIL_OTP credential.');
}

/** interface.md > Limits: an internal account has one SMS_OTP credential. @throws Refusal */
export function isOnlySmsOtp(world: World, others: readonly Credential[]): Passes {
  if (others.length === 0) return;
  throw new Refusal(400, 'SMS_OTP_CREDENTIAL_ALREADY_EXISTS', 'The account has an SMS_OTP credential.');
}

/** Another account may well have the same one. */
export function isNewPasskey(world: World, account: InternalAccount, { passkey }: CredentialKind): Passes {
  const same = world.behaviour
    .passkeysBeside(account)
    .some((credential) => credential.passkey?.credentialId === passkey?.credentialId);
  if (!same) return;
  throw new Refusal(400, 'PASSKEY_CREDENTIAL_ALREADY_EXISTS', 'This passkey is registered on the account.');
}

/** The passkeys that a new one must differ from. */
export function passkeysBeside(world: World, account: InternalAccount): Credential[] {
  return credentialsOf(world, account.id).filter(({ type }) => type === 'PASSKEY');
}

/** One credential for each identity; what a second one gets is left open. */
export function isNewIdentity(
  world: World,
  others: readonly Credential[],
  { identity }: CredentialKind,
): Passes {
  const same = others.some(
    (other) => other.identity?.iss === identity?.iss && other.identity?.sub === identity?.sub,
  );
  if (same) throw world.behaviour.refuseField('oidcToken', 'is of an identity that the account has already');
}

/** Puts a credential on record. Nothing is judged here any more: a registration that needs a signature has it by now. */
export function registerCredential(world: World, account: InternalAccount, kind: CredentialKind): Credential {
  return addCredential(world, account, kind);
}

/** All credentials of one account. */
export function listedCredentials(world: World, account: InternalAccount): readonly Credential[] {
  return credentialsOf(world, account.id);
}

/** An AuthMethod as interface.md > Credential and session objects shows it; only passkeys have a credentialId. */
export function presentCredential(world: World, credential: Credential): JsonObject {
  const { id, accountId, type, passkey, nickname } = credential;
  const times = shownTimes(world, credential);
  return { id, accountId, type, credentialId: passkey?.credentialId, nickname, ...times };
}

/** At least one credential remains. */
export function isNotOnlyCredential(world: World, credential: Credential): Passes {
  const left = credentialsOf(world, credential.accountId).filter(({ id }) => id !== credential.id);
  if (left.length === 0) throw world.behaviour.refuseOnlyCredential();
}

/** The first call says already whether a credential is the only one. */
export function checkRevocationEarly(world: World, credential: Credential): Passes {
  world.behaviour.isNotOnlyCredential(credential);
}

/** Takes a credential away, and every session that it issued. */
export function revokeCredential(world: World, credential: Credential): void {
  world.behaviour.removeCredential(credential);
  for (const session of world.behaviour.sessionsToEnd(credential)) world.behaviour.revokeSession(session);
}

/**
 * interface.md > Credential operations: DELETE. The record stays with its last status, and none of these operations finds
 * it any more.
 */
export function removeCredential(world: World, credential: Credential): void {
  changeStatus(world, CREDENTIAL_LIFE, credential, 'REVOKED');
  credential.updatedAt = world.clock.now(credential.customerId);
}

/** The sessions that end with a credential. */
export function sessionsToEnd(world: World, credential: Credential): readonly Session[] {
  return sessions
    .in(world, credential.accountId)
    .filter(({ credentialId, status }) => credentialId === credential.id && status !== 'REVOKED');
}
