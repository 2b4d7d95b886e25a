import { randomUUID } from 'node:crypto';
import { externalAccounts, internalAccounts } from '../areas/accounts/records.ts';
import { ownedByCustomer, ownedCustomer, platformOf } from '../areas/conventions/operations.ts';
import { credentials, lastCode } from '../areas/credentials/records.ts';
import { type Refund, REFUND_LIFE, refunds } from '../areas/events/records.ts';
import { beginRefund, moveRefund, receivePayment } from '../areas/events/refunds.ts';
import { linkProvider, mainPlatform, registerPlatform } from '../areas/platform/records.ts';
import { bodyOf, type Call, created, noContent, ok, operation, type Route } from '../server/area.ts';
import { componentReference } from '../server/contract-schemas.ts';
import { readAmount } from '../server/json.ts';
import { leadsTo } from '../world/table.ts';
import { openWalletWith, steerCustomer, steerExternalAccount, steeringOf } from './steering.ts';

/* Steering over HTTP, and no area of the interface: the operations below /sandbox. */

const amount = { type: 'integer', minimum: 0, maximum: Number(2n ** 63n - 1n) };

const positive = { ...amount, minimum: 1 };

const seconds = { type: 'integer', minimum: 0, maximum: 10 * 366 * 24 * 3600 };

const accountStatus = { enum: ['PENDING_OWNERSHIP_VERIFICATION', 'ACTIVE', 'UNVERIFIED'] };

const factors = { type: 'array', minItems: 1, uniqueItems: true, items: { enum: ['SMS_OTP', 'PASSKEY'] } };

/** What a caller may decide about a customer. A member that is not known here is refused: a typo decides nothing. */
const customerSteering = {
  type: 'object',
  additionalProperties: false,
  properties: {
    kyc: { enum: ['APPROVED', 'PENDING', 'REJECTED'] },
    ready: { type: 'boolean' },
    termsAccepted: { type: 'boolean' },
    contactVerification: { type: 'boolean' },
    limits: {
      type: 'object',
      additionalProperties: false,
      properties: {
        transactionSize: amount,
        dailyVolume: amount,
        velocity: { type: 'integer', minimum: 0 },
        ownershipThreshold: amount,
      },
    },
    statusOfNewAccounts: accountStatus,
    counterpartyNotEnabled: { type: ['string', 'null'] },
    quoteLifetimeSeconds: { ...seconds, minimum: 1 },
    fundingAccountType: componentReference('PaymentAccountType'),
    webhookEndpoint: { type: ['string', 'null'], pattern: '^(https?://|platform$)' },
    sca: {
      type: ['object', 'null'],
      additionalProperties: false,
      properties: {
        challenges: { type: 'integer', minimum: 1, maximum: 10 },
        availableFactors: factors,
        purposes: { type: 'array', items: { type: ['string', 'null'] } },
        loggedIn: { type: 'boolean' },
        locked: { type: 'boolean' },
        passkey: {
          type: 'object',
          required: ['credentialId', 'publicKey', 'origin', 'rpId', 'userHandle'],
          properties: {
            credentialId: { type: 'string' },
            publicKey: { type: 'string', description: 'COSE key, base64url' },
            origin: { type: 'string' },
            rpId: { type: 'string' },
            userHandle: { type: 'string' },
          },
        },
      },
    },
  },
};

