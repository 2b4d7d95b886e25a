import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
import { profileOf } from './profile-of.ts';

test.describe(() => {
  const CREDENTIALS = { CLIENT_ID: 'sandbox', CLIENT_SECRET: 'sandbox-secret' };
  let sandbox: Sandbox;
  test.beforeAll(async () => void (sandbox = await startSandbox()));
  test.afterAll(() => sandbox.close());

  async function examined(env: Record<string, string>): Promise<{ code: number; text: string }> {
    const lines: string[] = [];
    const code = await doctor(env, (line) => lines.push(line), {
      namesRules: false,
      yard: { wallMs: 2_000, cpuMs: 2_000 },
    });
    return { code, text: lines.join('\n') };
  }

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
    const proxy = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const headers = new Headers(
          ['accept', 'authorization', 'content-type'].flatMap((name): [string, string][] => {
            const value = request.headers[name];
            return typeof value === 'string' ? [[name, value]] : [];
          }),
        );
        const { method = 'GET' } = request;
        void fetch(`${sandbox.origin}${request.url}`, { method, headers, ...(body ? { body } : {}) }).then(
          async (answer) => {
            if (method !== 'GET' && answer.ok) made.push(`${method} ${request.url}`);
            response.writeHead(answer.status, {
              'content-type': 'application/json',
              date: new Date().toUTCString(),
            });
            response.end(await answer.text());
          },
        );
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const { code, text } = await examined({
      ...CREDENTIALS,
      BASE_URL: `http://127.0.0.1:${port}/default/2025-10-13`,
    });
    proxy.closeAllConnections();
    proxy.close();
    expect(text).toMatch(/\+\d+ {2}serve the state sca-customer at a provider-states URL/);
    expect(text).toMatch(
      /It takes about \d+ requests, \d+ customers, \d+ challenges of credentials and \d+ one-time codes;/,
    );
    expect(made).toEqual([]);
    expect(code).toBe(0);
  });

  /** What is found where the operations of quotes refuse, and anything else is answered 404 with this code. */
  async function foundWhereElse(code: string) {
    const words = JSON.stringify({ status: 404, code, message: 'no such thing' });
    const server = createServer((request, response) => {
      const isThere = request.url?.startsWith('/2025-10-13/quotes');
      response.writeHead(isThere ? 400 : 404, { 'content-type': 'application/json' });
      response.end(isThere ? JSON.stringify({ status: 400, code: 'INVALID_INPUT', message: 'x' }) : words);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const http = new HttpClient({ timeoutMs: 5_000 });
    const { operations } = await loadContract('Service');
    const profile = profileOf(`http://127.0.0.1:${port}/2025-10-13`, 'public-calls');
    const found = await findOperations(profile, http, operations.values());
    await http.close();
    server.close();
    return found;
  }

  test('a code that may speak of the record leaves open whether the route is there', async () => {
    const found = await foundWhereElse('REFERENCE_NOT_FOUND');
    const saidOf = (operation: string) => found.find(({ id }) => id === operation)?.found;
    expect(saidOf('revokeCredential')).toBe('unclear');
    expect(saidOf('listCredentials')).toBe('unclear');
    expect(saidOf('createCredential')).toBe('not there');
  });

  test('operations that are not there are told from those that refuse', async () => {
    const found = await foundWhereElse('NOT_FOUND');
    const there = found.filter((one) => one.found === 'there').map(({ id }) => id);
    expect(there).toEqual(['authorizeQuote', 'createQuote', 'executeQuote', 'getQuote']);
    expect(found.filter((one) => one.found === 'not there')).toHaveLength(found.length - there.length);
  });

  test('states that are wrong end with 1', async () => {
    const states = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const isTerms = (JSON.parse(body) as { state: string }).state === 'terms';
        response.writeHead(isTerms ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => states.listen(0, '127.0.0.1', resolve));
    const { code, text } = await examined({
      ...CREDENTIALS,
      BASE_URL: sandbox.baseUrl(),
      PROVIDER_STATES_URL: `http://127.0.0.1:${(states.address() as AddressInfo).port}`,
    });
    states.close();
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

test('the contract itself has not drifted', async () => {
  const differences = await drift(
    documentWith((document) => (document['info'].title = 'Theirs')),
    'Service',
  );
  expect(differences.filter((one) => one.isBreaking)).toEqual([]);
});

test('a document in YAML is compared as it is meant, and a difference has its line', async () => {
  expect(await drift('schemas/openapi.yaml', 'Service')).toEqual([]);
  const file = join(scratch('drift'), 'theirs.yaml');
  const text = readFileSync('schemas/openapi.yaml', 'utf8');
  const request = text.indexOf('TransferOutRequest:\n');
  const at = text.indexOf('maxLength: 80', request);
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
