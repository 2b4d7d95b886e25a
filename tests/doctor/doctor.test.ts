import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { HttpClient } from '../../client/http/http-client.ts';
import { doctor } from '../../doctor/doctor.ts';
import { findOperations } from '../../doctor/operations.ts';
import { startSandbox, type Sandbox } from '../../sandbox/start.ts';
import { loadContract } from '../../schemas/contract.ts';
import { UsageError } from '../../target/usage-error.ts';
import { drift, driftLines } from '../../doctor/drift/drift.ts';
import { readYaml } from '../../schemas/read-yaml.ts';
import { runNode, scratch } from '../support/run-assay.ts';
import { listening } from '../support/servers.ts';
import { profileOf } from './profile-of.ts';

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
    expect(text).toMatch(/\+\d+ {2}serve the state sca-customer at a provider-states URL/);
    expect(text).toMatch(
      /It takes about \d+ requests, \d+ customers, \d+ challenges of credentials and \d+ one-time codes;/,
    );
    expect(made).toEqual([]);
    expect(code).toBe(0);
  });

  /** What is found where the operations of quotes refuse, and anything else is answered 404 with this code. */
  async function foundWhereElse(code: string) {
    await using server = await listening(({ url }, response) => {
      const isThere = url?.startsWith('/2025-10-13/quotes');
      const error = isThere ? { status: 400, code: 'INVALID_INPUT' } : { status: 404, code };
      response.writeHead(error.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...error, message: 'x' }));
    });
    const http = new HttpClient({ timeoutMs: 5_000 });
    const { operations } = await loadContract('Service');
    const profile = profileOf(`${server.origin}/2025-10-13`, 'public-calls');
    const found = await findOperations(profile, http, operations.values());
    await http.close();
    return (what: string) => found.filter((one) => one.found === what).map(({ id }) => id);
  }

  test('a code that may speak of the record leaves open whether the route is there', async () => {
    const are = await foundWhereElse('REFERENCE_NOT_FOUND');
    expect(are('unclear')).toEqual(expect.arrayContaining(['revokeCredential', 'listCredentials']));
    expect(are('not there')).toContain('createCredential');
  });

  test('operations that are not there are told from those that refuse', async () => {
    const are = await foundWhereElse('NOT_FOUND');
    expect(are('there')).toEqual(['authorizeQuote', 'createQuote', 'executeQuote', 'getQuote']);
    expect(are('unclear')).toEqual([]);
  });

  test('a guess at the dialect that is refused is told first, with the line that mends it', async () => {
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
  });

  test('states that are wrong end with 1', async () => {
    await using states = await listening((_request, response, body) => {
      const isTerms = (JSON.parse(body) as { state: string }).state === 'terms';
      response.writeHead(isTerms ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
    });
    const { code, text } = await examined({
      ...CREDENTIALS,
      BASE_URL: sandbox.baseUrl(),
      PROVIDER_STATES_URL: states.origin,
    });
    expect(text).toContain('WRONG terms: its values lack version');
    expect(text).toMatch(/To be mended before a run tells the truth: the states\.$/);
    expect(code).toBe(1);
  });

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
  const file = join(scratch('drift'), 'theirs.json');
  writeFileSync(file, JSON.stringify(document));
  return file;
}

test('the contract has not drifted from itself; in YAML a difference has its line', async () => {
  expect(await drift('schemas/openapi.yaml', 'Service')).toEqual([]);
  const renamed = documentWith((document) => (document['info'].title = 'Theirs'));
  expect((await drift(renamed, 'Service')).filter((one) => one.isBreaking)).toEqual([]);
  const file = join(scratch('drift'), 'theirs.yaml');
  const text = readFileSync('schemas/openapi.yaml', 'utf8');
  const at = text.indexOf('maxLength: 80', text.indexOf('TransferOutRequest:\n'));
  writeFileSync(file, `${text.slice(0, at)}maxLength: 40${text.slice(at + 'maxLength: 80'.length)}`);
  const [found] = await drift(file, 'Service');
  expect(found?.line).toBe(text.slice(0, at).split('\n').length);
});

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
  const file = join(scratch('drift'), 'list.yaml');
  writeFileSync(file, '- a\n');
  await expect(drift(file, 'Service')).rejects.toThrow(UsageError);
  await expect(drift('no/such.yaml', 'Service')).rejects.toThrow(/cannot be read/);
});
