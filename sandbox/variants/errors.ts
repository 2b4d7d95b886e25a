import type { Replacements } from '../core/replacement.ts';
import { Refusal } from '../core/refusal.ts';
import { agentsByToken } from '../domain/agent.ts';
import type { Choice } from './choice.ts';

const UNSHOWN = new Set([405, 409, 413, 415, 422, 423, 429]);

/** How requests are refused. */
export const errorChoices: readonly Choice[] = [
  {
    name: 'bodies-not-shown',
    open: 'The bodies of 409, 423 and 429 are not shown, and 405, 413 and 415 are not in the list of statuses.',
    options: {
      absent: {
        presentRefusal: (original) => (world, refusal) => {
          const { body: _, ...reply } = original(world, refusal);
          return UNSHOWN.has(refusal.status) ? reply : original(world, refusal);
        },
      },
      other: {
        presentRefusal: (original) => (world, refusal) =>
          UNSHOWN.has(refusal.status)
            ? { ...original(world, refusal), body: { error: refusal.message } }
            : original(world, refusal),
      },
    },
  },
  {
    name: 'details-of-invalid-fields',
    open: 'details is not required, and of a FieldError only `field` is.',
    options: {
      absent: withoutDetails(),
      'field-alone': { presentFieldError: () => (_world, error) => ({ field: error.field }) },
      'without-constraint': {
        presentFieldError: () => (_world, error) => ({ field: error.field, message: error.message }),
      },
      'constraint-as-text': {
        presentFieldError: (original) => (world, error) => ({
          ...original(world, error),
          constraint: Object.keys(error.constraint).join(' '),
        }),
      },
    },
  },
  {
    name: 'details-besides',
    open: 'The shape of details varies by code, and additional properties are allowed.',
    options: {
      always: {
        presentError: (original) => (world, refusal) => {
          const body = original(world, refusal);
          return {
            ...body,
            details: {
              ...(body['details'] as object | undefined),
              requestId: 'c0ffee',
              hints: ['see the guide'],
            },
          };
        },
      },
    },
  },
  {
    name: 'code-of-invalid-fields',
    open: 'Which code within 400 the transfer-out returns for each condition is not shown.',
    options: {
      'request-format': codeFor('refuseInvalidFields', 'INVALID_REQUEST_FORMAT'),
      'mandatory-info': codeFor('refuseInvalidFields', 'MISSING_MANDATORY_USER_INFO'),
    },
  },
  {
    name: 'code-of-malformed-json',
    open: 'Which code a body that is not JSON gets is not stated.',
    options: { 'invalid-input': codeFor('refuseMalformedJson', 'INVALID_INPUT') },
  },
  {
    name: 'wrong-content-type',
    open: 'What a body of another media type gets is not stated.',
    options: {
      'answers-400': {
        refuseContentType: (original) => (world, type) =>
          new Refusal(400, 'INVALID_REQUEST_FORMAT', original(world, type).message),
      },
      'read-as-json': { acceptContentType: () => () => undefined },
    },
  },
  {
    name: 'oversized-body',
    open: 'No limit of bodies is stated, nor what happens above one.',
    options: {
      'answers-400': {
        refuseTooLarge: (original) => (world, limit) =>
          new Refusal(400, 'INVALID_REQUEST_FORMAT', original(world, limit).message),
      },
    },
  },
  {
    name: 'wrong-method',
    open: 'What an operation gets that is called with another method is not stated.',
    options: {
      'answers-404': {
        refuseMethod: () => (world, method) => world.rules.refuseUnknownRoute(world, method, 'of that name'),
      },
    },
  },
  {
    name: 'unknown-route-code',
    open: 'No 404 code speaks of a route.',
    options: {
      lookup: codeFor('refuseUnknownRoute', 'LOOKUP_REQUEST_NOT_FOUND'),
      token: codeFor('refuseUnknownRoute', 'TOKEN_NOT_FOUND'),
    },
  },
  {
    name: 'agent-token-on-platform-operation',
    open: 'Valid credentials of the wrong kind are an authentication failure (401) or a missing permission (403).',
    options: {
      'answers-403': {
        authenticatePlatform: (original) => (world, authorization) => {
          const token = world.rules.readBearer(world, authorization ?? '');
          return token !== undefined && agentsByToken.get(world, token)
            ? world.rules.refuseForbidden(world, 'This operation is for platforms.')
            : original(world, authorization);
        },
      },
    },
  },
  {
    name: 'platform-credentials-on-agent-operation',
    open: 'Valid credentials of the wrong kind are an authentication failure (401) or a missing permission (403).',
    options: {
      'answers-403': {
        refuseOtherScheme: (original) => (world, authorization) =>
          world.rules.authenticatePlatform(world, authorization) instanceof Refusal
            ? original(world, authorization)
            : world.rules.refuseForbidden(world, 'This operation is for agents.'),
      },
    },
  },
  {
    name: 'www-authenticate',
    open: 'No header of a 401 is stated.',
    options: {
      absent: {
        presentRefusal: (original) => (world, refusal) => {
          const reply = original(world, refusal);
          return refusal.status === 401 ? { ...reply, headers: {} } : reply;
        },
      },
    },
  },
];

/** Another code of the same status. */
function codeFor(
  name: 'refuseInvalidFields' | 'refuseMalformedJson' | 'refuseUnknownRoute',
  code: string,
): Replacements {
  const replaced =
    (original: (...args: never[]) => Refusal) =>
    (...args: never[]) => {
      const { status, message, details, headers } = original(...args);
      return new Refusal(status, code, message, { headers, ...(details === undefined ? {} : { details }) });
    };
  return { [name]: replaced };
}

function withoutDetails(): Replacements {
  return {
    presentError: (original) => (world, refusal) => {
      const { details, ...body } = original(world, refusal);
      // Customers' field errors are stated to come in details.errors; which other endpoints are "submit endpoints" is not.
      const errors = (details as { errors?: readonly { field?: unknown }[] } | undefined)?.errors ?? [];
      if (errors.length > 0 && !errors.some(({ field }) => TRANSFER_FIELD.test(String(field))))
        return { ...body, details };
      return refusal.status === 400 ? body : original(world, refusal);
    },
  };
}

/** Fields of a transfer-out. */
const TRANSFER_FIELD = /^(source|destination|amount|remittanceInformation|purposeOfPayment)\b/;
