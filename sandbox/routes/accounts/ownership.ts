import { bodyOf } from '../../core/call.ts';
import type { Route } from '../../core/route.ts';
import { externalAccounts } from '../../domain/external-account.ts';
import type { OwnershipChallenge } from '../../domain/ownership-challenge.ts';
import { ownedByCustomer } from '../owned.ts';

/** Ownership verification of external accounts. */
export const ownershipRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/customers/external-accounts/:accountId/challenge',
    auth: 'platform',
    body: { type: 'object', properties: { method: { enum: ['WALLET_SIGNATURE', 'LIVENESS'] } } },
    bodyOptional: true,
    handle(call) {
      const account = ownedByCustomer(call, externalAccounts, 'external account', call.params['accountId']!);
      const method = (bodyOf(call)['method'] ?? 'WALLET_SIGNATURE') as OwnershipChallenge['method'];
      return call.world.rules.challengeOwnership(call.world, account, method);
    },
  },
  {
    method: 'POST',
    path: '/customers/external-accounts/:accountId/verify',
    auth: 'platform',
    body: { type: 'object' },
    handle(call) {
      const account = ownedByCustomer(call, externalAccounts, 'external account', call.params['accountId']!);
      return call.world.rules.verifyOwnership(call.world, account, bodyOf(call)['signature']);
    },
  },
];
