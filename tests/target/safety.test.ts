import { expect, test } from '@playwright/test';
import { type Declared, looksLikeProduction, refuseHarm, amountBeyond } from '../../target/safety.ts';
import { UsageError } from '../../target/usage-error.ts';

/** What is said to a target, or undefined where it may be tested. */
function said(declared: Partial<Declared>): string | undefined {
  try {
    refuseHarm({
      baseUrl: 'https://sandbox.acme.example/2025-10-13',
      statesUrl: undefined,
      clientId: 'id',
      environment: 'sandbox',
      denyHosts: [],
      sandboxHost: undefined,
      ...declared,
    });
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).not.toContain('\n');
    return (error as Error).message;
  }
}

const DECLARED = 'https://sandbox.acme.example/2025-10-13';
const UNDECLARED =
  /^Nothing says that .* is a sandbox, .* set ENVIRONMENT=sandbox, or write "environment: sandbox" into the profile\.$/;
const NO_SANDBOX = /does not run on environment: /;

/** What is declared of which address, and the refusal; undefined where a run may begin. */
const DECLARATIONS: readonly (readonly [environment: string | undefined, url: string, refusal?: RegExp])[] = [
  ['sandbox', DECLARED],
  [undefined, 'http://127.0.0.1:4010/default/2025-10-13'],
  [undefined, 'http://127.9.9.9/2025-10-13'],
  [undefined, 'http://localhost:4010/default/2025-10-13'],
  [undefined, 'http://assay.localhost/2025-10-13'],
  [undefined, 'http://[::1]:8080/2025-10-13'],
  [undefined, DECLARED, UNDECLARED],
  [undefined, 'http://10.0.0.7/2025-10-13', UNDECLARED],
  [undefined, 'http://192.168.1.20:8080/2025-10-13', UNDECLARED],
  [undefined, 'http://[fd00::1]/2025-10-13', UNDECLARED],
  [undefined, 'http://127.0.0.1.acme.example/2025-10-13', UNDECLARED],
  [undefined, 'http://localhost.acme.example/2025-10-13', UNDECLARED],
  ['production', 'http://localhost/2025-10-13', NO_SANDBOX],
  ['staging', 'http://localhost/2025-10-13', NO_SANDBOX],
  ['Sandbox', 'http://localhost/2025-10-13', NO_SANDBOX],
];

for (const [environment, baseUrl, refusal] of DECLARATIONS)
  test(`${baseUrl}, declared ${environment}, ${refusal ? 'is refused' : 'is tested'}`, () => {
    const refused = said({ environment, baseUrl });
    if (refusal === undefined) expect(refused).toBeUndefined();
    else expect(refused).toMatch(refusal);
  });

const HOST_OF = (first: string) =>
  `a host that begins with "${first}." and no word for a sandbox in its address`;

/** Addresses and client ids, with the word that makes them look like production's. */
const LOOKS: readonly (readonly [url: string, clientId: string, word: string | undefined])[] = [
  ['http://prod.acme.example/2025-10-13', 'id', '"prod" in its address'],
  ['https://PROD-eu.acme.example/2025-10-13', 'id', '"prod" in its address'],
  ['https://eu-prod2.acme.example/2025-10-13', 'id', '"prod2" in its address'],
  ['https://payments.live/2025-10-13', 'id', '"live" in its address'],
  ['https://gw.acme.example/production/2025-10-13', 'id', '"production" in its address'],
  ['http://localhost:8443/prod/2025-10-13', 'id', '"prod" in its address'],
  ['https://sandbox.prod.acme.example/2025-10-13', 'id', '"prod" in its address'],
  ['https://sandbox.acme.example/2025-10-13', 'live_4711', '"live" in CLIENT_ID'],
  ['https://sandbox.acme.example/2025-10-13', 'sk_live_4711', '"live" in CLIENT_ID'],
  ['https://api.acme.example/2025-10-13', 'id', HOST_OF('api')],
  ['https://www.acme.example/2025-10-13', 'id', HOST_OF('www')],
  ['https://api.acme.example/sandbox/2025-10-13', 'id', undefined],
  ['https://api.sandbox.acme.example/2025-10-13', 'id', undefined],
  ['https://api-test.acme.example/2025-10-13', 'id', undefined],
  ['https://nonprod.acme.example/2025-10-13', 'id', undefined],
  ['https://non-prod.acme.example/2025-10-13', 'id', undefined],
  ['https://pre-production.acme.example/2025-10-13', 'id', undefined],
  ['https://products.acme.example/2025-10-13', 'id', undefined],
  ['https://delivery.acme.example/2025-10-13', 'olive-tree', undefined],
  ['http://api.localhost/2025-10-13', 'id', undefined],
];

for (const [url, clientId, word] of LOOKS)
  test(`${url} for ${clientId} ${word === undefined ? 'looks harmless' : `has ${word}`}`, () => {
    expect(looksLikeProduction(url, clientId)).toBe(word);
    const refused = said({ baseUrl: url, clientId });
    if (word === undefined) expect(refused).toBeUndefined();
    else expect(refused).toContain(`looks like production (${word})`);
    expect(said({ baseUrl: url, clientId, sandboxHost: new URL(url).hostname })).toBeUndefined();
    if (word !== undefined)
      expect(said({ baseUrl: url, clientId, sandboxHost: 'other.example' })).toBe(refused);
  });

test('who is on the deny list is refused, whatever else is said; so are states of production', () => {
  const denied = /^BASE_URL .* is on the deny list \((.*)\): Assay does not touch it/;
  const sandboxHost = 'sandbox.acme.example';
  expect(said({ denyHosts: ['sandbox.acme.example'], sandboxHost })).toMatch(denied);
  expect(said({ denyHosts: ['*.Acme.example'] })).toMatch(denied);
  expect(said({ denyHosts: ['*.sandbox.acme.example'] })).toMatch(denied);
  expect(said({ denyHosts: ['acme.example', '*.x.acme.example', '*.cme.example'] })).toBeUndefined();
  expect(said({ baseUrl: 'http://localhost./2025-10-13', denyHosts: ['localhost'] })).toMatch(denied);
  const deniedStates = said({ statesUrl: 'https://a.example/s', denyHosts: ['a.example'] });
  expect(deniedStates).toMatch(/^PROVIDER_STATES_URL /);
  const live = said({ statesUrl: 'https://prod.acme.example/states' });
  expect(live).toMatch(/^PROVIDER_STATES_URL https:\/\/prod\.acme\.example\/states looks like production/);
});

/** Bodies of requests, with the amount above 100 that each names. */
const BODIES: readonly (readonly [what: string, body: unknown, beyond: number | bigint | undefined])[] = [
  ['the bound itself', { amount: 100 }, undefined],
  ['more than it', { amount: 101 }, 101],
  ['a bigint', { amount: 10n ** 20n }, 10n ** 20n],
  ['an amount that is a text', { amount: '250' }, 250],
  ['a locked amount of a quote', { source: {}, lockedCurrencyAmount: 5_000 }, 5_000],
  ['an amount within a list', { payments: [{ amount: 1 }, { amount: 300 }] }, 300],
  ['an exact text', '{"amount":9007199254740993}', 9007199254740992],
  ['a text that is no JSON', '{"amount":', undefined],
  ['another number', { decimals: 400, amount: null }, undefined],
  ['nothing', undefined, undefined],
];

for (const [what, body, beyond] of BODIES)
  test(what, () => {
    expect(amountBeyond(body, 100)).toBe(beyond);
    expect(amountBeyond(body, undefined)).toBeUndefined();
  });
