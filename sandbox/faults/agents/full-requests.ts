import { randomUUID } from 'node:crypto';
import { Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { fault, objectsNever, within } from '../fault.ts';

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
export const fullRequestFaults = [
  fault(
    'foreign-destination-by-a-named-rail',
    'TRANSFER-DESTINATION-FOREIGN',
    within(
      'submitTransferOut',
      { refuseForeignDestination: () => (_world, _agent, account) => account },
      namesRail,
    ),
  ),
  fault(
    'foreign-source-for-a-purpose',
    'TRANSFER-SOURCE-FOREIGN',
    within(
      'submitTransferOut',
      { refuseForeignSource: () => (_world, _agent, account) => account },
      (_agent: unknown, body: Sent) => body.purposeOfPayment !== undefined,
    ),
  ),
  fault(
    'unknown-destination-400-by-a-named-rail',
    'TRANSFER-DESTINATION-UNKNOWN',
    within(
      'submitTransferOut',
      {
        refuseUnknownDestination: () => () => {
          throw new Refusal(400, 'INVALID_INPUT', 'The destination is not valid.');
        },
      },
      namesRail,
    ),
  ),
  fault(
    'limit-forgotten-with-a-text',
    'TRANSFER-SPENDING-LIMIT',
    within(
      'submitTransferOut',
      { withinTransactionLimit: objectsNever },
      (_agent: unknown, body: Sent) => body.remittanceInformation !== undefined,
    ),
  ),
  fault('longest-remittance-refused-by-a-named-rail', 'TRANSFER-REMITTANCE-ACCEPTED', {
    submitTransferOut: (original) => (world, agent, body) => {
      const sent = body as Sent;
      if (namesRail(agent, sent) && sent.remittanceInformation?.length === LONGEST)
        throw new Refusal(400, 'INVALID_INPUT', 'The remittanceInformation is too long.');
      return original(world, agent, body);
    },
  }),
  fault(
    'permission-forgotten-with-a-key',
    'TRANSFER-PERMISSION-REQUIRED',
    within(
      'runTransfer',
      { permissionGranted: objectsNever },
      (request: { readonly key: string | undefined }) => request.key !== undefined,
    ),
  ),
  fault(
    'waiting-transfer-forgets-its-key',
    ['TRANSFER-IDEMPOTENCY-SAME-RESPONSE', 'TRANSFER-IDEMPOTENCY-ONE-ACTION'],
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
  ),
];
