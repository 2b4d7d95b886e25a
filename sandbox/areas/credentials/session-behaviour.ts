import { compressed, newPrivateKey, pointOf, type PrivateKey, seal, sealedText } from '../../crypto/keys.ts';
import type { JsonObject } from '../../server/json.ts';
import { type Passes, refusalOf } from '../../server/refusal.ts';
import { newRecord, shownTimes, type World } from '../../world/world.ts';
import {
  type Credential,
  type Session,
  SESSION_LIFE,
  sessions,
  sessionsUnderWay,
  type Signers,
} from './records.ts';
import { changeStatus } from '../../world/table.ts';

/** A session and, where the service made its key, that key on its way to the client. */
export interface Minted {
  readonly session: Session;
  readonly sealedKey?: Promise<string>;
}

/** What a client's key is sent for. */
export type KeyUse = 'challenge' | 'verify' | 'refresh' | 'export';

/** A client's key is a P-256 public key in hex. */
export function clientKeyFits(_world: World, key: unknown, _use: KeyUse): boolean {
  return pointOf(key) !== undefined;
}

/** Milliseconds. */
export const sessionLifetime = (_world: World): number => 15 * 60_000;

/** @param publicKey compressed point, lower-case hex */
export function mintSession(world: World, credential: Credential, publicKey: string): Session {
  const born = newRecord(world, 'Session', credential.customerId);
  const session: Session = {
    ...born,
    accountId: credential.accountId,
    customerId: credential.customerId,
    credentialId: credential.id,
    type: credential.type,
    ...(credential.nickname === undefined ? {} : { nickname: credential.nickname }),
    publicKey,
    expiresAt: born.createdAt + world.behaviour.sessionLifetime(),
    status: 'ACTIVE',
  };
  sessionsUnderWay.add(world, session);
  return sessions.put(world, born.id, session);
}

/**
 * A session with a key that the service makes and seals to the client's key. A compressed client key asks for no such
 * thing: it becomes the session key itself.
 *
 * @param clientPublicKey hex, as the client sent it
 */
export function mintSealedSession(world: World, credential: Credential, clientPublicKey: string): Minted {
  const client = pointOf(clientPublicKey)!;
  if (clientPublicKey.length === 66) {
    return { session: world.behaviour.mintSession(credential, compressed(client).toString('hex')) };
  }
  const key = newPrivateKey();
  const session = world.behaviour.mintSession(credential, compressed(key.point).toString('hex'));
  return { session, sealedKey: world.behaviour.sealSessionKey(key, client) };
}

/** @param client uncompressed point */
export async function sealSessionKey(_world: World, key: PrivateKey, client: Buffer): Promise<string> {
  return sealedText(await seal(client, key.scalar));
}

/** The session that signs with this key on the accounts in question. */
export function sessionOfKey(world: World, signers: Signers, publicKey: string): Session | undefined {
  const known = sessions.all(world).filter((session) => session.publicKey === publicKey);
  const mine = known.filter((session) => world.behaviour.sessionBelongs(session, signers));
  return mine.find((session) => !refusalOf(() => world.behaviour.sessionIsLive(session))) ?? mine[0];
}

/** A session is good for its own account. */
export function sessionBelongs(_world: World, session: Session, signers: Signers): boolean {
  return signers.accountIds.includes(session.accountId);
}

/** Neither revoked nor expired. */
export function sessionIsLive(world: World, session: Session): Passes {
  if (world.behaviour.sessionIsRevoked(session))
    throw world.behaviour.refuseSigner('The session has been revoked.');
  if (session.status === 'EXPIRED') throw world.behaviour.refuseSigner('The session has expired.');
}

/** Somebody has ended it. */
export function sessionIsRevoked(_world: World, session: Session): boolean {
  return session.status === 'REVOKED';
}

/** When time ends a session, in milliseconds since the epoch. */
export function sessionEndsAt(_world: World, { expiresAt }: Session): number {
  return expiresAt;
}

/** Ends one session, unless it has been revoked already. */
export function revokeSession(world: World, session: Session): void {
  if (session.status === 'REVOKED') return;
  changeStatus(world, SESSION_LIFE, session, 'REVOKED');
  session.updatedAt = world.clock.now(session.customerId);
}

/** What a revocation of a session ends: that one. */
export function endSession(world: World, session: Session): void {
  world.behaviour.revokeSession(session);
}

/** A session that has ended is not refreshed. */
export function mayRefresh(world: World, session: Session): Passes {
  world.behaviour.sessionIsLive(session);
}

/** What becomes of a session whose refresh has succeeded: it lives on until it expires. */
export function afterRefresh(_world: World, _refreshed: Session): void {}

/** Never any key material. */
export function presentSession(world: World, session: Session): JsonObject {
  const { id, accountId, type, nickname } = session;
  const expiresAt = world.behaviour.presentTime(session.expiresAt);
  return { id, accountId, type, nickname, ...shownTimes(world, session), expiresAt };
}
