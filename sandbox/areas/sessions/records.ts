import { type Life, Table, Waiting } from '../../world/table.ts';
import type { CredentialType } from '../credentials/records.ts';

/** A login. Its private key is the client's; the service keeps the public half. */
export interface Session {
  readonly id: string;
  readonly accountId: string;
  readonly customerId: string;
  readonly credentialId: string;
  readonly type: CredentialType;
  readonly nickname?: string;
  /** Compressed point, lower-case hex. */
  readonly publicKey: string;
  readonly createdAt: number;
  updatedAt: number;
  readonly expiresAt: number;
  readonly status: 'ACTIVE' | 'REVOKED' | 'EXPIRED';
}

/** Whoever may end a session may end it after its time, too. */
export const SESSION_LIFE: Life<Session['status']> = {
  kind: 'session',
  moves: { ACTIVE: ['REVOKED', 'EXPIRED'], EXPIRED: ['REVOKED'], REVOKED: [] },
};

export const sessionsUnderWay = new Waiting<Session>('ACTIVE', (world, session) =>
  world.rules.sessionEndsAt(session),
);

export const sessions = new Table<Session>();
