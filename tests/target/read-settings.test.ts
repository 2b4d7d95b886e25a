import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { readSettings } from '../../target/read-settings.ts';
import { UsageError } from '../../target/usage-error.ts';
import { scratch } from '../support/run-assay.ts';

const EMBEDDED = {
  baseUrl: 'http://127.0.0.1:1/default/2025-10-13',
  statesUrl: 'http://127.0.0.1:1/default/provider-states',
  clientId: 'a',
  clientSecret: 'b',
};
const CREDENTIALS = { CLIENT_ID: 'some-id', CLIENT_SECRET: 'some-secret' };
const FOREIGN = { ...CREDENTIALS, BASE_URL: 'https://host/2025-10-13', ENVIRONMENT: 'sandbox' };
const settings = (env: Record<string, string>) => readSettings(env, EMBEDDED);

/** The one sentence of a mistake. */
function refuses(env: Record<string, string>, sentence: string | RegExp): void {
  let thrown: unknown;
  try {
    settings(env);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(UsageError);
  const { message } = thrown as UsageError;
  expect(message).not.toContain('\n');
  if (typeof sentence === 'string') expect(message).toBe(sentence);
  else expect(message).toMatch(sentence);
}

const FORMS: readonly (readonly [what: string, value: string, sentence: string])[] = [
  [
    'nothing',
    '',
    "BASE_URL is empty: give it the service's address, or unset it to test the embedded sandbox.",
  ],
  ['a word', 'sandbox', 'BASE_URL is not a URL: write it like https://host/path/2025-10-13.'],
  [
    'a host without a scheme',
    'localhost:4010/2025-10-13',
    'BASE_URL must start with http:// or https://, not localhost://.',
  ],
  ['another scheme', 'ftp://host/2025-10-13', 'BASE_URL must start with http:// or https://, not ftp://.'],
  [
    'credentials in it',
    'https://me:pw@host/2025-10-13',
    'BASE_URL carries credentials: put them into CLIENT_ID and CLIENT_SECRET.',
  ],
  ['a query', 'https://host/2025-10-13?a=b', 'BASE_URL must end with its path, without ? or #.'],
];

for (const [what, value, sentence] of FORMS)
  test(`BASE_URL holds ${what}`, () => refuses({ ...CREDENTIALS, BASE_URL: value }, sentence));

test('missing credentials are named', () => {
  const needs = "BASE_URL needs the platform's client id and client secret.";
  refuses({ BASE_URL: FOREIGN.BASE_URL }, `CLIENT_ID and CLIENT_SECRET are not set: ${needs}`);
  refuses(
    { BASE_URL: FOREIGN.BASE_URL, CLIENT_ID: 'x', CLIENT_SECRET: '' },
    `CLIENT_SECRET is not set: ${needs}`,
  );
});

const OR_SANDBOX = "set BASE_URL to the service's address, or unset";

/** What speaks of a target of one's own, where no address does. */
const FORGOTTEN: readonly (readonly [env: Record<string, string>, sentence: string])[] = [
  [
    { CLIENT_ID: 'x' },
    `CLIENT_ID is set, but BASE_URL is not: ${OR_SANDBOX} it to test the embedded sandbox.`,
  ],
  [
    { CLIENT_ID: 'x', CLIENT_SECRET: 'y', FIXTURES: 'z' },
    `CLIENT_ID, CLIENT_SECRET, and FIXTURES are set, but BASE_URL is not: ${OR_SANDBOX} them to test the embedded sandbox.`,
  ],
  [
    { PROVIDER_STATES_URL: 'x', PROVIDER_STATES_TOKEN: 'y' },
    `PROVIDER_STATES_URL and PROVIDER_STATES_TOKEN are set, but BASE_URL is not: ${OR_SANDBOX} them to test the embedded sandbox.`,
  ],
  [
    { BASE_URL: 'embedded', CLIENT_SECRET: 'y' },
    `CLIENT_SECRET is set, but the base URL is "embedded": ${OR_SANDBOX} it to test the embedded sandbox.`,
  ],
];

for (const [env, sentence] of FORGOTTEN)
  test(`${Object.keys(env).join(', ')} without the address of a service`, () => refuses(env, sentence));

test('a profile without an address is refused, and one for the embedded sandbox says so', () => {
  refuses(
    { PROFILE: fileWith('name: Acme') },
    /^The profile .* names no baseUrl: add one, set BASE_URL, or write "baseUrl: embedded" to test the embedded sandbox\.$/,
  );
  refuses(
    { PROFILE: fileWith('{ baseUrl: embedded, fixtures: a.yaml }') },
    /^The profile has fixtures, but the embedded sandbox prepares itself: remove it, or set BASE_URL/,
  );
  const { profile } = settings({ PROFILE: fileWith('{ baseUrl: embedded, name: Ours }') });
  expect(profile).toMatchObject({ embedded: true, baseUrl: EMBEDDED.baseUrl, name: 'Ours' });
});

test('empty variables speak of no target', () => {
  expect(settings({ CLIENT_ID: '', CLIENT_SECRET: '', FIXTURES: '' }).profile.embedded).toBe(true);
});

test('each address has a hint of its own', () => {
  refuses(
    { ...FOREIGN, PROVIDER_STATES_URL: 'x' },
    'PROVIDER_STATES_URL is not a URL: write it like https://host/path/provider-states.',
  );
  refuses(
    { ...FOREIGN, PROVIDER_STATES_URL: 'https://a:b@host/states' },
    'PROVIDER_STATES_URL carries credentials: put a bearer token into PROVIDER_STATES_TOKEN.',
  );
  refuses(
    { ...CREDENTIALS, PROFILE: fileWith('baseUrl: sandbox') },
    "The profile's baseUrl is not a URL: write it like https://host/path/2025-10-13.",
  );
});

test('accepted rules are named by the profile, and the environment wins', () => {
  const accepted = (name: string) => {
    const file = join(scratch('accepted'), name);
    writeFileSync(file, '- { rule: TRANSFER-ACCEPTED, reason: x }');
    return file;
  };
  const [ofProfile, ofEnv] = [accepted('a.yaml'), accepted('b.yaml')];
  const PROFILE = fileWith(`{ baseUrl: embedded, accepted: "${ofProfile}" }`);
  expect(settings({ PROFILE }).profile.accepted).toBe(ofProfile);
  expect(settings({ PROFILE, ACCEPTED: ofEnv }).profile.accepted).toBe(ofEnv);
  expect(settings({}).profile.accepted).toBeUndefined();
  refuses(
    { PROFILE: fileWith('{ baseUrl: embedded, accepted: no/such.yaml }') },
    /no\/such\.yaml cannot be read: check the path in ACCEPTED\.$/,
  );
});

test('numbers and words that are none', () => {
  for (const WORKERS of ['many', '0', '-1', '1.5', '50%'])
    refuses({ WORKERS }, `WORKERS must be a whole number, 1 or more, not "${WORKERS}".`);
  refuses({ SEED: '1.5' }, 'SEED must be a whole number, not "1.5".');
  refuses({ BRAND: 'Big Bank' }, 'BRAND must be one word of letters and digits, such as Acme.');
});

/** Files with a mistake: which variable names them, what they hold, and the sentence after the file's name. */
const FILES: readonly (readonly [what: string, variable: string, text: string, sentence: RegExp])[] = [
  [
    'a profile with a typo',
    'PROFILE',
    'capabilites: [agents]',
    /has an unknown key capabilites; did you mean capabilities\?$/,
  ],
  [
    'a profile with a wrong value',
    'PROFILE',
    'clock: sundial',
    /is wrong at clock: there is no \S+; it is one of customer, target, none\.$/,
  ],
  [
    'a profile with an unknown capability',
    'PROFILE',
    'capabilities: [agent]',
    /^The profile .*file\.yaml, line 1, is wrong at capabilities\.0: there is no agent; did you mean agents\?$/,
  ],
  [
    'a dialect with a body of an unknown operation',
    'PROFILE',
    'dialect: { bodies: { createAgnet: {} } }',
    /dialect\.bodies\.createAgnet: it is no operation that there is; did you mean createAgent\?$/,
  ],
  [
    'a dialect with a path of an unknown operation',
    'PROFILE',
    'dialect: { paths: { getQoute: /quote } }',
    /dialect\.paths\.getQoute: it is no operation that there is; did you mean getQuote\?$/,
  ],
  [
    'a dialect with a path that the interface gives',
    'PROFILE',
    'dialect: { paths: { transferOut: /transfers } }',
    /dialect\.paths\.transferOut: it is a path that the interface gives: remove it, /,
  ],
  [
    'a dialect with a path that nobody can fill in',
    'PROFILE',
    'dialect: { paths: { getQuote: "/quotes/{id}" } }',
    /dialect\.paths\.getQuote: it holds \{id\}, which Assay cannot fill in: write it with \{quoteId\}\.$/,
  ],
  [
    'a dialect with a typo',
    'PROFILE',
    'dialect: { optSeal: { info: a } }',
    /has an unknown key dialect: optSeal; did you mean otpSeal\?$/,
  ],
  [
    'a dialect with a typo inside an entry',
    'PROFILE',
    'dialect: { passkey: { rpID: a } }',
    /has an unknown key dialect\.passkey: rpID; did you mean rpId\?$/,
  ],
  [
    'a dialect with another word',
    'PROFILE',
    'dialect: defaults',
    /is wrong at dialect: write the word default where all defaults hold, or the keys that differ \(docs\/dialect\.md\)\.$/,
  ],
  [
    'a dialect with a wrong value',
    'PROFILE',
    'dialect: { oidcNonce: base32 }',
    /is wrong at dialect\.oidcNonce: there is no \S+; it is one of hex, base64url\.$/,
  ],
  [
    'an agent token without its place',
    'PROFILE',
    'dialect: { agentToken: { value: Bearer } }',
    /is wrong at dialect\.agentToken\.value: .* write it like 'Bearer \{token\}'/,
  ],
  [
    'a profile with publicCalls',
    'PROFILE',
    'publicCalls: { createAgent: {} }',
    /has publicCalls, which is now dialect\.bodies: move the bodies there, under the same operations\.$/,
  ],
  [
    'a profile with facts',
    'PROFILE',
    'facts: { oidcAudience: a, passkeyRpId: b }',
    /has facts, which are part of dialect now \(docs\/dialect\.md\): move oidcAudience to dialect\.oidcToken\.audience, passkeyRpId to dialect\.passkey\.rpId\.$/,
  ],
  ['a profile that is no YAML', 'PROFILE', 'a: 1\nb: [', /is not YAML: .* at line 2, column 5\.$/],
  [
    'a profile that is a list',
    'PROFILE',
    '- a',
    /must hold keys and values, such as "baseUrl: https:\/\/…"\.$/,
  ],
  [
    'a profile with several mistakes',
    'PROFILE',
    'name: Acme\n\nbrnad: Acme\ndialect:\n  passkey:\n    rpID: x',
    /, line 3, has an unknown key brnad; did you mean brand\? Line 6 has an unknown key dialect\.passkey: rpID; did you mean rpId\?$/,
  ],
  [
    'a profile for production',
    'PROFILE',
    'environment: production',
    /does not run on environment: production; use a sandbox\.$/,
  ],
  [
    'a profile that wants fixtures and names none',
    'PROFILE',
    'preparation: fixtures',
    /names no fixtures file \(fixtures: or FIXTURES\)\.$/,
  ],
  [
    'known failures with an unknown rule',
    'KNOWN_FAILURES',
    '- { rule: TRANSFER-ACCEPTD, reason: x }',
    /names an unknown rule TRANSFER-ACCEPTD; did you mean TRANSFER-ACCEPTED\?$/,
  ],
  [
    'known failures without a reason',
    'KNOWN_FAILURES',
    '- { rule: TRANSFER-ACCEPTED }',
    /has .* without (rule or|a) reason: give both as text\.$/,
  ],
  [
    'known failures that are no list',
    'KNOWN_FAILURES',
    'TRANSFER-ACCEPTED: x',
    /must be a list of \{rule, reason\}\.$/,
  ],
];

for (const [what, variable, text, sentence] of FILES)
  test(what, () => refuses({ ...FOREIGN, [variable]: fileWith(text) }, sentence));

for (const variable of ['PROFILE', 'KNOWN_FAILURES'])
  test(`${variable} names a file that is not there`, () =>
    refuses(
      { [variable]: 'no/such/file.yaml' },
      new RegExp(`cannot be read.*: check the path in ${variable}`),
    ));

test('PROFILE names a folder', () => {
  const folder = join(scratch('bad-input'), 'folder');
  mkdirSync(folder);
  refuses({ PROFILE: folder }, /cannot be read: check the path in PROFILE\.$/);
});

/** Fixtures files are read only when the profile prepares with them. */
const FIXTURES: readonly (readonly [what: string, text: string | undefined, sentence: RegExp])[] = [
  ['a fixtures file that is not there', undefined, /cannot be read: check the path in FIXTURES\.$/],
  ['a fixtures file that is no YAML', 'states:\n  agent: [', /is not YAML: .* at line 2, column \d+\.$/],
  ['a fixtures file without states', 'agent: {}', /must hold states: /],
  [
    'a fixtures file with a state without values',
    'states: { agent: [{ params: {} }] }',
    /must hold states: /,
  ],
  ['a fixtures file with a state of null', 'states: { agent: [{ values: null }] }', /must hold states: /],
];

for (const [what, text, sentence] of FIXTURES)
  test(what, () =>
    refuses({ ...FOREIGN, FIXTURES: text === undefined ? 'no/such/file.yaml' : fileWith(text) }, sentence),
  );

function fileWith(text: string): string {
  const file = join(scratch('bad-input'), 'file.yaml');
  writeFileSync(file, text);
  return file;
}

test('without a base URL the embedded sandbox is the target', () => {
  const { profile, workers } = settings({});
  expect(profile).toMatchObject({
    embedded: true,
    baseUrl: EMBEDDED.baseUrl,
    clientId: 'a',
    preparation: 'provider-states',
    clock: 'customer',
  });
  expect(workers).toBe(2);
});

test('a base URL loses its trailing slashes and gives the name', () => {
  const { profile } = settings({ ...FOREIGN, BASE_URL: ' http://[::1]:8080/pay/2025-10-13// ' });
  expect(profile).toMatchObject({
    embedded: false,
    name: '[::1]:8080',
    baseUrl: 'http://[::1]:8080/pay/2025-10-13',
    preparation: 'public-calls',
    clock: 'target',
  });
});

test('the environment wins over the profile, and an empty variable counts as unset', () => {
  const PROFILE = fileWith(
    '{ brand: Acme, slow: true, baseUrl: "https://file/2025-10-13", providerStatesUrl: "https://file/states" }',
  );
  const { profile } = settings({
    ...CREDENTIALS,
    PROFILE,
    BASE_URL: 'https://env/2025-10-13',
    ENVIRONMENT: 'sandbox',
    BRAND: '',
    SLOW: '0',
    PROVIDER_STATES_URL: '',
  });
  expect(profile).toMatchObject({
    baseUrl: 'https://env/2025-10-13',
    brand: 'Acme',
    slow: false,
    providerStates: { url: 'https://file/states' },
  });
});

test('capabilities: all, the listed ones, or all but some', () => {
  const all = settings({}).profile.capabilities;
  expect(
    settings({ PROFILE: fileWith('{ baseUrl: embedded, without: [cards] }') }).profile.capabilities,
  ).toEqual(all.filter((name) => name !== 'cards'));
  expect(
    settings({ PROFILE: fileWith('{ baseUrl: embedded, capabilities: [agents, quotes] }') }).profile
      .capabilities,
  ).toEqual(['agents', 'quotes']);
});
