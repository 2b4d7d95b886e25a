import { expect, test } from '@playwright/test';
import { readSettings } from '../../target/read-settings.ts';
import { UsageError } from '../../target/usage-error.ts';
import { scratchFile } from '../support/run-assay.ts';

const EMBEDDED = {
  baseUrl: 'http://127.0.0.1:1/default/2025-10-13',
  statesUrl: 'http://127.0.0.1:1/default/provider-states',
  clientId: 'a',
  clientSecret: 'b',
};
const CREDENTIALS = { CLIENT_ID: 'some-id', CLIENT_SECRET: 'some-secret' };
const FOREIGN = { ...CREDENTIALS, BASE_URL: 'https://host/2025-10-13', ENVIRONMENT: 'sandbox' };
const settings = (env: Record<string, string>) => readSettings(env, EMBEDDED);

const fileWith = (text: string) => scratchFile('file.yaml', text);

/** A setting whose value is a file with this text. */
const file =
  (name: string, text: string, others: object = FOREIGN) =>
  () => ({
    ...others,
    [name]: fileWith(text),
  });
const url = (BASE_URL: string) => ({ ...CREDENTIALS, BASE_URL });
const NEEDS = "BASE_URL needs the platform's client id and client secret.";
const OR_SANDBOX = "set BASE_URL to the service's address, or unset";

