import { expect, test } from '@playwright/test';
import { doctor } from '../../doctor/doctor.ts';
import { startSandbox, type Sandbox } from '../../sandbox/start.ts';
import { UsageError } from '../../target/usage-error.ts';
import { drift, driftLines } from '../../doctor/drift/drift.ts';
import { readYaml } from '../../schemas/read-yaml.ts';
import { NIGHTLY, runNode, scratchFile, runAssay } from '../support/run-assay.ts';
import { listening } from '../support/servers.ts';
import { HttpClient } from '../../client/http/http-client.ts';
import { checkStates, type Tried } from '../../doctor/states-check.ts';
import { ProviderStates } from '../../target/providers/provider-states.ts';

const CREDENTIALS = { CLIENT_ID: 'sandbox', CLIENT_SECRET: 'sandbox-secret' };

async function examined(env: Record<string, string>, tries = false): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const speed = { wallMs: 2_000, cpuMs: 2_000 };
  const code = await doctor(env, (line) => lines.push(line), { namesRules: false, speed, tries });
  return { code, text: lines.join('\n') };
}

test.describe(() => {
  let sandbox: Sandbox;
  test.beforeAll(async () => void (sandbox = await startSandbox()));
  test.afterAll(() => sandbox.close());

  test('a target that is well and serves everything: every rule, and no order', async () => {
    const { code, text } = await examined({
      ...CREDENTIALS,
      BASE_URL: sandbox.baseUrl(),
      PROVIDER_STATES_URL: sandbox.statesUrl(),
    });
    expect(text).toMatch(/agent token +taken/);
    expect(text).toMatch(/events +arrives/);
    expect(text).toMatch(/clock +agrees with this machine/);
    const [, verified, applicable] =
      /A run can verify (\d+) of the (\d+) rules that apply\./.exec(text) ?? [];
    expect(Number(verified)).toBeGreaterThan(400);
    expect(verified).toBe(applicable);
    expect(text).not.toContain('What would add more');
    expect(text).not.toContain('sandbox-secret');
    expect(code).toBe(0);
  });

  test('with public calls alone it names what would add the most, and leaves nothing on the target', async () => {
    const made: string[] = [];
    await using target = await listening(({ method = 'GET', url, headers }, response, body) => {
      const { accept, authorization, 'content-type': type } = headers;
      const sent = Object.entries({ accept, authorization, 'content-type': type });
      const known = sent.filter((one): one is [string, string] => one[1] !== undefined);
      void fetch(`${sandbox.origin}${url}`, { method, headers: known, ...(body ? { body } : {}) }).then(
        async (answer) => {
          if (method !== 'GET' && answer.ok) made.push(`${method} ${url}`);
          const date = new Date().toUTCString();
          response.writeHead(answer.status, { 'content-type': 'application/json', date });
          response.end(await answer.text());
        },
      );
    });
    const { code, text } = await examined({
      ...CREDENTIALS,
      BASE_URL: `${target.origin}/default/2025-10-13`,
    });
    expect(text).toMatch(/\+\d+ {2}serve the state stablecoin at a provider-states URL/);
    expect(text).toMatch(
      /It takes about \d+ requests, \d+ customers, \d+ challenges of credentials and \d+ one-time codes;/,
    );
    expect(made).toEqual([]);
    expect(code).toBe(0);
  });

  test(
    'a guess at the dialect that is refused is told first, with the line that mends it',
    NIGHTLY,
    async () => {
      test.setTimeout(120_000);
      const world = `${sandbox.origin}/dialect.all`;
      const { code, text } = await examined(
        {
          ...CREDENTIALS,
          BASE_URL: `${world}/2025-10-13`,
          PROVIDER_STATES_URL: `${world}/provider-states`,
          WORKERS: '1',
        },
        true,
      );
      expect(text).toMatch(
        /dialect +Assay guessed these, .*\n +dialect:\n +otpSeal: \{ info: turnkey_hpke,[^]*value: "Bearer \{token\}"/,
      );
      expect(text.indexOf('otpSeal')).toBeLessThan(text.indexOf('operations'));
      expect(text).toContain('To be mended before a run tells the truth: the dialect');
      expect(code).toBe(1);
    },
  );

  test('where no run could begin, one sentence says so', async () => {
    await expect(examined({})).rejects.toThrow(UsageError);
    await expect(
      examined({ ...CREDENTIALS, BASE_URL: 'https://prod.acme.example/2025-10-13' }),
    ).rejects.toThrow(/looks like production/);
    const { code, output } = await runNode(['--import', 'tsx', 'doctor/main.ts', '--ruels']);
    expect(output).toMatch(/--ruels.*; --help lists what there is\.\n$/);
    expect(code).toBe(2);
  });
});

type Json = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any

/** The contract, changed as somebody's document may differ. */
function documentWith(change: (document: Json) => void): string {
  const document = structuredClone(readYaml('openapi.yaml')) as Json;
  change(document);
  return scratchFile('theirs.json', JSON.stringify(document));
}

test('a shorter text and a path that is gone are named with their operations and rules', async () => {
  const file = documentWith(({ components, paths }) => {
    components.schemas.TransferOutRequest.properties.remittanceInformation.maxLength = 40;
    delete paths['/quotes/{quoteId}/authorize'];
  });
  const differences = await drift(file, 'Service');
  const length = differences.find(({ field }) => field.includes('remittanceInformation'))!;
  expect(length).toMatchObject({ operation: 'transferOut', isBreaking: true });
  expect(length.message).toMatch(/ is '80' in the contract and '40' in their document\.$/);
  expect(length.rules).toContain('TRANSFER-REMITTANCE-MAX');
  const gone = differences.find(({ operation }) => operation.includes('/quotes/{quoteId}/authorize'))!;
  expect(gone.isBreaking).toBe(true);
  expect(gone.message).toMatch(/ is missing in their document\.$/);
  expect(gone.rules).toContain('SCA-AUTHORIZE-ACCEPTED');
  expect(driftLines(differences)).toMatch(/^A client of the contract would notice:\n {2}transferOut\n/);
});

test('what is no OpenAPI document ends with one sentence', async () => {
  const file = scratchFile('list.yaml', '- a\n');
  await expect(drift(file, 'Service')).rejects.toThrow(UsageError);
  await expect(drift('no/such.yaml', 'Service')).rejects.toThrow(/cannot be read/);
});

/** Some that hang on the state `sca-customer`, some that public calls are enough for. */
const SPECS = ['specs/sca', 'specs/agents/approval.spec.ts', 'specs/agents/decisions.spec.ts'];
/** Rules that these specs name, and others show. */
const ELSEWHERE = ['SCA-AUTHORIZE-NOT-APPLICABLE'];

test(
  'the doctor promises what the run brings: by public calls, and with one state more',
  NIGHTLY,
  async () => {
    test.setTimeout(180_000);
    const sandbox = await startSandbox();
    const base = { BASE_URL: sandbox.baseUrl(), CLIENT_ID: 'sandbox', CLIENT_SECRET: 'sandbox-secret' };
    const asked: string[] = [];
    // Serves this state as the sandbox does, and no other.
    await using states = await listening((_request, response, body) => {
      const { state = '' } = JSON.parse(body || '{}') as { state?: string };
      asked.push(state);
      if (state !== 'sca-customer') return void response.writeHead(404).end();
      void fetch(sandbox.statesUrl(), { method: 'POST', body }).then(async (answer) =>
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text()),
      );
    });
    const outcomes = async (env: Record<string, string>) => {
      const lines: string[] = [];
      const speed = { wallMs: 2_000, cpuMs: 2_000 };
      await doctor(env, (line) => lines.push(line), { namesRules: true, speed, tries: false });
      const promised = /A run can verify .*\n +(.*)/.exec(lines.join('\n'))?.[1]?.split(', ') ?? [];
      const { report } = await runAssay(env, SPECS);
      const rules = report!.rules.filter((rule) => rule.inScope !== false && rule.excluded === undefined);
      return {
        promised: rules.map(({ id }) => id).filter((id) => promised.includes(id)),
        verified: rules.filter(({ verdict }) => verdict === 'verified').map(({ id }) => id),
        mends: new Set(rules.map(({ mend }) => mend)),
      };
    };
    const alone = await outcomes(base);
    const more = await outcomes({ ...base, PROVIDER_STATES_URL: states.origin });
    await sandbox.close();
    for (const { promised, verified } of [alone, more]) {
      expect(promised).toEqual(expect.arrayContaining(verified));
      expect(promised.filter((id) => !verified.includes(id) && !ELSEWHERE.includes(id))).toEqual([]);
    }
    // By the doctor and the preflights.
    expect(asked.filter((state) => state === 'agent').length).toBeLessThan(20);
    expect(alone.verified.length).toBeGreaterThan(5);
    expect(more.verified).toEqual(expect.arrayContaining(alone.verified));
    expect(more.verified.length).toBeGreaterThan(alone.verified.length + 10);
    expect(alone.mends).toContain('serve the state `sca-customer`');
    expect([...more.mends]).not.toContain('prepare what the reason names');
  },
);

