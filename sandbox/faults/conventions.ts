import { mainPlatform } from '../areas/platform/records.ts';
import type { Replacements } from '../areas/behaviour.ts';
import type { JsonObject } from '../server/json.ts';
import { refuse, Refusal } from '../server/refusal.ts';
import { faultsOf, within } from './fault.ts';
import { shownWrongly } from './shown-wrongly.ts';

interface Route {
  readonly method: string;
  readonly path: string;
}

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
    secretsWhere(
      (route) => route.method === method && route.path === path,
      () => true,
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
    credentialOperationsFor((authorization) => authorization === undefined),
  ],
  [
    'credential-operations-take-agent-tokens',
    'AUTH-CREDENTIALS-REFUSE-AGENT',
    'The credential operations take agent tokens too.',
    credentialOperationsFor((authorization) => /^Bearer /i.test(authorization ?? '')),
  ],
]);

/** @param isRight how the secret is compared in the operations that are meant */
function secretsWhere(
  isMeant: (route: Route) => boolean,
  isRight: (given: string, right: string) => boolean,
): Replacements {
  return within(
    'identifyCaller',
    { acceptSecret: () => (_world, platform, secret) => isRight(secret, platform.clientSecret) },
    (_call: unknown, route: Route) => isMeant(route),
  );
}

function isOfCredentials({ path }: Route): boolean {
  return path.startsWith('/auth/credentials');
}

function credentialOperationsFor(accepts: (authorization: string | undefined) => boolean): Replacements {
  return {
    identifyCaller: (original) => (world, call, route) =>
      call.path.startsWith('/auth/credentials') && accepts(call.headers['authorization'])
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
