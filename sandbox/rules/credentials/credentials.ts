import type { Json, JsonObject } from '../../core/json.ts';
import type { Decision } from '../../core/refusal.ts';
import { noContent, type Reply } from '../../core/reply.ts';
import type { World } from '../../core/world.ts';
import {
  addCredential,
  credentials,
  credentialsOf,
  type Credential,
  type CredentialKind,
} from '../../domain/credential.ts';
import type { InternalAccount } from '../../domain/internal-account.ts';
import { sessions, type Session } from '../../domain/session.ts';

/** An account without credentials takes its first one unsigned. */
export function needsNoSignature(world: World, account: InternalAccount, _kind: CredentialKind): boolean {
  return credentialsOf(world, account.id).length === 0;
}

/** What an account already has. */
export function credentialIsNew(world: World, account: InternalAccount, kind: CredentialKind): Decision {
  const { rules } = world;
  const others = credentialsOf(world, account.id).filter(({ type }) => type === kind.type);
  if (kind.type === 'EMAIL_OTP') return rules.isOnlyEmailOtp(world, others);
  if (kind.type === 'SMS_OTP') return rules.isOnlySmsOtp(world, others);
  if (kind.type === 'PASSKEY') return rules.isNewPasskey(world, account, kind);
  return rules.isNewIdentity(world, others, kind);
}

export function isOnlyEmailOtp(world: World, others: readonly Credential[]): Decision {
  if (others.length === 0) return undefined;
  return world.rules.refuseDuplicate(
    world,
    'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS',
    'The account has an EMAIL_OTP credential.',
  );
}

export function isOnlySmsOtp(world: World, others: readonly Credential[]): Decision {
  if (others.length === 0) return undefined;
  return world.rules.refuseDuplicate(
    world,
    'SMS_OTP_CREDENTIAL_ALREADY_EXISTS',
    'The account has an SMS_OTP credential.',
  );
}

/** Another account may well have the same one. */
export function isNewPasskey(world: World, account: InternalAccount, { passkey }: CredentialKind): Decision {
  const same = world.rules
    .passkeysBeside(world, account)
    .some((credential) => credential.passkey?.credentialId === passkey?.credentialId);
  if (!same) return undefined;
  return world.rules.refuseDuplicate(
    world,
    'PASSKEY_CREDENTIAL_ALREADY_EXISTS',
    'This passkey is registered on the account.',
  );
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
): Decision {
  const same = others.some(
    (other) => other.identity?.iss === identity?.iss && other.identity?.sub === identity?.sub,
  );
  return same
    ? world.rules.refuseField(world, 'oidcToken', 'is of an identity that the account has already')
    : undefined;
}

export function registerCredential(world: World, account: InternalAccount, kind: CredentialKind): Credential {
  return addCredential(world, account, kind);
}

/** All credentials of one account. */
export function listedCredentials(world: World, account: InternalAccount): readonly Credential[] {
  return credentialsOf(world, account.id);
}

/** The list is one page, whatever its length. */
export function presentCredentialList(_world: World, items: readonly Json[]): Json {
  return { data: items };
}

export function presentCredential(world: World, credential: Credential): JsonObject {
  return {
    id: credential.id,
    accountId: credential.accountId,
    type: credential.type,
    credentialId: credential.passkey?.credentialId,
    nickname: credential.nickname,
    createdAt: world.rules.presentTime(world, credential.createdAt),
    updatedAt: world.rules.presentTime(world, credential.updatedAt),
  };
}

/** What registration answers. */
export function presentRegistered(world: World, credential: Credential): JsonObject {
  return world.rules.presentCredential(world, credential);
}

/** At least one credential remains. */
export function isNotOnlyCredential(world: World, credential: Credential): Decision {
  const left = credentialsOf(world, credential.accountId).filter(({ id }) => id !== credential.id);
  return left.length === 0 ? world.rules.refuseOnlyCredential(world) : undefined;
}

/** The first call says already whether a credential is the only one. */
export function checkRevocationEarly(world: World, credential: Credential): Decision {
  return world.rules.isNotOnlyCredential(world, credential);
}

/** What a revocation answers. */
export function revocationReply(_world: World, _credential: Credential): Reply {
  return noContent();
}

/** Takes a credential away, and every session that it issued. */
export function revokeCredential(world: World, credential: Credential): void {
  world.rules.removeCredential(world, credential);
  for (const session of world.rules.sessionsToEnd(world, credential))
    world.rules.revokeSession(world, session);
}

export function removeCredential(world: World, credential: Credential): void {
  credentials.delete(world, credential.id);
}

/** The sessions that end with a credential. */
export function sessionsToEnd(world: World, credential: Credential): readonly Session[] {
  return sessions
    .all(world)
    .filter(({ credentialId, isRevoked }) => credentialId === credential.id && !isRevoked);
}
