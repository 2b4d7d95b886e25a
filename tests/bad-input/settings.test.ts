import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { answerOf, bytesServer } from '../support/servers.ts';
import { runAssay, scratch } from '../support/run-assay.ts';
import { CLIENT, rightService, service } from '../target/preflight-services.ts';
import { CREDENTIALS, refuses } from './refuses.ts';

const BASE_URL = 'http://127.0.0.1:9/2025-10-13';
const OF_TARGET = { CLIENT_ID: CLIENT.clientId, CLIENT_SECRET: CLIENT.clientSecret };
const TERMS = { status: 200, body: { version: '1' } };

test('no client secret', () =>
  refuses(
    { BASE_URL, CLIENT_ID: 'some-id' },
    "CLIENT_SECRET is not set: BASE_URL needs the platform's client id and client secret.",
  ));

test('credentials that the target refuses', async () => {
  const body = '{"status":401,"code":"UNAUTHORIZED","message":"no"}';
  await using server = await bytesServer((socket) =>
    socket.end(answerOf(body, 'HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json')),
  );
  await refuses(
    { ...CREDENTIALS, BASE_URL: `${server.url}/2025-10-13` },
    `BASE_URL ${server.url}/2025-10-13 refuses CLIENT_ID and CLIENT_SECRET (401): check that they belong to this address and may use it.`,
    'alone',
  );
});

test('a project that there is not, told by Playwright itself', async () => {
  const { code, output } = await runAssay({}, ['--project=nope']);
  expect(output).toContain('Project(s) "nope" not found');
  expect(code).toBe(2);
});

test('a number that is none', () =>
  refuses({ WORKERS: 'many' }, 'WORKERS must be a whole number, 1 or more, not "many".'));

for (const name of ['CLIENT_ID', 'CLIENT_SECRET', 'PROVIDER_STATES_URL', 'PROVIDER_STATES_TOKEN', 'FIXTURES'])
  test(`${name} without BASE_URL`, () =>
    refuses(
      { [name]: 'http://127.0.0.1:9/x' },
      `${name} is set, but BASE_URL is not: set BASE_URL to the service's address, or unset it to test the embedded sandbox.`,
    ));

test('a profile that names no target', () =>
  refuses({ PROFILE: fileWith('name: Acme') }, /names no baseUrl: add one, set BASE_URL, or write/));

test('nobody answers at PROVIDER_STATES_URL', async () => {
  await using target = await service(rightService({ 'GET /customers/end-user-terms': TERMS }));
  await refuses(
    {
      ...OF_TARGET,
      BASE_URL: `${target.origin}/2025-10-13`,
      PROVIDER_STATES_URL: 'http://127.0.0.1:9/states',
    },
    'PROVIDER_STATES_URL http://127.0.0.1:9/states cannot be used: nothing listens there (connection refused); check the address, and that the endpoint runs.',
  );
});

test('PROVIDER_STATES_URL refuses the token', async () => {
  await using target = await service((call) =>
    call.path === '/states'
      ? { status: 401 }
      : rightService({ 'GET /customers/end-user-terms': TERMS })(call),
  );
  await refuses(
    {
      ...OF_TARGET,
      BASE_URL: `${target.origin}/2025-10-13`,
      PROVIDER_STATES_URL: `${target.origin}/states`,
      PROVIDER_STATES_TOKEN: 'some-token',
    },
    /cannot be used: it answers 401, check PROVIDER_STATES_TOKEN\.$/,
  );
});

test('PROVIDER_STATES_URL is no address', () =>
  refuses(
    { ...CREDENTIALS, BASE_URL, PROVIDER_STATES_URL: 'x' },
    'PROVIDER_STATES_URL is not a URL: write it like https://host/path/provider-states.',
  ));

test('REPORT_DIR is a file', () => {
  const file = fileWith('');
  return refuses(
    { REPORT_DIR: file },
    `REPORT_DIR ${file} cannot be used: it is a file. Choose a folder that can be written.`,
    'alone',
  );
});

test('REPORT_DIR lies where no folder can be made', () => {
  test.skip(!existsSync('/proc/self'), 'there is no /proc here');
  return refuses(
    { REPORT_DIR: '/proc/assay/reports' },
    /^REPORT_DIR \/proc\/assay\/reports cannot be used: /,
  );
});

test('a Node that is too old', () => {
  const old = `Object.defineProperty(process.versions,'node',{value:'20.10.0'})`;
  return refuses(
    { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(old)}` },
    /^Node 20\.10\.0 is not supported: install Node \^/,
    'alone',
  );
});

/** One file of each kind; tests/target/read-settings.test.ts has every mistake that can be made in them. */
const FILES: readonly (readonly [what: string, variable: string, text: string, sentence: RegExp])[] = [
  [
    'a profile with a typo',
    'PROFILE',
    'capabilites: [agents]',
    /has an unknown key capabilites; did you mean capabilities\?$/,
  ],
  [
    'a profile with an unknown capability',
    'PROFILE',
    'capabilities: [agent]',
    /there is no agent; did you mean agents\?$/,
  ],
  [
    'known failures with an unknown rule',
    'KNOWN_FAILURES',
    '- { rule: TRANSFER-ACCEPTD, reason: x }',
    /did you mean TRANSFER-ACCEPTED\?$/,
  ],
  ['a profile that is no YAML', 'PROFILE', 'name: x\nbrand: [', /is not YAML: .* at line 2, column \d+\.$/],
  [
    'fixtures that are no YAML',
    'FIXTURES',
    'states: {}\nmore: [',
    /is not YAML: .* at line 2, column \d+\.$/,
  ],
  ['a fixtures file without states', 'FIXTURES', 'agent: {}', /must hold states: /],
];

for (const [what, variable, text, sentence] of FILES)
  test(what, () => refuses({ BASE_URL, ...CREDENTIALS, [variable]: fileWith(text) }, sentence));

test('a profile that is not there', () =>
  refuses(
    { PROFILE: 'no/such.yaml' },
    'The profile no/such.yaml cannot be read: check the path in PROFILE.',
    'alone',
  ));

function fileWith(text: string): string {
  const file = join(scratch('bad-input'), 'file.yaml');
  writeFileSync(file, text);
  return file;
}
