import { bodyOf } from '../../core/call.ts';
import { enforce } from '../../core/refusal.ts';
import { noContent } from '../../core/reply.ts';
import type { Route } from '../../core/route.ts';
import { credentials } from '../../domain/credential.ts';
import { list } from '../list.ts';
import { accountOfQuery, requireClientKey, sessionOf } from './records.ts';
import { signedRoute } from './signed-route.ts';

/** Listing, refreshing and revoking sessions. */
export const sessionRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/auth/sessions',
    auth: 'platform',
    handle(call) {
      const { world } = call;
      const active = world.rules.activeSessions(world, accountOfQuery(call).id);
      return list(world, active, world.rules.presentSession);
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
        check: (isRetry) => isRetry && enforce(world.rules.mayRefresh(world, session)),
        async complete() {
          const credential = credentials.get(world, session.credentialId)!;
          const minted = world.rules.mintSealedSession(world, credential, clientPublicKey);
          world.rules.afterRefresh(world, session);
          return { status: 201, body: await world.rules.presentMinted(world, minted) };
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
        complete() {
          world.rules.endSession(world, session);
          return noContent();
        },
      };
    },
  }),
];
