import type { Route } from '../../server/area.ts';
import type { Call } from '../../server/call.ts';
import { type InternalAccount, internalAccounts } from '../accounts/records.ts';
import { ownedByCustomer } from '../auth/callers.ts';
import { type Session, sessions } from '../sessions/records.ts';
import type { KeyUse } from '../sessions/rules.ts';
import { type Credential, credentials } from './records.ts';

/** The account of this id. @throws Refusal 404 */
export function accountOf(call: Call, id: string): InternalAccount {
  return ownedByCustomer(call, internalAccounts, 'InternalAccount', id);
}

/** The account that a list is asked for. @throws Refusal 400 without accountId, 404 */
export function accountOfQuery(call: Call): InternalAccount {
  const id = call.query['accountId'];
  if (id === undefined) throw call.world.rules.refuseField('accountId', 'is required in the query');
  return accountOf(call, id);
}

/** The credential in the path; a revoked one is not there any more. @throws Refusal 404 */
export function credentialOf(call: Call): Credential {
  const credential = ownedByCustomer(call, credentials, 'AuthMethod', call.params['credentialId']!);
  if (credential.status === 'ACTIVE') return credential;
  throw call.world.rules.refuseNotFound('AuthMethod', credential.id);
}

/** The session in the path; a revoked one is not there any more. @throws Refusal 404 */
export function sessionOf(call: Call): Session {
  const { world } = call;
  const session = ownedByCustomer(call, sessions, 'Session', call.params['sessionId']!);
  if (world.rules.sessionIsRevoked(session)) throw world.rules.refuseNotFound('Session', session.id);
  return session;
}

/** @throws Refusal 400 when the key is no point of P-256 in hex */
export function requireClientKey(call: Call, key: unknown, use: KeyUse): string {
  if (call.world.rules.clientKeyFits(key, use)) return key as string;
  throw call.world.rules.refuseClientKey();
}

/** A body that the route takes for some records only. @throws Refusal */
export function readBodyAs(call: Call, route: Omit<Route, 'handle'>): void {
  call.body = call.world.rules.readBody(call, { ...route, handle: () => ({ status: 500 }) });
}
