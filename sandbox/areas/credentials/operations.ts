import type { Route } from '../../server/area.ts';
import { bodyOf, created, noContent, ok, type Reply } from '../../server/call.ts';
import type { World } from '../../world/world.ts';
import { signedRoute } from '../signed-requests/operations.ts';
import { accountOf, accountOfQuery, credentialOf } from './lookup.ts';
import type { Credential } from './records.ts';

/** Registering, listing and revoking credentials. */
export const credentialRoutes: readonly Route[] = [
  signedRoute({
    method: 'POST',
    path: '/auth/credentials',
    body: 'CreateCredentialRequest',
    async prepare(call) {
      const { world } = call;
      const body = bodyOf(call);
      const account = accountOf(call, body['accountId'] as string);
      const kind = await world.rules.readRegistration(account, body);
      const register = () => {
        const credential = world.rules.registerCredential(account, kind);
        return created(world.rules.presentRegistered(credential));
      };
      const check = () => world.rules.credentialIsNew(account, kind);
      if (world.rules.needsNoSignature(account, kind)) {
        check();
        return register();
      }
      return {
        signers: { customerId: account.customerId, accountIds: [account.id] },
        type: kind.type,
        check,
        complete: register,
      };
    },
  }),
  {
    method: 'GET',
    path: '/auth/credentials',
    auth: 'platform',
    handle(call) {
      const { world } = call;
      const all = world.rules.orderList(world.rules.listedCredentials(accountOfQuery(call)));
      const items = all.map((credential) => world.rules.presentCredential(credential));
      return ok(world.rules.presentCredentialList(items));
    },
  },
  signedRoute({
    method: 'DELETE',
    path: '/auth/credentials/:credentialId',
    prepare(call) {
      const { world } = call;
      const credential = credentialOf(call);
      return {
        signers: {
          customerId: credential.customerId,
          accountIds: [credential.accountId],
          exceptCredential: credential.id,
        },
        type: credential.type,
        check(isRetry) {
          const { isNotOnlyCredential, checkRevocationEarly } = world.rules;
          if (credential.status !== 'ACTIVE') throw world.rules.refuseNotFound('AuthMethod', credential.id);
          (isRetry ? isNotOnlyCredential : checkRevocationEarly)(credential);
        },
        complete() {
          world.rules.revokeCredential(credential);
          return world.rules.revocationReply(credential);
        },
      };
    },
  }),
];

/** What a revocation answers. */
export function revocationReply(_world: World, _credential: Credential): Reply {
  return noContent();
}
