import type { PrivateKey } from '../../crypto/keys.ts';
import type { Passkey } from '../../crypto/webauthn.ts';
import type { JsonObject } from '../../server/json.ts';
import type { Refusal } from '../../server/refusal.ts';
import { type Life, Table, Waiting } from '../../world/table.ts';
import { newRecord, type World } from '../../world/world.ts';
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

/** By account. */
export const credentials = new Table<Credential>(({ accountId }) => accountId);

/** Puts a new credential on record. */
export function addCredential(world: World, account: InternalAccount, kind: CredentialKind): Credential {
  const born = newRecord(world, 'AuthMethod', account.customerId);
  return credentials.put(world, born.id, {
    ...kind,
    ...born,
    accountId: account.id,
    customerId: account.customerId,
    status: 'ACTIVE',
  });
}

/** Those that are not revoked, in order of registration. */
export function credentialsOf(world: World, accountId: string): Credential[] {
  return credentials.in(world, accountId).filter(({ status }) => status === 'ACTIVE');
}

type ChallengeStatus = 'OPEN' | 'USED' | 'EXPIRED';

/** A challenge logs in once, and until it ends. */
export const CHALLENGE_LIFE: Life<ChallengeStatus> = {
  kind: 'login challenge',
  moves: { OPEN: ['USED', 'EXPIRED'], USED: [], EXPIRED: [] },
};

/** A one-time code on its way, and the key that the answer is sealed to. */
export interface OtpChallenge {
  readonly id: string;
  readonly customerId: string;
  readonly status: ChallengeStatus;
  readonly code: string;
  readonly target: PrivateKey;
  readonly expiresAt: number;
  /** When its code first came, in milliseconds since the epoch: from then on the signed request has its own time. */
  answeredAt?: number;
}

/** A passkey challenge that waits for its assertion. */
export interface PasskeyChallenge {
  /** The Request-Id of its login. */
  readonly id: string;
  readonly customerId: string;
  readonly status: ChallengeStatus;
  readonly credentialId: string;
  readonly challenge: string;
  /** As the client sent it: hex, compressed or uncompressed. */
  readonly clientPublicKey: string;
  readonly expiresAt: number;
}

/** The challenges of a credential that takes one-time codes, by its id, newest last. */
export const otpChallenges = new Table<OtpChallenge[]>();

/** By the Request-Id of their login. */
export const passkeyChallenges = new Table<PasskeyChallenge>();

/** Challenges of both kinds that nobody has answered yet. */
export const openLoginChallenges = new Waiting<OtpChallenge | PasskeyChallenge>('OPEN', (world, challenge) =>
  world.behaviour.challengeEndsAt(challenge),
);

/** When challenges were issued, by credential; milliseconds since the epoch, newest last. */
export const challengeTimes = new Table<number[]>();

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
  world.behaviour.sessionEndsAt(session),
);

/** By account. */
export const sessions = new Table<Session>(({ accountId }) => accountId);

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
  world.behaviour.requestEndsAt(request),
);

export const signedRequests = new Table<SignedRequest>();

/** Whom a token is about, once it has been judged. */
export function identityOf(claims: Claims): OidcIdentity {
  return { iss: claims['iss'] as string, aud: audienceOf(claims)!, sub: claims['sub'] as string };
}

/** One audience, as text or as an array of one. */
export function audienceOf({ aud }: Claims): string | undefined {
  const one: unknown = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
  return typeof one === 'string' && one !== '' ? one : undefined;
}

/** Which code a token gets whose claims do not hold is not shown; it is the same at registration and at login. */
export function refuseClaims(world: World, why: string): Refusal {
  return world.behaviour.refuseProof(`The oidcToken is not accepted: ${why}.`);
}

/** The claims of a token whose signature a sandbox does not check. */
export type Claims = JsonObject;

/** A code that has logged in, or whose time is over. */
export function otpIsSpent(challenge: OtpChallenge): boolean {
  return challenge.status !== 'OPEN';
}

/** The code that was sent last for a credential, if one was and codes are told. */
export function lastCode(world: World, credentialId: string): string | undefined {
  const last = otpChallenges.get(world, credentialId)?.at(-1);
  return last && world.behaviour.toldCode(last.code);
}
