import type { Replacements } from '../areas/behaviour.ts';
import { mainPlatform } from '../areas/platform/records.ts';
import type { Call } from '../server/area.ts';
import type { Json, JsonObject } from '../server/json.ts';
import { type Refusal, refuse } from '../server/refusal.ts';
import { asking, where, coded, no } from '../areas/replacements.ts';
import { breaking, fault, field, shown, type Fault, within } from './fault.ts';
import { shownWrongly, inText } from './shown-wrongly.ts';

const error = (name: string) => field('presentError', name);

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
    contentType: where((reply) => typeof reply.body === 'string', 'text/html; charset=utf-8'),
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

const none = (authorization: string | undefined) => authorization === undefined;
const agentToken = (authorization: string | undefined) => /^Bearer /i.test(authorization ?? '');

/** @param end of the path @param body what the raw body holds */
const credentialCall =
  (method: string, end: RegExp, isRetry = false, body = '') =>
  (call: Call): boolean =>
    isOfCredentials(call) &&
    call.method === method &&
    end.test(call.path) &&
    isRetry === Object.keys(call.headers).some((name) => name.endsWith('wallet-signature')) &&
    call.rawBody.includes(body);

/** Each call of the credential operations: first calls, signed retries, and those of single types. */
const CREDENTIAL_CALLS = [
  ['registration', credentialCall('POST', /credentials$/)],
  ['retry-of-a-registration', credentialCall('POST', /credentials$/, true)],
  ['list-of-credentials', credentialCall('GET', /credentials$/)],
  ['revocation', credentialCall('DELETE', /./)],
  ['retry-of-a-revocation', credentialCall('DELETE', /./, true)],
  ['challenge', credentialCall('POST', /challenge$/)],
  ['passkey-challenge', credentialCall('POST', /challenge$/, false, 'clientPublicKey')],
  ['verification-of-a-code', credentialCall('POST', /verify$/, false, 'EMAIL_OTP')],
  ['retry-of-a-verification', credentialCall('POST', /verify$/, true)],
  ['verification-of-a-passkey', credentialCall('POST', /verify$/, false, 'PASSKEY')],
  ['verification-of-an-identity', credentialCall('POST', /verify$/, false, 'OAUTH')],
] as const;

/** @param isRight how the secret is compared in the operations that are meant */
function secretsWhere(
  isMeant: (call: Call) => boolean,
  isRight: (given: string, right: string) => boolean,
): Replacements {
  return within(
    'identifyCaller',
    { acceptSecret: () => (_world, platform, secret) => isRight(secret, platform.clientSecret) },
    isMeant,
  );
}

function isOfCredentials({ path }: Call): boolean {
  return path.startsWith('/auth/credentials');
}

function acceptedWhere(
  isMeant: (call: Call) => boolean,
  accepts: (authorization: string | undefined) => boolean,
): Replacements {
  return {
    identifyCaller: (original) => (world, call, route) =>
      isMeant(call) && accepts(call.headers['authorization'])
        ? mainPlatform(world)
        : original(world, call, route),
  };
}

/** The error body: name, broken rule, what it looks like, how. */
export const conventionFaults = [
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
  fault('field-error-path-without-parent', 'ERROR-FIELD-ERRORS-PATH', {
    ...field('presentFieldError', 'field').mapText((path) => path.replace(/^.*\./, '')),
  }),
  ...breaking('ERROR-MALFORMED-JSON', {
    'malformed-json-answers-500': { refuseMalformedJson: coded('INTERNAL_ERROR', 500) },
    'malformed-json-answers-422': { refuseMalformedJson: coded('INVALID_REQUEST_FORMAT', 422) },
  }),
  fault('malformed-json-answers-text', 'GENERAL-RESPONSES-JSON', {
    ...text((refusal) => refusal.status === 400 && refusal.message.startsWith('The body is not JSON')),
  }),
  fault('unknown-customer-called-reference', 'ERROR-CUSTOMER-NOT-FOUND', {
    refuseNotFound: asking((kind, id) => [kind === 'Customer' ? 'record' : kind, id]),
  }),

  // Who may call the platform's operations.
  fault('platform-credentials-refused', 'AUTH-PLATFORM-ACCEPTED', { acceptSecret: no }),
  ...breaking('AUTH-PLATFORM-NONE', {
    'missing-credentials-answer-403': {
      refuseMissingBasic: () => (world) => refuse(world.behaviour.refuseForbidden('No credentials.')),
    },
  }),
  fault('secret-in-any-case-for-credentials', 'AUTH-PLATFORM-WRONG-SECRET', {
    ...secretsWhere(isOfCredentials, (given, right) => given.toLowerCase() === right.toLowerCase()),
  }),
  fault('secret-and-more-for-credentials', 'AUTH-PLATFORM-WRONG-SECRET', {
    ...secretsWhere(isOfCredentials, (given, right) => given.startsWith(right)),
  }),
  fault('client-secret-compared-by-its-start', 'AUTH-PLATFORM-WRONG-SECRET', {
    acceptSecret: () => (_world, platform, secret) => secret.startsWith(platform.clientSecret.slice(0, 1)),
  }),
  ...breaking('AUTH-PLATFORM-UNKNOWN-CLIENT', {
    'unknown-client-accepted': { refuseUnknownClient: () => (world) => mainPlatform(world) },
    'unknown-client-answers-404': {
      refuseUnknownClient: () => (world, clientId) =>
        refuse(world.behaviour.refuseNotFound('client', clientId)),
    },
  }),
  ...breaking('AUTH-PLATFORM-MALFORMED', {
    'unreadable-credentials-accepted': { refuseUnreadableBasic: () => (world) => mainPlatform(world) },
    'unreadable-credentials-answer-500': {
      refuseUnreadableBasic: () => (world) => refuse(world.behaviour.refuseInternal()),
    },
  }),
  fault('failed-authentication-called-invalid-signature', 'AUTH-FAILURE-CODE', {
    refuseUnauthorized: coded('INVALID_SIGNATURE', 401),
  }),
  ...CREDENTIAL_CALLS.flatMap(([what, isMeant]): Fault[] => [
    fault(`${what}-without-credentials`, 'AUTH-CREDENTIALS-NEED-BASIC', acceptedWhere(isMeant, none)),
    fault(`${what}-takes-agent-tokens`, 'AUTH-CREDENTIALS-REFUSE-AGENT', acceptedWhere(isMeant, agentToken)),
    fault(`${what}-takes-any-secret`, 'AUTH-PLATFORM-WRONG-SECRET', { ...secretsWhere(isMeant, () => true) }),
  ]),

  // Conventions of records whose fields are not shown.
  ...shownWrongly('presentTransaction', 'transaction', {
    id: ['GENERAL-ID-FORM', ['without-uuid', () => 'Transaction:1001']],
  }),
  ...shownWrongly('presentInternalAccount', 'internal account', {
    balance: [
      'GENERAL-AMOUNT-INTEGER',
      [
        'in-major-units',
        (balance) => ({
          ...(balance as JsonObject),
          amount: Number((balance as JsonObject)['amount']) / 100 + 0.01,
        }),
      ],
    ],
  }),
  fault('what-follows-an-id-ignored', 'GENERAL-ID-NAMES-NO-RECORD', {
    identifyCaller: (original) => (world, call, route) => {
      for (const [name, value] of Object.entries(call.params))
        Object.assign(call.params, {
          [name]: /^\w+:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(value)?.[0] ?? value,
        });
      return original(world, call, route);
    },
  }),
];
