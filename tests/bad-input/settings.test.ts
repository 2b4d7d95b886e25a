import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runAssay, scratch } from '../support/run-assay.ts';
import { CLIENT, rightService, service } from '../target/preflight-services.ts';
import { CREDENTIALS, refuses } from './refuses.ts';

const BASE_URL = 'http://127.0.0.1:9/2025-10-13';
const old = `Object.defineProperty(process.versions,'node',{value:'20.10.0'})`;

/** A file with this text. */
function fileWith(text: string): string {
  const file = join(scratch('bad-input'), 'file.yaml');
  writeFileSync(file, text);
  return file;
}

type Env = Readonly<Record<string, string>>;

/** One from each place that refuses; tests/target/read-settings.test.ts has every mistake that can be made. */
const SETTINGS: Readonly<Record<string, readonly [Env, RegExp, alone?: 'alone']>> = {
  'no client secret': [
    { BASE_URL, CLIENT_ID: 'some-id' },
    /^CLIENT_SECRET is not set: BASE_URL needs the platform's client id and client secret\.$/,
  ],
  'a profile that is not there': [
    { PROFILE: 'no/such.yaml' },
    /^The profile no\/such\.yaml cannot be read: check the path in PROFILE\.$/,
  ],
  'a profile with a typo': [
    { BASE_URL, ...CREDENTIALS, PROFILE: fileWith('capabilites: [agents]') },
    /has an unknown key capabilites; did you mean capabilities\?$/,
  ],
  'known failures with an unknown rule': [
    { KNOWN_FAILURES: fileWith('- { rule: TRANSFER-ACCEPTD, reason: x }') },
    /did you mean TRANSFER-ACCEPTED\?$/,
  ],
  'a REPORT_DIR that is a file': [
    { REPORT_DIR: fileWith('') },
    /^REPORT_DIR .*file\.yaml cannot be used: it is a file\. Choose a folder that can be written\.$/,
  ],
  'a Node that is too old': [
    { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(old)}` },
    /^Node 20\.10\.0 is not supported: install Node \^/,
    'alone',
  ],
};

for (const [what, [env, sentence, alone]] of Object.entries(SETTINGS))
  test(what, () => refuses(env, sentence, alone));

for (const [what, port, sentence] of [
  [
    'nobody answers at PROVIDER_STATES_URL',
    9,
    /^PROVIDER_STATES_URL .* cannot be used: nothing listens there \(connection refused\); check the address, and that the endpoint runs\.$/,
  ],
  [
    'PROVIDER_STATES_URL refuses the token',
    undefined,
    /cannot be used: it answers 401, check PROVIDER_STATES_TOKEN\.$/,
  ],
] as const)
  test(what, async () => {
    const right = rightService({ 'GET /customers/end-user-terms': { status: 200, body: { version: '1' } } });
    await using target = await service((call) => (call.path === '/states' ? { status: 401 } : right(call)));
    await refuses(
      {
        ...{ CLIENT_ID: CLIENT.clientId, CLIENT_SECRET: CLIENT.clientSecret },
        BASE_URL: `${target.origin}/2025-10-13`,
        PROVIDER_STATES_URL: `${port === undefined ? target.origin : `http://127.0.0.1:${port}`}/states`,
        PROVIDER_STATES_TOKEN: 'some-token',
      },
      sentence,
    );
  });

test('a project that there is not, told by Playwright itself', async () => {
  const { code, output } = await runAssay({}, ['--project=nope']);
  expect(output).toContain('Project(s) "nope" not found');
  expect(code).toBe(2);
});
