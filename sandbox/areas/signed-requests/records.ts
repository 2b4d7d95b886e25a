import { type Life, Table, Waiting } from '../../world/table.ts';
import type { CredentialType } from '../credentials/records.ts';

/** Who may sign a request. */
export interface Signers {
  readonly customerId: string;
  /** Accounts whose sessions may sign. */
  readonly accountIds: readonly string[];
  /** A credential whose sessions may not. */
  readonly exceptCredential?: string;
  /** Set: this key alone may sign (compressed point, lower-case hex), and no session. */
  readonly key?: string;
}

/** What the same request looks like when it comes again. */
export interface RequestPrint {
  /** Method and path, with the names of its parameters. */
  readonly operation: string;
  /** The ids in the path. */
  readonly target: string;
  readonly body: string;
}

/** A request that was answered 202 and waits for its signature. */
export interface SignedRequest {
  readonly id: string;
  readonly print: RequestPrint;
  readonly signers: Signers;
  readonly type?: CredentialType;
  readonly payload: string;
  readonly customerId: string;
  readonly status: 'OPEN' | 'USED' | 'EXPIRED';
  readonly expiresAt: number;
}

/** interface.md > Signed-retry request lifecycle: single-use, and until expiresAt. */
export const REQUEST_LIFE: Life<SignedRequest['status']> = {
  kind: 'signed request',
  moves: { OPEN: ['USED', 'EXPIRED'], USED: [], EXPIRED: [] },
};

export const openRequests = new Waiting<SignedRequest>('OPEN', (world, request) =>
  world.rules.requestEndsAt(request),
);

export const signedRequests = new Table<SignedRequest>();
