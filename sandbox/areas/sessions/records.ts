import { Table } from '../../world/table.ts';
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
  isRevoked: boolean;
}

export const sessions = new Table<Session>();
