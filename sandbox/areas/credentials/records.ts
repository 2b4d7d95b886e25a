import type { Passkey } from '../../crypto/webauthn.ts';
import type { Life } from '../../world/life.ts';
import { Table } from '../../world/table.ts';
import { mintId, type World } from '../../world/world.ts';
import type { InternalAccount } from '../accounts/records.ts';

export type CredentialType = 'PASSKEY' | 'OAUTH' | 'EMAIL_OTP' | 'SMS_OTP';

/** Whom an OIDC token is about. */
export interface OidcIdentity {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
}

/** What a credential is, besides its type. */
export interface CredentialKind {
  readonly type: CredentialType;
  /** Of one-time codes it is the address that they go to. */
  nickname?: string;
  readonly passkey?: Passkey;
  readonly identity?: OidcIdentity;
}

/** A way to log in to a Global Account. */
export interface Credential extends CredentialKind {
  readonly id: string;
  readonly accountId: string;
  readonly customerId: string;
  readonly status: 'ACTIVE' | 'REVOKED';
  readonly createdAt: number;
  updatedAt: number;
}

/** A credential that was revoked never comes back: registered again, it is another one. */
export const CREDENTIAL_LIFE: Life<Credential['status']> = {
  kind: 'credential',
  moves: { ACTIVE: ['REVOKED'], REVOKED: [] },
};

export const credentials = new Table<Credential>();

export function addCredential(world: World, account: InternalAccount, kind: CredentialKind): Credential {
  const id = mintId(world, 'AuthMethod');
  const now = world.clock.now(account.customerId);
  return credentials.put(world, id, {
    ...kind,
    id,
    accountId: account.id,
    customerId: account.customerId,
    status: 'ACTIVE',
    createdAt: now,
    updatedAt: now,
  });
}

/** Those that are not revoked, in order of registration. */
export function credentialsOf(world: World, accountId: string): Credential[] {
  return credentials
    .all(world)
    .filter(({ accountId: id, status }) => id === accountId && status === 'ACTIVE');
}
