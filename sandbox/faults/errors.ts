import type { Replacements } from '../areas/behaviour.ts';
import type { Json, JsonObject } from '../server/json.ts';
import { Refusal } from '../server/refusal.ts';
import { fault, field, shown } from './fault.ts';
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
  fault('error-body-empty', 'ERROR-BODY', {
    presentRefusal: (original) => (world, refusal) => ({ ...original(world, refusal), body: {} }),
  }),
  fault('error-body-in-a-list', 'ERROR-BODY', {
    presentRefusal: (original) => (world, refusal) => withBody(original(world, refusal), (body) => [body]),
  }),
  fault('error-code-renamed', 'ERROR-CODE', error('code').rename('errorCode')),
  fault(
    'unauthorized-without-code', // Each of them says which code it is.
    [
      'ERROR-CODE',
      'AUTH-FAILURE-CODE',
      'STAMP-MISSING',
      'RETRY-REQUEST-ID-MISSING',
      'STAMP-MALFORMED-ENCODING',
      'STAMP-MALFORMED-STRUCTURE',
      'STAMP-MALFORMED-FIELDS',
      'STAMP-INVALID',
      'RETRY-SAME-BODY',
    ],
    when(401, ({ code: _, ...body }) => body),
  ),
  fault('invented-400-code', 'ERROR-CODE-400', codeOf(400, 'VALIDATION_FAILED')),
  fault('invented-401-code', 'ERROR-CODE-401', codeOf(401, 'UNAUTHENTICATED')),
  fault('invented-403-code', 'ERROR-CODE-403', codeOf(403, 'ACCESS_DENIED')),
  fault('invented-404-code', 'ERROR-CODE-404', codeOf(404, 'NOT_FOUND')),
  fault('error-message-called-reason', 'ERROR-MESSAGE', error('message').rename('reason')),
  fault('field-errors-as-map', 'ERROR-FIELD-LIST', {
    presentFieldErrors: () => (_world, errors) =>
      Object.fromEntries(errors.map(({ field: name, message }) => [name, message])),
  }),
  fault('field-errors-as-texts', 'ERROR-FIELD-LIST', {
    presentFieldErrors: () => (_world, errors) => errors.map(({ message }) => message),
  }),
  fault('field-errors-one-at-a-time', 'ERROR-FIELD-ERRORS-ALL-AT-ONCE', {
    presentFieldErrors: (original) => (world, errors) => original(world, errors.slice(0, 1)),
  }),
  fault('field-error-told-twice', 'ERROR-FIELD-ERRORS-ONE-PER-FIELD', {
    presentFieldErrors: (original) => (world, errors) => original(world, [...errors.slice(0, 1), ...errors]),
  }),
  fault('field-errors-name-valid-fields', 'ERROR-FIELD-ERRORS-ONLY-INVALID', {
    checkBody: (original) => (world, schema, body) => withValidFields(original(world, schema, body), body),
  }),
  fault(
    'field-error-path-without-parent',
    'ERROR-FIELD-ERRORS-PATH',
    field('presentFieldError', 'field').mapText((path) => path.replace(/^.*\./, '')),
  ),
  fault('malformed-json-answers-500', 'ERROR-MALFORMED-JSON', {
    refuseMalformedJson: () => (world) => world.behaviour.refuseInternal(),
  }),
  fault('malformed-json-answers-422', 'ERROR-MALFORMED-JSON', {
    refuseMalformedJson: () => (_world, why) => new Refusal(422, 'INVALID_REQUEST_FORMAT', why),
  }),
  fault('malformed-json-answers-text', 'GENERAL-RESPONSES-JSON', {
    ...text((refusal) => refusal.status === 400 && refusal.message.startsWith('The body is not JSON')),
  }),
  fault('unknown-customer-called-reference', 'ERROR-CUSTOMER-NOT-FOUND', {
    refuseNotFound: (original) => (world, kind, id) =>
      original(world, kind === 'Customer' ? 'record' : kind, id),
  }),
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
