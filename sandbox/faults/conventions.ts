import { mainPlatform } from '../areas/auth/records.ts';
import type { Replacements } from '../areas/replacement.ts';
import type { JsonObject } from '../server/json.ts';
import { refuse, Refusal } from '../server/refusal.ts';
import { type Fault, faultsOf, field } from './fault.ts';

/** Who may call the platform's operations. */
export const authFaults: readonly Fault[] = [
  {
    name: 'platform-credentials-refused',
    breaks: 'AUTH-PLATFORM-ACCEPTED',
    says: 'The right client id and secret are refused.',
    replace: { acceptSecret: () => () => false },
  },
  {
    name: 'platform-operation-without-credentials',
    breaks: 'AUTH-PLATFORM-NONE',
    says: 'Without credentials a platform operation acts for the first platform.',
    replace: { refuseMissingBasic: () => (world) => mainPlatform(world) },
  },
  {
    name: 'missing-credentials-answer-403',
    breaks: 'AUTH-PLATFORM-NONE',
    says: 'Missing platform credentials are told as a missing permission.',
    replace: { refuseMissingBasic: () => (world) => refuse(world.rules.refuseForbidden('No credentials.')) },
  },
  {
    name: 'client-secret-not-checked',
    breaks: 'AUTH-PLATFORM-WRONG-SECRET',
    says: 'A known client id is enough.',
    replace: { acceptSecret: () => () => true },
  },
  {
    name: 'client-secret-compared-by-its-start',
    breaks: 'AUTH-PLATFORM-WRONG-SECRET',
    says: 'A secret that begins like the right one is accepted.',
    replace: {
      acceptSecret: () => (_world, platform, secret) => secret.startsWith(platform.clientSecret.slice(0, 1)),
    },
  },
  {
    name: 'unknown-client-accepted',
    breaks: 'AUTH-PLATFORM-UNKNOWN-CLIENT',
    says: 'An unknown client id acts for the first platform.',
    replace: { refuseUnknownClient: () => (world) => mainPlatform(world) },
  },
  {
    name: 'unknown-client-answers-404',
    breaks: 'AUTH-PLATFORM-UNKNOWN-CLIENT',
    says: 'An unknown client id answers 404.',
    replace: {
      refuseUnknownClient: () => (world, clientId) => refuse(world.rules.refuseNotFound('client', clientId)),
    },
  },
  {
    name: 'unreadable-credentials-accepted',
    breaks: 'AUTH-PLATFORM-MALFORMED',
    says: 'An Authorization header that is no HTTP Basic acts for the first platform.',
    replace: { refuseUnreadableBasic: () => (world) => mainPlatform(world) },
  },
  {
    name: 'unreadable-credentials-answer-500',
    breaks: 'AUTH-PLATFORM-MALFORMED',
    says: 'An Authorization header that is no HTTP Basic breaks the service.',
    replace: { refuseUnreadableBasic: () => (world) => refuse(world.rules.refuseInternal()) },
  },
  {
    name: 'failed-authentication-called-invalid-signature',
    breaks: 'AUTH-FAILURE-CODE',
    says: 'Wrong API credentials answer 401 INVALID_SIGNATURE.',
    replace: {
      refuseUnauthorized: () => (_world, _scheme, why) => new Refusal(401, 'INVALID_SIGNATURE', why),
    },
  },
  {
    name: 'credential-operations-without-credentials',
    breaks: 'AUTH-CREDENTIALS-NEED-BASIC',
    says: 'The credential operations ask for no platform credentials.',
    replace: credentialOperationsFor((authorization) => authorization === undefined),
  },
  {
    name: 'credential-operations-take-agent-tokens',
    breaks: 'AUTH-CREDENTIALS-REFUSE-AGENT',
    says: 'The credential operations take agent tokens too.',
    replace: credentialOperationsFor((authorization) => /^Bearer /i.test(authorization ?? '')),
  },
];

function credentialOperationsFor(accepts: (authorization: string | undefined) => boolean): Replacements {
  return {
    identifyCaller: (original) => (world, call, route) =>
      call.path.startsWith('/auth/credentials') && accepts(call.headers['authorization'])
        ? mainPlatform(world)
        : original(world, call, route),
  };
}

/** Conventions of records whose fields are not shown. */
export const conventionFaults = faultsOf([
  [
    'transaction-id-without-uuid',
    'GENERAL-ID-FORM',
    'A transaction is named by its type and a number.',
    field('presentTransaction', 'id').set('Transaction:1001'),
  ],
  [
    'balance-in-major-units',
    'GENERAL-AMOUNT-INTEGER',
    'The balance of an account is told in dollars and cents.',
    field('presentInternalAccount', 'balance').map((balance) => ({
      ...(balance as JsonObject),
      amount: Number((balance as JsonObject)['amount']) / 100 + 0.01,
    })),
  ],
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
]);