/** Settings that are refused with one sentence, or with one that ends so. */
const REFUSED: readonly (readonly [what: string, env: object | (() => object), sentence: string | RegExp])[] =
  [
    ['an empty address', url(''), /^BASE_URL is empty: give it the service's address, or unset it to test/],
    ['a word for an address', url('sandbox'), /^BASE_URL is not a URL: write it like https:\/\/host\/path\//],
    ['no scheme', url('localhost:4010/x'), 'BASE_URL must start with http:// or https://, not localhost://.'],
    ['another scheme', url('ftp://host/x'), 'BASE_URL must start with http:// or https://, not ftp://.'],
    [
      'credentials in the address',
      url('https://me:pw@host/x'),
      /^BASE_URL carries credentials: put them into /,
    ],
    ['a query', url('https://host/x?a=b'), 'BASE_URL must end with its path, without ? or #.'],
    ['no credentials', { BASE_URL: 'https://h/x' }, `CLIENT_ID and CLIENT_SECRET are not set: ${NEEDS}`],
    [
      'no client secret',
      { BASE_URL: 'https://host/x', CLIENT_ID: 'x', CLIENT_SECRET: '' },
      `CLIENT_SECRET is not set: ${NEEDS}`,
    ],
    [
      'a client id without an address',
      { CLIENT_ID: 'x' },
      `CLIENT_ID is set, but BASE_URL is not: ${OR_SANDBOX} it to test the embedded sandbox.`,
    ],
    [
      'a profile without an address',
      file('PROFILE', 'name: Acme', {}),
      /^The profile .* names no baseUrl: add one, set BASE_URL, or write "baseUrl: embedded" to test the /,
    ],
    [
      "a states' URL that is none",
      { ...FOREIGN, PROVIDER_STATES_URL: 'x' },
      'PROVIDER_STATES_URL is not a URL: write it like https://host/path/provider-states.',
    ],
    [
      "credentials in the states' URL",
      { ...FOREIGN, PROVIDER_STATES_URL: 'https://a:b@host/states' },
      'PROVIDER_STATES_URL carries credentials: put a bearer token into PROVIDER_STATES_TOKEN.',
    ],
    ...['many', '0', '-1', '1.5', '50%'].map(
      (WORKERS) =>
        [
          `${WORKERS} workers`,
          { WORKERS },
          `WORKERS must be a whole number, 1 or more, not "${WORKERS}".`,
        ] as const,
    ),
    ['a seed with a fraction', { SEED: '1.5' }, 'SEED must be a whole number, not "1.5".'],
    [
      'a brand of two words',
      { BRAND: 'Big Bank' },
      /^BRAND must be one word of letters and digits, such as /,
    ],
    [
      'publicCalls',
      file('PROFILE', 'publicCalls: {}'),
      /has publicCalls, which is now dialect\.bodies: move /,
    ],
    [
      'facts',
      file('PROFILE', 'facts: { oidcAudience: a, passkeyRpId: b }'),
      /has facts, which are part of dialect now \(docs\/dialect\.md\): move oidcAudience to dialect\.oidcToken\.audience, passkeyRpId to dialect\.passkey\.rpId\.$/,
    ],
    ['a profile that is no YAML', file('PROFILE', 'a: 1\nb: ['), /is not YAML: .* at line 2, column 5\.$/],
    [
      'a profile that is a list',
      file('PROFILE', '- a'),
      /must hold keys and values, such as "baseUrl: https:/,
    ],
    [
      'a profile with several mistakes',
      file('PROFILE', 'name: Acme\n\nbrnad: Acme\ndialect:\n  passkey:\n    rpID: x'),
      /, line 3, has an unknown key brnad; did you mean brand\? Line 6 has an unknown key dialect\.passkey: rpID; did you mean rpId\?$/,
    ],
    [
      'production',
      file('PROFILE', 'environment: production'),
      /does not run on environment: production; use a sandbox\.$/,
    ],
    [
      'no fixtures file',
      file('PROFILE', 'preparation: fixtures'),
      /names no fixtures file \(fixtures: or FIX/,
    ],
    ...['PROFILE', 'KNOWN_FAILURES'].map(
      (name) =>
        [
          `${name} that is not there`,
          { [name]: 'no/such/file.yaml' },
          new RegExp(`cannot be read.*: check the path in ${name}`),
        ] as const,
    ),
    [
      'fixtures that are not there',
      { ...FOREIGN, FIXTURES: 'no/such.yaml' },
      /check the path in FIXTURES\.$/,
    ],
    ['fixtures without states', file('FIXTURES', 'agent: {}'), /must hold states: /],
  ];

for (const [what, env, sentence] of REFUSED)
  test(`refused in one sentence: ${what}`, () => {
    const read = () => settings((typeof env === 'function' ? env() : env) as Record<string, string>);
    expect(read).toThrow(UsageError);
    expect(read).toThrow(/^.*$/);
    expect(read).toThrow(sentence);
  });

const PROFILE = (text: string) => ({ PROFILE: fileWith(text) });
const EMBEDDED_ONE = { embedded: true, baseUrl: EMBEDDED.baseUrl };

/** Settings that are taken, and what the profile says then. */
const TAKEN: readonly (readonly [
  what: string,
  env: () => Record<string, string>,
  profile: Record<string, unknown>,
])[] = [
  [
    'without a base URL the embedded sandbox is the target',
    () => ({}),
    { ...EMBEDDED_ONE, clientId: 'a', preparation: 'provider-states', clock: 'customer' },
  ],
  [
    'empty variables speak of no target',
    () => ({ CLIENT_ID: '', CLIENT_SECRET: '', FIXTURES: '' }),
    EMBEDDED_ONE,
  ],
  [
    'a profile may name the embedded sandbox',
    () => PROFILE('{ baseUrl: embedded, name: Ours }'),
    { ...EMBEDDED_ONE, name: 'Ours' },
  ],
  [
    'a base URL loses its trailing slashes and gives the name',
    () => ({ ...FOREIGN, BASE_URL: ' http://[::1]:8080/pay/2025-10-13// ' }),
    {
      embedded: false,
      name: '[::1]:8080',
      baseUrl: 'http://[::1]:8080/pay/2025-10-13',
      preparation: 'public-calls',
      clock: 'target',
    },
  ],
  [
    'the environment wins over the profile, and an empty variable counts as unset',
    () => ({
      ...FOREIGN,
      ...PROFILE(
        '{ brand: Acme, slow: true, baseUrl: "https://file/x", providerStatesUrl: "https://file/states" }',
      ),
      ...{ BRAND: '', SLOW: '0', PROVIDER_STATES_URL: '' },
    }),
    { baseUrl: FOREIGN.BASE_URL, brand: 'Acme', slow: false, providerStates: { url: 'https://file/states' } },
  ],
  [
    'listed capabilities are all there are',
    () => PROFILE('{ baseUrl: embedded, capabilities: [agents, quotes] }'),
    { capabilities: ['agents', 'quotes'] },
  ],
];

for (const [what, env, profile] of TAKEN)
  test(what, () => expect(settings(env()).profile).toMatchObject(profile));
