import { bodyOf, noContent, ok, operation, type Route } from '../../server/area.ts';
import { refusalOf } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { list, listQuery } from '../conventions/operations.ts';
import { accountOf, accountOfQuery, presentMinted, requireClientKey, sessionOf } from './operations.ts';
import { credentials, type Session, sessions } from './records.ts';
import { signedRoute } from './signed-operation.ts';

/** Listing, refreshing and revoking sessions. */
export const sessionRoutes: readonly Route[] = [
  {
    ...operation('GET /auth/sessions'),
    query: listQuery(),
    handle(world, call) {
      const active = activeSessions(world, accountOfQuery(call).id);
      return list(call, active, world.behaviour.presentSession);
    },
  },
  signedRoute({
    ...operation('POST /auth/sessions/:sessionId/refresh'),
    body: 'ClientPublicKeyRequest',
    prepare(world, call) {
      const session = sessionOf(call);
      const clientPublicKey = requireClientKey(call, bodyOf(call)['clientPublicKey'], 'refresh');
      return {
        signers: { customerId: session.customerId, accountIds: [session.accountId] },
        check: (isRetry) => isRetry && world.behaviour.mayRefresh(session),
        async complete() {
          const credential = credentials.get(world, session.credentialId)!;
          const minted = world.behaviour.mintSealedSession(credential, clientPublicKey);
          world.behaviour.afterRefresh(session);
          return { status: 201, body: await presentMinted(world, minted) };
        },
      };
    },
  }),
  signedRoute({
    ...operation('DELETE /auth/sessions/:sessionId'),
    prepare(world, call) {
      const session = sessionOf(call);
      return {
        signers: { customerId: session.customerId, accountIds: [session.accountId] },
        type: session.type,
        check() {
          if (world.behaviour.sessionIsRevoked(session))
            throw world.behaviour.refuseNotFound('Session', session.id);
        },
        complete() {
          world.behaviour.endSession(session);
          return noContent();
        },
      };
    },
  }),
];

/** Export and privacy of wallets. */
export const walletRoutes: readonly Route[] = [
  signedRoute({
    ...operation('POST /internal-accounts/:accountId/export'),
    body: 'ClientPublicKeyRequest',
    prepare(world, call) {
      const account = accountOf(call, call.params['accountId']!);
      const clientPublicKey = requireClientKey(call, bodyOf(call)['clientPublicKey'], 'export');
      return {
        signers: { customerId: account.customerId, accountIds: [account.id] },
        complete: async () => ok(await world.behaviour.exportWallet(account, clientPublicKey)),
      };
    },
  }),
  signedRoute({
    ...operation('PATCH /internal-accounts/:accountId'),
    prepare(world, call) {
      const account = accountOf(call, call.params['accountId']!);
      return {
        signers: { customerId: account.customerId, accountIds: [account.id] },
        complete() {
          world.behaviour.setPrivacy(account, bodyOf(call)['privateEnabled'] as boolean);
          return ok(world.behaviour.presentInternalAccount(account));
        },
      };
    },
  }),
];

function activeSessions(world: World, accountId: string): Session[] {
  return sessions
    .in(world, accountId)
    .filter((session) => !refusalOf(() => world.behaviour.sessionIsLive(session)));
}