/** What only a sandbox has: its caller decides what a real service decides by itself. */
export const steeringRoutes: readonly Route[] = [
  {
    ...operation('GET /sandbox/customers/:customerId'),
    summary: 'What has been decided about a customer',
    handle: (call) => ok(steeringOf(call.world, ownedCustomer(call, call.params['customerId']!))),
  },
  {
    ...operation('PATCH /sandbox/customers/:customerId'),
    summary: 'Approve or reject KYC, set limits, readiness, terms, SCA, ownership of new accounts and more',
    example: { kyc: 'APPROVED', termsAccepted: true, limits: { dailyVolume: 1_000_000 } },
    body: customerSteering,
    handle(call) {
      const customer = ownedCustomer(call, call.params['customerId']!);
      steerCustomer(call.world, customer, bodyOf(call));
      return ok(steeringOf(call.world, customer));
    },
  },
  {
    ...operation('PATCH /sandbox/external-accounts/:accountId'),
    summary: 'Set the status of an external account, or let its payouts fail',
    example: { status: 'ACTIVE' },
    body: {
      type: 'object',
      additionalProperties: false,
      properties: { status: accountStatus, payoutFails: { type: ['string', 'null'], minLength: 1 } },
    },
    handle(call) {
      const account = ownedByCustomer(call, externalAccounts, 'external account', call.params['accountId']!);
      steerExternalAccount(call.world, account, bodyOf(call));
      return ok(call.world.behaviour.presentExternalAccount(account));
    },
  },
  {
    ...operation('POST /sandbox/external-accounts/:accountId/liveness'),
    summary: 'End the hosted liveness check of an external account',
    example: { outcome: 'PASSED' },
    body: { type: 'object', properties: { outcome: { enum: ['PASSED', 'FAILED'] } } },
    bodyOptional: true,
    handle(call) {
      const { behaviour } = call.world;
      const account = ownedByCustomer(call, externalAccounts, 'external account', call.params['accountId']!);
      behaviour.endLiveness(account, bodyOf(call)['outcome'] !== 'FAILED');
      return ok(behaviour.presentExternalAccount(account));
    },
  },
  {
    ...operation('POST /sandbox/internal-accounts/:accountId/receive'),
    summary: 'Send an incoming payment to an account',
    example: { amount: 2_500 },
    body: {
      type: 'object',
      required: ['amount'],
      properties: { amount: positive },
    },
    handle(call) {
      const { behaviour } = call.world;
      const account = ownedByCustomer(call, internalAccounts, 'internal account', call.params['accountId']!);
      const customer = ownedCustomer(call, account.customerId);
      const payment = receivePayment(call.world, customer, account, readAmount(bodyOf(call)['amount']));
      return created(behaviour.presentTransaction(payment));
    },
  },
  {
    ...operation('POST /sandbox/wallets'),
    summary: 'Open a Global Account with exactly these credentials',
    example: { customerId: 'Customer:…', credentials: ['EMAIL_OTP'] },
    body: {
      type: 'object',
      required: ['customerId'],
      properties: {
        customerId: { type: 'string' },
        credentials: {
          type: 'array',
          uniqueItems: true,
          items: { enum: ['EMAIL_OTP', 'SMS_OTP'] },
        },
      },
    },
    handle(call) {
      const { customerId, credentials: types = [] } = bodyOf(call);
      const customer = ownedCustomer(call, customerId as string);
      const wallet = openWalletWith(call.world, customer, types as ('EMAIL_OTP' | 'SMS_OTP')[]);
      return created(call.world.behaviour.presentInternalAccount(wallet));
    },
  },
  {
    ...operation('GET /sandbox/credentials/:credentialId/code'),
    summary: 'The one-time code that was sent last',
    handle(call) {
      const { behaviour } = call.world;
      const credential = ownedByCustomer(call, credentials, 'AuthMethod', call.params['credentialId']!);
      const code = lastCode(call.world, credential.id);
      if (code === undefined) throw behaviour.refuseConflict('No code was sent for this credential yet.');
      return ok({ code });
    },
  },
  {
    ...operation('POST /sandbox/refunds'),
    summary: 'Begin a refund of an incoming or an outgoing payment',
    example: { customerId: 'Customer:…', direction: 'INCOMING' },
    body: {
      type: 'object',
      required: ['customerId'],
      properties: { customerId: { type: 'string' }, direction: { enum: ['INCOMING', 'OUTGOING'] } },
    },
    handle(call) {
      const { behaviour } = call.world;
      const { customerId, direction = 'INCOMING' } = bodyOf(call);
      const customer = ownedCustomer(call, customerId as string);
      return created(
        behaviour.presentRefundEvent(beginRefund(call.world, customer, direction as Refund['direction'])),
      );
    },
  },
  {
    ...operation('POST /sandbox/refunds/:refundId'),
    summary: 'Complete a refund, or let it fail',
    example: { status: 'COMPLETED' },
    body: {
      type: 'object',
      required: ['status'],
      properties: { status: { enum: ['COMPLETED', 'FAILED'] } },
    },
    handle(call) {
      const { behaviour } = call.world;
      const refund = ownedByCustomer(call, refunds, 'refund', call.params['refundId']!);
      const to = bodyOf(call)['status'] as Refund['status'];
      if (!leadsTo(REFUND_LIFE, refund.status, to))
        throw behaviour.refuseConflict(`The refund is ${refund.status} already.`);
      moveRefund(call.world, refund, to);
      return ok(behaviour.presentRefundEvent(refund));
    },
  },
  {
    ...operation('POST /sandbox/stablecoin-provider-accounts'),
    summary: 'Link an account with a stablecoin provider',
    example: { status: 'ACTIVE' },
    body: { type: 'object', properties: { status: { enum: ['ACTIVE', 'REVOKED', 'INVALID'] } } },
    bodyOptional: true,
    handle(call) {
      const { status = 'ACTIVE' } = bodyOf(call) as { status?: 'ACTIVE' | 'REVOKED' | 'INVALID' };
      return created({ ...linkProvider(call.world, platformOf(call).id, status) });
    },
  },
  {
    ...operation('POST /sandbox/clock'),
    summary: 'Move the time forward, for one customer or for the whole world',
    example: { advanceSeconds: 3_600 },
    body: {
      type: 'object',
      required: ['advanceSeconds'],
      properties: { advanceSeconds: seconds, customerId: { type: 'string' } },
    },
    handle(call) {
      const { clock, behaviour } = call.world;
      const { advanceSeconds, customerId } = bodyOf(call) as { advanceSeconds: number; customerId?: string };
      if (customerId === undefined) requireMainPlatform(call);
      else ownedCustomer(call, customerId);
      clock.advance(Number(advanceSeconds), customerId);
      return ok({ now: behaviour.presentTime(clock.now(customerId)) });
    },
  },
  {
    ...operation('POST /sandbox/platforms'),
    summary: 'A second platform, with credentials of its own',
    handle(call) {
      requireMainPlatform(call);
      const { clientId, clientSecret } = registerPlatform(call.world, `platform-${randomUUID()}`);
      return created({ clientId, clientSecret });
    },
  },
  {
    ...operation('POST /sandbox/reset'),
    summary: 'Forget everything in this world',
    handle(call) {
      requireMainPlatform(call);
      call.world.end();
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
