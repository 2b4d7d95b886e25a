import { componentSchema } from '../../core/contract-schemas.ts';
import { Refusal } from '../../core/refusal.ts';
import { addExternalAccount } from '../../domain/external-account.ts';
import { customers } from '../../domain/customer.ts';
import type { Fault } from '../fault.ts';
import { anything, transferSchema } from '../../core/loosened.ts';

/** Which transfer-outs are accepted, and how the others are refused. */
export const refusingFaults: readonly Fault[] = [
  {
    name: 'every-transfer-refused',
    breaks: 'TRANSFER-ACCEPTED',
    says: 'Every transfer-out is refused with 400.',
    replace: {
      runTransfer: () => async (world) =>
        world.rules.presentRefusal(world, new Refusal(400, 'INVALID_INPUT', 'No.')),
    },
  },
  {
    name: 'foreign-source-accepted',
    breaks: 'TRANSFER-SOURCE-FOREIGN',
    says: 'Whose account the source is, is not looked at.',
    replace: { refuseForeignSource: () => (_world, _agent, account) => account },
  },
  {
    name: 'foreign-destination-accepted',
    breaks: 'TRANSFER-DESTINATION-FOREIGN',
    says: 'Whose account the destination is, is not looked at.',
    replace: { refuseForeignDestination: () => (_world, _agent, account) => account },
  },
  {
    name: 'unknown-source-answers-400',
    breaks: 'TRANSFER-SOURCE-UNKNOWN',
    says: 'A source that does not exist is an invalid parameter.',
    replace: {
      refuseUnknownSource: () => () => new Refusal(400, 'INVALID_INPUT', 'The source is not valid.'),
    },
  },
  {
    name: 'unknown-source-answers-403',
    breaks: 'TRANSFER-SOURCE-UNKNOWN',
    says: 'A source that does not exist is forbidden.',
    replace: {
      refuseUnknownSource: () => (world) => world.rules.refuseForbidden(world, 'Not your account.'),
    },
  },
  {
    name: 'unknown-destination-answers-400',
    breaks: 'TRANSFER-DESTINATION-UNKNOWN',
    says: 'A destination that does not exist is an invalid parameter.',
    replace: {
      refuseUnknownDestination: () => () =>
        new Refusal(400, 'INVALID_BANK_ACCOUNT', 'The destination is not valid.'),
    },
  },
  {
    name: 'unknown-destination-accepted',
    breaks: 'TRANSFER-DESTINATION-UNKNOWN',
    says: 'A destination that does not exist is opened on the way.',
    replace: {
      refuseUnknownDestination: () => (world, agent, id) => ({
        ...addExternalAccount(world, customers.get(world, agent.customerId)!, 'USD'),
        id,
      }),
    },
  },
  {
    name: 'invalid-fields-answer-500',
    breaks: 'TRANSFER-INVALID-STATUS',
    says: 'A transfer-out body of the wrong shape answers 500.',
    replace: {
      readBody: (original) => (world, call, route) =>
        onInvalid(() => original(world, call, route), call.path, 500, 'INTERNAL_ERROR'),
    },
  },
  {
    name: 'invalid-fields-answer-422',
    breaks: 'TRANSFER-INVALID-STATUS',
    says: 'A transfer-out body of the wrong shape answers 422.',
    replace: {
      readBody: (original) => (world, call, route) =>
        onInvalid(() => original(world, call, route), call.path, 422, 'INVALID_INPUT'),
    },
  },
  {
    name: 'invalid-fields-answer-403',
    breaks: 'TRANSFER-INVALID-STATUS',
    says: 'A transfer-out body of the wrong shape is forbidden.',
    replace: {
      readBody: (original) => (world, call, route) =>
        onInvalid(() => original(world, call, route), call.path, 403, 'FORBIDDEN'),
    },
  },
  {
    name: 'rail-required',
    breaks: 'TRANSFER-RAIL-DEFAULT',
    says: 'A destination without a rail is refused.',
    replace: { defaultRail: () => () => new Refusal(400, 'INVALID_INPUT', 'Name a paymentRail.') },
  },
  {
    name: 'only-default-rail-accepted',
    breaks: 'TRANSFER-RAIL-SUPPORTED',
    says: 'Of the supported rails only the first is taken.',
    replace: {
      chooseRail: (original) => (world, destination, wanted) =>
        wanted === undefined || wanted === destination.rails[0]
          ? original(world, destination, wanted)
          : world.rules.refuseRail(world, destination, wanted),
    },
  },
  {
    name: 'last-supported-rail-refused',
    breaks: 'TRANSFER-RAIL-SUPPORTED',
    says: 'The last of the supported rails is refused.',
    replace: {
      chooseRail: (original) => (world, destination, wanted) =>
        wanted !== undefined && wanted === destination.rails.at(-1) && destination.rails.length > 1
          ? world.rules.refuseRail(world, destination, wanted)
          : original(world, destination, wanted),
    },
  },
  {
    name: 'unsupported-rail-accepted',
    breaks: 'TRANSFER-RAIL-UNSUPPORTED',
    says: 'A rail is taken whether or not the destination supports it.',
    replace: { refuseRail: () => (_world, _destination, wanted) => wanted },
  },
  {
    name: 'unknown-rail-accepted',
    breaks: 'TRANSFER-RAIL-UNKNOWN',
    says: 'A rail outside the enumeration is taken for no rail at all.',
    replace: {
      requestSchema: transferSchema((schema) => anything(schema.properties['destination']!, 'paymentRail')),
      chooseRail: (original) => (world, destination, wanted) =>
        original(world, destination, isRail(wanted) ? wanted : undefined),
    },
  },
  {
    name: 'lower-case-rail-accepted',
    breaks: 'TRANSFER-RAIL-UNKNOWN',
    says: 'Rails are compared without regard to case.',
    replace: {
      requestSchema: transferSchema((schema) => {
        const rail = schema.properties['destination']!.properties['paymentRail']!;
        rail['enum'] = (rail['enum'] as string[]).flatMap((name) => [name, name.toLowerCase()]);
      }),
      chooseRail: (original) => (world, destination, wanted) =>
        original(world, destination, wanted?.toUpperCase()),
    },
  },
];

function onInvalid<T>(read: () => T, path: string, status: number, code: string): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal && error.status === 400 && error.details && path.endsWith('/transfer-out')) {
      throw new Refusal(status, code, error.message);
    }
    throw error;
  }
}

function isRail(wanted: unknown): boolean {
  return (componentSchema('PaymentRail')['enum'] as unknown[]).includes(wanted);
}
