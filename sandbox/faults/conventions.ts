import { mainPlatform } from '../areas/platform/records.ts';
import type { Replacements } from '../areas/behaviour.ts';
import type { Call, Route } from '../server/area.ts';
import type { JsonObject } from '../server/json.ts';
import { refuse, Refusal } from '../server/refusal.ts';
import { faultsOf, type Row, within } from './fault.ts';
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
export const authFaults = faultsOf([
  [
    'platform-credentials-refused',
    'AUTH-PLATFORM-ACCEPTED',
    'The right client id and secret are refused.',
    { acceptSecret: () => () => false },
  ],
  [
    'platform-operation-without-credentials',
    'AUTH-PLATFORM-NONE',
    'Without credentials a platform operation acts for the first platform.',
    { refuseMissingBasic: () => (world) => mainPlatform(world) },
  ],
  [
    'missing-credentials-answer-403',
    'AUTH-PLATFORM-NONE',
    'Missing platform credentials are told as a missing permission.',
    { refuseMissingBasic: () => (world) => refuse(world.behaviour.refuseForbidden('No credentials.')) },
  ],
  [
    'client-secret-not-checked',
    'AUTH-PLATFORM-WRONG-SECRET',
    'A known client id is enough.',
    { acceptSecret: () => () => true },
  ],
  ...(
    [
      ['rejection', 'POST', '/agents/:agentId/actions/:actionId/reject'],
      ['update-of-a-customer', 'PATCH', '/customers/:customerId'],
      ['execution', 'POST', '/quotes/:quoteId/execute'],
    ] as const
  ).map(([what, method, path]): [string, string, string, Replacements] => [
    `${what}-takes-any-secret`,
    'AUTH-PLATFORM-WRONG-SECRET',
    `For ${method} ${path} a known client id is enough.`,
    within(
      'identifyCaller',
      { acceptSecret: () => () => true },
      (_call: Call, route: Route) => route.method === method && route.path === path,
    ),
  ]),
  [
    'deletion-takes-any-secret',
    'AUTH-PLATFORM-WRONG-SECRET',
    'To delete something, the client id is enough.',
    secretsWhere(
      ({ method }) => method === 'DELETE',
      () => true,
    ),
  ],
  [
    'secret-in-any-case-for-credentials',
    'AUTH-PLATFORM-WRONG-SECRET',
    'On credential operations the letter case of the secret does not matter.',
    secretsWhere(isOfCredentials, (given, right) => given.toLowerCase() === right.toLowerCase()),
  ],
  [
    'secret-and-more-for-credentials',
    'AUTH-PLATFORM-WRONG-SECRET',
    'On credential operations something may stand behind the secret.',
    secretsWhere(isOfCredentials, (given, right) => given.startsWith(right)),
  ],
  [
    'client-secret-compared-by-its-start',
    'AUTH-PLATFORM-WRONG-SECRET',
    'A secret that begins like the right one is accepted.',
    {
      acceptSecret: () => (_world, platform, secret) => secret.startsWith(platform.clientSecret.slice(0, 1)),
    },
  ],
  [
    'unknown-client-accepted',
    'AUTH-PLATFORM-UNKNOWN-CLIENT',
    'An unknown client id acts for the first platform.',
    { refuseUnknownClient: () => (world) => mainPlatform(world) },
  ],
  [
    'unknown-client-answers-404',
    'AUTH-PLATFORM-UNKNOWN-CLIENT',
    'An unknown client id answers 404.',
    {
      refuseUnknownClient: () => (world, clientId) =>
        refuse(world.behaviour.refuseNotFound('client', clientId)),
    },
  ],
  [
    'unreadable-credentials-accepted',
    'AUTH-PLATFORM-MALFORMED',
    'An Authorization header that is no HTTP Basic acts for the first platform.',
    { refuseUnreadableBasic: () => (world) => mainPlatform(world) },
  ],
  [
    'unreadable-credentials-answer-500',
    'AUTH-PLATFORM-MALFORMED',
    'An Authorization header that is no HTTP Basic breaks the service.',
    { refuseUnreadableBasic: () => (world) => refuse(world.behaviour.refuseInternal()) },
  ],
  [
    'failed-authentication-called-invalid-signature',
    'AUTH-FAILURE-CODE',
    'Wrong API credentials answer 401 INVALID_SIGNATURE.',
    {
      refuseUnauthorized: () => (_world, _scheme, why) => new Refusal(401, 'INVALID_SIGNATURE', why),
    },
  ],
  [
    'credential-operations-without-credentials',
    'AUTH-CREDENTIALS-NEED-BASIC',
    'The credential operations ask for no platform credentials.',
    acceptedWhere(isOfCredentials, none),
  ],
  [
    'credential-operations-take-agent-tokens',
    'AUTH-CREDENTIALS-REFUSE-AGENT',
    'The credential operations take agent tokens too.',
    acceptedWhere(isOfCredentials, agentToken),
  ],
  ...CREDENTIAL_CALLS.flatMap(([what, isMeant]): Row[] => [
    [
      `${what}-without-credentials`,
      'AUTH-CREDENTIALS-NEED-BASIC',
      `The ${what.replaceAll('-', ' ')} asks for no platform credentials.`,
      acceptedWhere(isMeant, none),
    ],
    [
      `${what}-takes-agent-tokens`,
      'AUTH-CREDENTIALS-REFUSE-AGENT',
      `The ${what.replaceAll('-', ' ')} takes agent tokens too.`,
      acceptedWhere(isMeant, agentToken),
    ],
    [
      `${what}-takes-any-secret`,
      'AUTH-PLATFORM-WRONG-SECRET',
      `For the ${what.replaceAll('-', ' ')} a known client id is enough.`,
      secretsWhere(isMeant, () => true),
    ],
  ]),
]);

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
  ...faultsOf([
    [
      'what-follows-an-id-ignored',
      'GENERAL-ID-NAMES-NO-RECORD',
      'Text behind the uuid of an id in a path is cut off.',
      {
        identifyCaller: (original) => (world, call, route) => {
          for (const [name, value] of Object.entries(call.params))
            Object.assign(call.params, {
              [name]: /^\w+:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(value)?.[0] ?? value,
            });
          return original(world, call, route);
        },
      },
    ],
  ]),
];
