import type { Replacements } from '../areas/behaviour.ts';
import type { Json, JsonObject } from '../server/json.ts';
import { Refusal } from '../server/refusal.ts';
import { faultsOf, field, shown } from './fault.ts';
import { shownWrongly, inText } from './shown-wrongly.ts';

const error = (name: string) => field('presentError', name);

/** The error body: name, broken rule, what it looks like, how. */
export const errorFaults = [
  ...shownWrongly('presentError', 'error', {
    status: ['ERROR-STATUS', 'missing', 'as-text', ['always-400', () => 400]],
    code: ['ERROR-CODE', 'missing', ['as-number', () => 1001]],
    message: ['ERROR-MESSAGE', 'missing', 'null'],
    details: [
      'ERROR-DETAILS',
      [
        'as-text',
        (details) =>
          JSON.stringify(details, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      ],
      ['as-list', (details) => (details as JsonObject)['errors'] ?? []],
    ],
  }),
  ...shownWrongly('presentFieldError', 'field error', {
    field: [
      'ERROR-FIELD-PATH',
      ['path-as-pointer', inText((path) => `/${path.replaceAll('.', '/')}`)],
      'missing',
    ],
    message: ['ERROR-FIELD-MESSAGE', ['as-list', (message) => [message]]],
  }),
  ...faultsOf([
    [
      'error-body-empty',
      'ERROR-BODY',
      'A refusal has an empty object for a body.',
      { presentRefusal: (original) => (world, refusal) => ({ ...original(world, refusal), body: {} }) },
    ],
    [
      'error-body-in-a-list',
      'ERROR-BODY',
      'The error body comes in a list of one.',
      {
        presentRefusal: (original) => (world, refusal) =>
          withBody(original(world, refusal), (body) => [body]),
      },
    ],
    [
      'error-code-renamed',
      'ERROR-CODE',
      'The code of the error body is called errorCode.',
      error('code').rename('errorCode'),
    ],
    [
      'unauthorized-without-code',
      'ERROR-CODE',
      'A 401 has no code.',
      when(401, ({ code: _, ...body }) => body),
      // Each of them says which code it is.
      [
        'AUTH-FAILURE-CODE',
        'STAMP-MISSING',
        'RETRY-REQUEST-ID-MISSING',
        'STAMP-MALFORMED-ENCODING',
        'STAMP-MALFORMED-STRUCTURE',
        'STAMP-MALFORMED-FIELDS',
        'STAMP-INVALID',
        'RETRY-SAME-BODY',
      ],
    ],
    [
      'invented-400-code',
      'ERROR-CODE-400',
      'A 400 has a code that the interface does not list.',
      codeOf(400, 'VALIDATION_FAILED'),
    ],
    [
      'invented-401-code',
      'ERROR-CODE-401',
      'A 401 has a code that the interface does not list.',
      codeOf(401, 'UNAUTHENTICATED'),
    ],
    [
      'invented-403-code',
      'ERROR-CODE-403',
      'A 403 has a code that the interface does not list.',
      codeOf(403, 'ACCESS_DENIED'),
    ],
    [
      'invented-404-code',
      'ERROR-CODE-404',
      'A 404 has a code that the interface does not list.',
      codeOf(404, 'NOT_FOUND'),
    ],
    [
      'error-message-called-reason',
      'ERROR-MESSAGE',
      'The message of the error body is called reason.',
      error('message').rename('reason'),
    ],
    [
      'field-errors-as-map',
      'ERROR-FIELD-LIST',
      'details.errors is an object by field name.',
      {
        presentFieldErrors: () => (_world, errors) =>
          Object.fromEntries(errors.map(({ field: name, message }) => [name, message])),
      },
    ],
    [
      'field-errors-as-texts',
      'ERROR-FIELD-LIST',
      'details.errors is a list of texts.',
      { presentFieldErrors: () => (_world, errors) => errors.map(({ message }) => message) },
    ],
    [
      'field-errors-one-at-a-time',
      'ERROR-FIELD-ERRORS-ALL-AT-ONCE',
      'Only the first invalid field is told.',
      { presentFieldErrors: (original) => (world, errors) => original(world, errors.slice(0, 1)) },
    ],
    [
      'field-error-told-twice',
      'ERROR-FIELD-ERRORS-ONE-PER-FIELD',
      'The first invalid field is told twice.',
      {
        presentFieldErrors: (original) => (world, errors) =>
          original(world, [...errors.slice(0, 1), ...errors]),
      },
    ],
    [
      'field-errors-name-valid-fields',
      'ERROR-FIELD-ERRORS-ONLY-INVALID',
      'Field errors name the valid fields of the body too.',
      {
        checkBody: (original) => (world, schema, body) =>
          withValidFields(original(world, schema, body), body),
      },
    ],
    [
      'field-error-path-without-parent',
      'ERROR-FIELD-ERRORS-PATH',
      'A field error names the last step of the path alone.',
      field('presentFieldError', 'field').mapText((path) => path.replace(/^.*\./, '')),
    ],
    [
      'malformed-json-answers-500',
      'ERROR-MALFORMED-JSON',
      'A body that is not JSON answers 500.',
      { refuseMalformedJson: () => (world) => world.behaviour.refuseInternal() },
    ],
    [
      'malformed-json-answers-422',
      'ERROR-MALFORMED-JSON',
      'A body that is not JSON answers 422.',
      { refuseMalformedJson: () => (_world, why) => new Refusal(422, 'INVALID_REQUEST_FORMAT', why) },
    ],
    [
      'malformed-json-answers-text',
      'GENERAL-RESPONSES-JSON',
      'A body that is not JSON is refused with a plain text.',
      { ...text((refusal) => refusal.status === 400 && refusal.message.startsWith('The body is not JSON')) },
    ],
    [
      'unknown-customer-called-reference',
      'ERROR-CUSTOMER-NOT-FOUND',
      'An unknown customer answers REFERENCE_NOT_FOUND.',
      {
        refuseNotFound: (original) => (world, kind, id) =>
          original(world, kind === 'Customer' ? 'record' : kind, id),
      },
    ],
  ]),
];

function when(status: number, change: (body: JsonObject) => JsonObject): Replacements {
  return shown('presentError', (body) => (body['status'] === status ? change(body) : body));
}

function codeOf(status: number, code: string): Replacements {
  return when(status, (body) => ({ ...body, code }));
}

function withBody<T extends { body?: Json }>(reply: T, change: (body: Json) => Json): T {
  return { ...reply, body: change(reply.body ?? null) };
}

/** Some refusals answered by a proxy in front of the service and not by the service. */
function text(which: (refusal: Refusal) => boolean): Replacements {
  return {
    presentRefusal: (original) => (world, refusal) =>
      which(refusal)
        ? { status: refusal.status, body: '<html><body>Error</body></html>' }
        : original(world, refusal),
    contentType: (original) => (world, reply) =>
      typeof reply.body === 'string' ? 'text/html; charset=utf-8' : original(world, reply),
  };
}

function withValidFields<T extends { field: string; constraint: JsonObject; message: string }>(
  errors: T[],
  body: Json,
): T[] {
  if (errors.length === 0 || typeof body !== 'object' || body === null) return errors;
  const wrong = new Set(errors.flatMap((error) => [error.field, error.field.split('.')[0]!]));
  const valid = Object.keys(body).filter((name) => !wrong.has(name));
  return [
    ...errors,
    ...valid.map((name) => ({ field: name, constraint: {}, message: `${name} was looked at` }) as T),
  ];
}
