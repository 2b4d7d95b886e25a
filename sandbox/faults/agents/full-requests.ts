import { randomUUID } from 'node:crypto';
import { Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { faultsOf, objectsNever, within } from '../fault.ts';

/** Keys of transfer-outs that wait for approval, by world. */
const waiting = new WeakMap<World, Set<string>>();

/** interface.md > Limits: characters of a remittanceInformation. */
const LONGEST = 80;

interface Sent {
  readonly destination?: { readonly paymentRail?: string };
  readonly remittanceInformation?: string;
  readonly purposeOfPayment?: string;
}

const namesRail = (_agent: unknown, body: Sent): boolean => body.destination?.paymentRail !== undefined;

/** Rules that are held for the shortest transfer-out, and broken for one that says more. */
export const fullRequestFaults = faultsOf([
  [
    'foreign-destination-by-a-named-rail',
    'TRANSFER-DESTINATION-FOREIGN',
    'Whose account the destination is, is not looked at where the rail is named.',
    within(
      'submitTransferOut',
      { refuseForeignDestination: () => (_world, _agent, account) => account },
      namesRail,
    ),
  ],
  [
    'foreign-source-for-a-purpose',
    'TRANSFER-SOURCE-FOREIGN',
    'Whose account the source is, is not looked at where a purpose is named.',
    within(
      'submitTransferOut',
      { refuseForeignSource: () => (_world, _agent, account) => account },
      (_agent: unknown, body: Sent) => body.purposeOfPayment !== undefined,
    ),
  ],
  [
    'unknown-destination-400-by-a-named-rail',
    'TRANSFER-DESTINATION-UNKNOWN',
    'A destination that does not exist is an invalid parameter where the rail is named.',
    within(
      'submitTransferOut',
      {
        refuseUnknownDestination: () => () => {
          throw new Refusal(400, 'INVALID_INPUT', 'The destination is not valid.');
        },
      },
      namesRail,
    ),
  ],
  [
    'limit-forgotten-with-a-text',
    'TRANSFER-SPENDING-LIMIT',
    'The spending limit is not looked at where there is a remittanceInformation.',
    within(
      'submitTransferOut',
      { withinTransactionLimit: objectsNever },
      (_agent: unknown, body: Sent) => body.remittanceInformation !== undefined,
    ),
  ],
  [
    'longest-remittance-refused-by-a-named-rail',
    'TRANSFER-REMITTANCE-ACCEPTED',
    'A remittanceInformation of the greatest length is refused where the rail is named.',
    {
      submitTransferOut: (original) => (world, agent, body) => {
        const sent = body as Sent;
        if (namesRail(agent, sent) && sent.remittanceInformation?.length === LONGEST)
          throw new Refusal(400, 'INVALID_INPUT', 'The remittanceInformation is too long.');
        return original(world, agent, body);
      },
    },
  ],
  [
    'permission-forgotten-with-a-key',
    'TRANSFER-PERMISSION-REQUIRED',
    'The permission is not looked at where there is an Idempotency-Key.',
    within(
      'runTransfer',
      { permissionGranted: objectsNever },
      (request: { readonly key: string | undefined }) => request.key !== undefined,
    ),
  ],
  [
    'waiting-transfer-forgets-its-key',
    'TRANSFER-IDEMPOTENCY-SAME-RESPONSE',
    'The key of a transfer-out that waits for approval submits another one.',
    {
      idempotencyScope: (original) => (world, request) => {
        const scope = original(world, request);
        return waiting.get(world)?.has(scope) ? `${scope} ${randomUUID()}` : scope;
      },
      answerOnce: (original) => async (world, request) => {
        const scope = request.key === undefined ? undefined : world.behaviour.idempotencyScope(request);
        const reply = await original(world, request);
        const { status } = (reply.body ?? {}) as { readonly status?: unknown };
        if (scope !== undefined && status === 'PENDING_APPROVAL')
          waiting.set(world, (waiting.get(world) ?? new Set<string>()).add(scope));
        return reply;
      },
    },
    ['TRANSFER-IDEMPOTENCY-ONE-ACTION'],
  ],
]);
