/** What is wrong when a run or a command begins: one sentence with the fix, exit code 2, and nobody accused. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { generate } from 'selfsigned';
import { faults } from '../../sandbox/faults/index.ts';
import { whyNotNode } from '../../target/refuse-old-node.ts';
import { evaluate } from '../support/evaluate.ts';
import { forwardProxy, answerOf, bytesServer } from '../support/servers.ts';
import { reportIn, root, runAssay, runNode, scratch, scratchFile } from '../support/run-assay.ts';
import { CLIENT, rightService, service } from '../target/preflight-services.ts';

type Env = Readonly<Record<string, string>>;

/** One small file is enough: nothing of it may run. */
const SPEC = 'specs/agents/acceptance.spec.ts';
const CREDENTIALS = { CLIENT_ID: 'some-id', CLIENT_SECRET: 'some-secret' };
const BASE_URL = 'http://127.0.0.1:9/2025-10-13';
const posing = (version: string) =>
  `--import=data:text/javascript,${encodeURIComponent(`Object.defineProperty(process.versions,'node',{value:'${version}'})`)}`;

/** A file with this text. */
const fileWith = (text: string) => scratchFile('file.yaml', text);

/** @param alone in a process of its own, as a user runs it; else in one that only reads the configuration and sets up */
async function refuses(env: Env, sentence: RegExp, alone?: 'alone'): Promise<void> {
  const { code, output, report } = await (alone ? runAssay(env, [SPEC]) : beginRun(env));
  const lines = output
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^npm warn|^\(node:|^\(Use `node/.test(line));
  expect(lines.join('\n')).toMatch(sentence);
  expect(lines, 'one sentence').toHaveLength(1);
  expect(output).not.toMatch(/^\s+at .+:\d+/m);
  expect(code).toBe(2);
  expect(report?.rules.filter(({ verdict }) => /^(?:violated|verified)$/.test(verdict)) ?? []).toEqual([]);
  if (report) expect(report.verdict).toBe('not judged');
}

async function beginRun(env: Env) {
  const folder = scratch('report');
  const script = 'tests/bad-input/as-playwright.ts';
  const { code, output } = await evaluate({
    ...{ script, args: ['test', SPEC], env: { REPORT_DIR: folder, WORKERS: '1', ...env } },
  });
  return { code, output, report: reportIn(folder) };
}

/** One from each place that refuses; tests/target has every mistake that can be made in settings and addresses. */
const SETTINGS: Readonly<Record<string, readonly [() => Env, RegExp, alone?: 'alone']>> = {
  'BASE_URL is no address': [
    () => ({ ...CREDENTIALS, BASE_URL: 'sandbox' }),
    /^BASE_URL is not a URL: write it like https:\/\/host\/path\/2025-10-13\.$/,
    'alone',
  ],
  'nothing listens at BASE_URL': [
    () => ({ ...CREDENTIALS, BASE_URL }),
    /^BASE_URL \S+ cannot be tested: nothing listens there \(connection refused\)\. Check the address, and that the service runs\.$/,
    'alone',
  ],
  'a profile that is not there': [
    () => ({ PROFILE: 'no/such.yaml' }),
    /^The profile no\/such\.yaml cannot be read: check the path in PROFILE\.$/,
  ],
  'a profile with a typo': [
    () => ({ BASE_URL, ...CREDENTIALS, PROFILE: fileWith('capabilites: [agents]') }),
    /has an unknown key capabilites; did you mean capabilities\?$/,
  ],
  'known failures with an unknown rule': [
    () => ({ KNOWN_FAILURES: fileWith('- { rule: TRANSFER-ACCEPTD, reason: x }') }),
    /did you mean TRANSFER-ACCEPTED\?$/,
  ],
  'a REPORT_DIR that is a file': [
    () => ({ REPORT_DIR: fileWith('') }),
    /^REPORT_DIR .*file\.yaml cannot be used: it is a file\. Choose a folder that can be written\.$/,
  ],
  'a REPORT_DIR that is somebody else’s': [
    () => ({ REPORT_DIR: join(fileWith('mine'), '..') }),
    /^REPORT_DIR .* holds files that Assay did not make \(file\.yaml\)/,
  ],
  'a proxy that is no URL': [
    () => ({ ...CREDENTIALS, ENVIRONMENT: 'sandbox', BASE_URL: 'http://service.test/x', HTTP_PROXY: 'me' }),
    /^HTTP_PROXY is not the URL of a proxy: write it like http:/,
  ],
  'a Node that is too old': [
    () => ({ NODE_OPTIONS: posing('20.10.0') }),
    /^Node 20\.10\.0 is not supported: install Node \^/,
    'alone',
  ],
};

for (const [what, [env, sentence, alone]] of Object.entries(SETTINGS))
  test(what, () => refuses(env(), sentence, alone));

test('the certificate at BASE_URL is not trusted', async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
  const server = createServer({ key, cert }, (_, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  await refuses(
    { ...CREDENTIALS, BASE_URL: `https://localhost:${port}/2025-10-13` },
    /cannot be tested: its TLS certificate is self-signed; .* NODE_EXTRA_CA_CERTS=path\.pem .*issuer\.$/,
  );
  await new Promise((resolve) => server.close(resolve));
});

