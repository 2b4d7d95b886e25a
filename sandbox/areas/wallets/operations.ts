import { type Route, bodyOf, ok } from '../../server/area.ts';
import { accountOf, requireClientKey } from '../credentials/operations.ts';
import { signedRoute } from '../signed-requests/operations.ts';

/** Export and privacy of wallets. */
export const walletRoutes: readonly Route[] = [
  signedRoute({
    method: 'POST',
    path: '/internal-accounts/:accountId/export',
    body: 'ClientPublicKeyRequest',
    prepare(call) {
      const { world } = call;
      const account = accountOf(call, call.params['accountId']!);
      const clientPublicKey = requireClientKey(call, bodyOf(call)['clientPublicKey'], 'export');
      return {
        signers: { customerId: account.customerId, accountIds: [account.id] },
        complete: async () => ok(await world.rules.exportWallet(account, clientPublicKey)),
      };
    },
  }),
  signedRoute({
    method: 'PATCH',
    path: '/internal-accounts/:accountId',
    body: {
      type: 'object',
      required: ['privateEnabled'],
      properties: { privateEnabled: { type: 'boolean' } },
    },
    prepare(call) {
      const { world } = call;
      const account = accountOf(call, call.params['accountId']!);
      return {
        signers: { customerId: account.customerId, accountIds: [account.id] },
        complete() {
          world.rules.setPrivacy(account, bodyOf(call)['privateEnabled'] as boolean);
          return ok(world.rules.presentInternalAccount(account));
        },
      };
    },
  }),
];
