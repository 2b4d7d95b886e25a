import { type Route, bodyOf, noContent } from '../../server/area.ts';
import { list, listQuery } from '../conventions/operations.ts';
import { accountOfQuery, requireClientKey, sessionOf } from '../credentials/operations.ts';
import { credentials } from '../credentials/records.ts';
import { signedRoute } from '../signed-requests/operations.ts';

/** Listing, refreshing and revoking sessions. */
export const sessionRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/auth/sessions',
    auth: 'platform',
    query: listQuery(),
    handle(call) {
      const { world } = call;
      const active = world.rules.activeSessions(accountOfQuery(call).id);
      return list(call, active, world.rules.presentSession);
    },
  },
  signedRoute({
    method: 'POST',
    path: '/auth/sessions/:sessionId/refresh',
    body: 'ClientPublicKeyRequest',
    prepare(call) {
      const { world } = call;
      const session = sessionOf(call);
      const clientPublicKey = requireClientKey(call, bodyOf(call)['clientPublicKey'], 'refresh');
      return {
        signers: { customerId: session.customerId, accountIds: [session.accountId] },
        check: (isRetry) => isRetry && world.rules.mayRefresh(session),
        async complete() {
          const credential = credentials.get(world, session.credentialId)!;
          const minted = world.rules.mintSealedSession(credential, clientPublicKey);
          world.rules.afterRefresh(session);
          return { status: 201, body: await world.rules.presentMinted(minted) };
        },
      };
    },
  }),
  signedRoute({
    method: 'DELETE',
    path: '/auth/sessions/:sessionId',
    prepare(call) {
      const { world } = call;
      const session = sessionOf(call);
      return {
        signers: { customerId: session.customerId, accountIds: [session.accountId] },
        type: session.type,
        check() {
          if (world.rules.sessionIsRevoked(session)) throw world.rules.refuseNotFound('Session', session.id);
        },
        complete() {
          world.rules.endSession(session);
          return noContent();
        },
      };
    },
  }),
];
