import { expect, test } from '@playwright/test';
import { HttpClient } from '../../client/http/http-client.ts';
import { checkStates, servedParts, type Tried } from '../../doctor/states-check.ts';
import { startSandbox } from '../../sandbox/start.ts';
import { ProviderStates } from '../../target/providers/provider-states.ts';
import { MEASURED } from '../../target/states/measured.ts';
import { servesOf } from '../../doctor/plan.ts';
import { loadStates } from '../../target/states/catalogue.ts';
import { listening } from '../support/servers.ts';
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