async function checked(url: string): Promise<readonly Tried[]> {
  const http = new HttpClient({ timeoutMs: 5_000 });
  try {
    return await checkStates(new ProviderStates(http, url, undefined));
  } finally {
    await http.close();
  }
}

const UUID = '01234567-89ab-4def-8123-456789abcdef';
let counter = 0;
const uuid = () => UUID.slice(0, -4) + String((counter += 1)).padStart(4, '0');
const foreign = () => ({
  customerId: `Customer:${uuid()}`,
  internalAccountId: `InternalAccount:${uuid()}`,
  externalAccountId: `ExternalAccount:${uuid()}`,
});
type Params = Readonly<Record<string, unknown>>;
const strict = (params: Params) => Object.keys(params).every((name) => name === 'currency');

/** Ways to serve `foreign-accounts` wrongly, with what is said of them. */
const WRONG: readonly (readonly [values: (params: Params) => unknown, text: RegExp])[] = [
  [() => ({ ...foreign(), externalAccountId: undefined }), /^its values lack externalAccountId$/],
  [
    () => ({ ...foreign(), customerId: uuid() }),
    /^its value customerId is no id of the form Customer:<uuid>$/,
  ],
  [
    () => ({ ...foreign(), customerId: `Customer:${UUID}` }),
    /^two setups share customerId: make new records /,
  ],
  [() => ({ ...foreign(), currency: 'USD' }), /^currency EUR was asked for, and USD came$/],
  [() => [], /must answer with a JSON object of values$/],
];
const LAX = [foreign, /^a param that nobody knows is ignored: answer 422/] as const;

