import { mainPlatform } from '../areas/platform/records.ts';
import type { Replacements } from '../areas/behaviour.ts';
import type { Call, Route } from '../server/area.ts';
import type { JsonObject } from '../server/json.ts';
import { refuse, Refusal } from '../server/refusal.ts';
import { fault, type Fault, within } from './fault.ts';
import { shownWrongly } from './shown-wrongly.ts';

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

/** Who may call the platform's operations. */
export const authFaults = [
  fault('platform-credentials-refused', 'AUTH-PLATFORM-ACCEPTED', { acceptSecret: () => () => false }),
  fault('platform-operation-without-credentials', 'AUTH-PLATFORM-NONE', {
    refuseMissingBasic: () => (world) => mainPlatform(world),
  }),
  fault('missing-credentials-answer-403', 'AUTH-PLATFORM-NONE', {
    refuseMissingBasic: () => (world) => refuse(world.behaviour.refuseForbidden('No credentials.')),
  }),
  fault('client-secret-not-checked', 'AUTH-PLATFORM-WRONG-SECRET', { acceptSecret: () => () => true }),
  ...(
    [
      ['rejection', 'POST', '/agents/:agentId/actions/:actionId/reject'],
      ['update-of-a-customer', 'PATCH', '/customers/:customerId'],
      ['execution', 'POST', '/quotes/:quoteId/execute'],
    ] as const
  ).map(([what, method, path]): Fault =>
    fault(
      `${what}-takes-any-secret`,
      'AUTH-PLATFORM-WRONG-SECRET',
      within(
        'identifyCaller',
        { acceptSecret: () => () => true },
        (_call: Call, route: Route) => route.method === method && route.path === path,
      ),
    ),
  ),
  fault(
    'deletion-takes-any-secret',
    'AUTH-PLATFORM-WRONG-SECRET',
    secretsWhere(
      ({ method }) => method === 'DELETE',
      () => true,
    ),
  ),
  fault(
    'secret-in-any-case-for-credentials',
    'AUTH-PLATFORM-WRONG-SECRET',
    secretsWhere(isOfCredentials, (given, right) => given.toLowerCase() === right.toLowerCase()),
  ),
  fault(
    'secret-and-more-for-credentials',
    'AUTH-PLATFORM-WRONG-SECRET',
    secretsWhere(isOfCredentials, (given, right) => given.startsWith(right)),
  ),
  fault('client-secret-compared-by-its-start', 'AUTH-PLATFORM-WRONG-SECRET', {
    acceptSecret: () => (_world, platform, secret) => secret.startsWith(platform.clientSecret.slice(0, 1)),
  }),
  fault('unknown-client-accepted', 'AUTH-PLATFORM-UNKNOWN-CLIENT', {
    refuseUnknownClient: () => (world) => mainPlatform(world),
  }),
  fault('unknown-client-answers-404', 'AUTH-PLATFORM-UNKNOWN-CLIENT', {
    refuseUnknownClient: () => (world, clientId) =>
      refuse(world.behaviour.refuseNotFound('client', clientId)),
  }),
  fault('unreadable-credentials-accepted', 'AUTH-PLATFORM-MALFORMED', {
    refuseUnreadableBasic: () => (world) => mainPlatform(world),
  }),
  fault('unreadable-credentials-answer-500', 'AUTH-PLATFORM-MALFORMED', {
    refuseUnreadableBasic: () => (world) => refuse(world.behaviour.refuseInternal()),
  }),
  fault('failed-authentication-called-invalid-signature', 'AUTH-FAILURE-CODE', {
    refuseUnauthorized: () => (_world, _scheme, why) => new Refusal(401, 'INVALID_SIGNATURE', why),
  }),
  fault(
    'credential-operations-without-credentials',
    'AUTH-CREDENTIALS-NEED-BASIC',
    acceptedWhere(isOfCredentials, none),
  ),
  fault(
    'credential-operations-take-agent-tokens',
    'AUTH-CREDENTIALS-REFUSE-AGENT',
    acceptedWhere(isOfCredentials, agentToken),
  ),
  ...CREDENTIAL_CALLS.flatMap(([what, isMeant]): Fault[] => [
    fault(`${what}-without-credentials`, 'AUTH-CREDENTIALS-NEED-BASIC', acceptedWhere(isMeant, none)),
    fault(`${what}-takes-agent-tokens`, 'AUTH-CREDENTIALS-REFUSE-AGENT', acceptedWhere(isMeant, agentToken)),
    fault(
      `${what}-takes-any-secret`,
      'AUTH-PLATFORM-WRONG-SECRET',
      secretsWhere(isMeant, () => true),
    ),
  ]),
];

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

/** Conventions of records whose fields are not shown. */
export const conventionFaults = [
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
