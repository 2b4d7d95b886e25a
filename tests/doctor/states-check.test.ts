import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { HttpClient } from '../../client/http/http-client.ts';
import { checkStates, servedParts, type Tried } from '../../doctor/states-check.ts';
import { startSandbox } from '../../sandbox/start.ts';
import { ProviderStates } from '../../target/providers/provider-states.ts';
import { MEASURED } from '../../target/states/measured.ts';
import { servesOf } from '../../doctor/plan.ts';
import { loadStates } from '../../target/states/catalogue.ts';
import { profileOf } from './profile-of.ts';

async function checked(url: string): Promise<readonly Tried[]> {
  const http = new HttpClient({ timeoutMs: 5_000 });
  try {
    return await checkStates(new ProviderStates(http, url, undefined));
  } finally {
    await http.close();
  }
}

test('the sandbox serves every state rightly, and with it every part that a rule needs', async () => {
  const sandbox = await startSandbox();
  const tried = await checked(sandbox.statesUrl());
  await sandbox.close();
  expect(tried.filter((one) => one.outcome === 'wrong')).toEqual([]);
  const parts = servedParts(tried);
  for (const { name } of loadStates()) expect(parts, name).toContain(name);
  const serves = servesOf(profileOf('http://localhost/2025-10-13', 'provider-states'), parts);
  const needed = Object.values(MEASURED.rules).flatMap((ways) => ways[0] ?? []);
  expect([...new Set(needed)].filter((part) => !serves(part))).toEqual([]);
});

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
const WRONG: readonly (readonly [what: string, serve: (params: Params) => unknown, text: RegExp])[] = [
  [
    'a value is missing',
    (params) => strict(params) && { ...foreign(), externalAccountId: undefined },
    /^its values lack externalAccountId$/,
  ],
  [
    'an id has another form',
    (params) => strict(params) && { ...foreign(), customerId: `Kunde-${uuid()}` },
    /^its value customerId is no id of the form Customer:<uuid>$/,
  ],
  ['an unknown param is ignored', () => foreign(), /^a param that nobody knows is ignored: answer 422/],
  [
    'two setups share their customer',
    (params) => strict(params) && { ...foreign(), customerId: `Customer:${UUID}` },
    /^two setups share customerId: make new records each time$/,
  ],
  [
    'a param is taken and not heeded',
    (params) => strict(params) && { ...foreign(), currency: 'USD' },
    /^currency EUR was asked for, and USD came$/,
  ],
  ['the answer is no object', (params) => strict(params) && [], /must answer with a JSON object of values$/],
];

for (const [what, serve, text] of WRONG)
  test(`it is told that ${what}`, async () => {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const { state, params } = JSON.parse(body) as { state: string; params: Params };
        const values = state === 'foreign-accounts' ? serve(params) : undefined;
        if (!values) return response.writeHead(state === 'foreign-accounts' ? 422 : 404).end('{}');
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(values));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const tried = await checked(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.close();
    const wrong = tried.filter((one) => one.outcome === 'wrong');
    expect(wrong.length).toBeGreaterThan(0);
    for (const one of wrong) expect(one.text).toMatch(text);
    // Everything else is not served, and nobody is blamed for it.
    expect(wrong.every(({ state }) => state === 'foreign-accounts')).toBe(true);
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