for (const [values, text] of [...WRONG, LAX])
  test(`it is told: ${text.source}`, async () => {
    await using server = await listening((_request, response, body) => {
      const { state, params } = JSON.parse(body) as { state: string; params: Params };
      if (state !== 'foreign-accounts') return response.writeHead(404).end('{}');
      if (values !== foreign && !strict(params)) return response.writeHead(422).end('{}');
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(values(params)));
    });
    const wrong = (await checked(server.origin)).filter((one) => one.outcome === 'wrong');
    expect(wrong.length).toBeGreaterThan(0);
    // Everything else is not served, and nobody is blamed for it.
    for (const one of wrong)
      expect(one).toMatchObject({ state: 'foreign-accounts', text: expect.stringMatching(text) });
  });

test('whatever was set up is taken down again', async () => {
  const sandbox = await startSandbox();
  const http = new HttpClient({ timeoutMs: 5_000 });
  const provider = new ProviderStates(http, sandbox.statesUrl(), undefined);
  const [setUp, tearDown] = [provider.setUp.bind(provider), provider.tearDown.bind(provider)];
  const there = new Set<unknown>();
  provider.setUp = async (state, params) => {
    const values = await setUp(state, params);
    there.add(values);
    return values;
  };
  provider.tearDown = async (state, values) => {
    await tearDown(state, values);
    there.delete(values);
  };
  await checkStates(provider);
  await http.close();
  await sandbox.close();
  expect([...there]).toEqual([]);
});
