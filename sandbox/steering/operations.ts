import { randomUUID } from 'node:crypto';
import { externalAccounts, internalAccounts } from '../areas/accounts/records.ts';
import { ownedByCustomer, ownedCustomer, platformOf } from '../areas/conventions/operations.ts';
import { credentials, lastCode } from '../areas/credentials/records.ts';
import { type Refund, REFUND_LIFE, refunds } from '../areas/events/records.ts';
import { beginRefund, moveRefund, receivePayment } from '../areas/events/refunds.ts';
import { linkProvider, mainPlatform, registerPlatform } from '../areas/platform/records.ts';
import { bodyOf, type Call, created, noContent, ok, operation, type Route } from '../server/area.ts';
import { readAmount } from '../server/json.ts';
import { leadsTo } from '../world/table.ts';
import { openWalletWith, steerCustomer, steerExternalAccount, steeringOf } from './steering.ts';

/* Steering over HTTP, and no area of the interface: the operations below /sandbox. */

/** What only a sandbox has: its caller decides what a real service decides by itself. */
export const steeringRoutes: readonly Route[] = [
  {
    ...operation('GET /sandbox/customers/:customerId'),
    handle: (world, call) => ok(steeringOf(world, ownedCustomer(call, call.params['customerId']!))),
  },
  {
    ...operation('PATCH /sandbox/customers/:customerId'),
    handle(world, call) {
      const customer = ownedCustomer(call, call.params['customerId']!);
      steerCustomer(world, customer, bodyOf(call));
      return ok(steeringOf(world, customer));
    },
  },
  {
    ...operation('PATCH /sandbox/external-accounts/:accountId'),
    handle(world, call) {
      const account = ownedByCustomer(call, externalAccounts, 'external account', call.params['accountId']!);
      steerExternalAccount(world, account, bodyOf(call));
      return ok(world.behaviour.presentExternalAccount(account));
    },
  },
  {
    ...operation('POST /sandbox/external-accounts/:accountId/liveness'),
    handle({ behaviour }, call) {
      const account = ownedByCustomer(call, externalAccounts, 'external account', call.params['accountId']!);
      behaviour.endLiveness(account, bodyOf(call)['outcome'] !== 'FAILED');
      return ok(behaviour.presentExternalAccount(account));
    },
  },
  {
    ...operation('POST /sandbox/internal-accounts/:accountId/receive'),
    handle(world, call) {
      const account = ownedByCustomer(call, internalAccounts, 'internal account', call.params['accountId']!);
      const customer = ownedCustomer(call, account.customerId);
      const payment = receivePayment(world, customer, account, readAmount(bodyOf(call)['amount']));
      return created(world.behaviour.presentTransaction(payment));
    },
  },
  {
    ...operation('POST /sandbox/wallets'),
    handle(world, call) {
      const { customerId, credentials: types = [] } = bodyOf(call);
      const customer = ownedCustomer(call, customerId as string);
      const wallet = openWalletWith(world, customer, types as ('EMAIL_OTP' | 'SMS_OTP')[]);
      return created(world.behaviour.presentInternalAccount(wallet));
    },
  },
  {
    ...operation('GET /sandbox/credentials/:credentialId/code'),
    handle(world, call) {
      const credential = ownedByCustomer(call, credentials, 'AuthMethod', call.params['credentialId']!);
      const code = lastCode(world, credential.id);
      if (code === undefined)
        throw world.behaviour.refuseConflict('No code was sent for this credential yet.');
      return ok({ code });
    },
  },
  {
    ...operation('POST /sandbox/refunds'),
    handle(world, call) {
      const { customerId, direction = 'INCOMING' } = bodyOf(call);
      const customer = ownedCustomer(call, customerId as string);
      return created(
        world.behaviour.presentRefundEvent(beginRefund(world, customer, direction as Refund['direction'])),
      );
    },
  },
  {
    ...operation('POST /sandbox/refunds/:refundId'),
    handle(world, call) {
      const refund = ownedByCustomer(call, refunds, 'refund', call.params['refundId']!);
      const to = bodyOf(call)['status'] as Refund['status'];
      if (!leadsTo(REFUND_LIFE, refund.status, to))
        throw world.behaviour.refuseConflict(`The refund is ${refund.status} already.`);
      moveRefund(world, refund, to);
      return ok(world.behaviour.presentRefundEvent(refund));
    },
  },
  {
    ...operation('POST /sandbox/stablecoin-provider-accounts'),
    handle(world, call) {
      const { status = 'ACTIVE' } = bodyOf(call) as { status?: 'ACTIVE' | 'REVOKED' | 'INVALID' };
      return created({ ...linkProvider(world, platformOf(call).id, status) });
    },
  },
  {
    ...operation('POST /sandbox/clock'),
    handle(world, call) {
      const { clock, behaviour } = world;
      const { advanceSeconds, customerId } = bodyOf(call) as { advanceSeconds: number; customerId?: string };
      if (customerId === undefined) requireMainPlatform(call);
      else ownedCustomer(call, customerId);
      clock.advance(Number(advanceSeconds), customerId);
      return ok({ now: behaviour.presentTime(clock.now(customerId)) });
    },
  },
  {
    ...operation('POST /sandbox/platforms'),
    handle(world, call) {
      requireMainPlatform(call);
      const { clientId, clientSecret } = registerPlatform(world, `platform-${randomUUID()}`);
      return created({ clientId, clientSecret });
    },
  },
  {
    ...operation('POST /sandbox/reset'),
    handle(world, call) {
      requireMainPlatform(call);
      world.end();
      return noContent();
    },
  },
];

/** What touches everybody in a world is for the platform whose credentials were printed. @throws Refusal */
function requireMainPlatform(call: Call): void {
  const { world } = call;
  if (platformOf(call).id !== mainPlatform(world).id)
    throw world.behaviour.refuseForbidden(
      'This touches every platform of this world; use the credentials that the sandbox printed.',
    );
}