/** What answers there, and is not the service. */
for (const [what, bytes, sentence, scheme] of [
  ['a port that speaks plain HTTP, by https', answerOf('{}'), /cannot be tested: .*TLS/, 'https'],
  ['something that is no HTTP', '220 mail ESMTP\r\n', /cannot be tested: it does not speak HTTP on /, 'http'],
] as const)
  test(`BASE_URL leads to ${what}`, async () => {
    await using server = await bytesServer((socket) => socket.end(bytes));
    await refuses({ ...CREDENTIALS, BASE_URL: `${server.url.replace('http', scheme)}/2025-10-13` }, sentence);
  });

test('the proxy wants another password, and the service is not blamed', async () => {
  await using proxy = await forwardProxy({ login: 'me:right' });
  await refuses(
    {
      ...{ ...CREDENTIALS, ENVIRONMENT: 'sandbox', BASE_URL: 'https://service.test/2025-10-13' },
      HTTPS_PROXY: `http://me:wrong@${proxy.host}`,
    },
    /^The proxy 127\.0\.0\.1:\d+ \(HTTPS_PROXY\) answers 407: it wants a name and a password that it knows, so set HTTPS_PROXY=http:\/\/name:password@127\.0\.0\.1:\d+\.$/,
  );
});

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

const expectSentence = ({ code, output }: { code: number | null; output: string }, sentence: RegExp) => {
  expect(output.trim()).toMatch(sentence);
  expect(output.trim().split('\n')).toHaveLength(1);
  expect(code).toBe(2);
};

const { name } = faults[0]!;
const SANDBOX = 'sandbox/main.ts';
const MATRIX = 'proof/matrix/main.ts';

for (const [script, args, sentence] of [
  [SANDBOX, ['--prot', '4010'], /^Unknown option '--prot'.*Run with --help to see the options\.$/],
  [SANDBOX, ['--port', '70000'], /^--port must be a whole number from 0 to 65535, not "70000"\.$/],
  [SANDBOX, ['--latency', '-1'], /latency/],
  [SANDBOX, ['--world', 'nonsense'], /^There is no world "nonsense": worlds are default, .*\.$/],
  [MATRIX, [`${name}x`], new RegExp(`^No fault is called ${name}x, .*; did you mean ${name}\\?$`)],
  [MATRIX, ['--shard', '5/4'], /^--shard must be like 2\/4, the second of four, not "5\/4"\.$/],
  [MATRIX, ['--sound'], /^--sound takes about a minute a fault: name some faults, or draw some/],
  ['proof/mutants/main.ts', ['--sample', '0'], /^--sample must be a whole number from 1 on, not "0"\.$/],
] as const)
  test(`${script} refuses ${args.join(' ')}`, async () =>
    expectSentence(await evaluate({ script, args }), sentence));

test('a port that is in use', async () => {
  const server = createSocketServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const refused = await evaluate({ script: SANDBOX, args: ['--port', String(port)] });
  expectSentence(refused, new RegExp(`^Port ${port} is in use; choose another one with --port\\.$`));
  await new Promise((resolve) => server.close(resolve));
});

// Every command refuses an old Node before anything else.
for (const [version, isSupported] of [
  ...['20.19.0', '22.12.0', '24.0.0', '26.1.0'].map((each) => [each, true] as const),
  ...['18.20.8', '20.18.9', '21.7.3', '22.11.99'].map((each) => [each, false] as const),
])
  test(`Node ${version} is ${isSupported ? '' : 'not '}supported`, () =>
    expect(whyNotNode(version, '^20.19.0 || >=22.12.0')).toBe(
      isSupported ? undefined : `Node ${version} is not supported: install Node ^20.19.0 or >=22.12.0.`,
    ));

test('every script of package.json that is run by Node gets to that sentence', async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const line of Object.values(scripts))
    expect(line).toMatch(/^(node start\.js|playwright|sh|tsc|eslint|prettier) /);
  const { code, output } = await runNode(['start.js', SANDBOX], { NODE_OPTIONS: posing('18.20.8') });
  expect(output).toMatch(/^Node 18\.20\.8 is not supported: install Node /m);
  expect(output).not.toMatch(/^\s+at .+:\d+/m);
  expect(code).toBe(2);
});
