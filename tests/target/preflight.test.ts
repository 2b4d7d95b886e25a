import { expect, test } from '@playwright/test';
import { HttpClient } from '../../client/http/http-client.ts';
import { loadProfile } from '../../target/read-settings.ts';
import { preflight, type Ready } from '../../target/preflight.ts';
import { UsageError } from '../../target/usage-error.ts';
import { CLIENT, error, rightService, service, type Call, type Reply } from './preflight-services.ts';

const EMBEDDED = { baseUrl: '', statesUrl: '', clientId: '', clientSecret: '' };

async function check(
  baseUrl: string,
  env: Readonly<Record<string, string>> = {},
  requestTimeoutMs = 5_000,
): Promise<Ready> {
  const credentials = { CLIENT_ID: CLIENT.clientId, CLIENT_SECRET: CLIENT.clientSecret };
  const profile = loadProfile({ ...credentials, BASE_URL: baseUrl, ...env }, EMBEDDED);
  const http = new HttpClient({ timeoutMs: requestTimeoutMs });
  try {
    return await preflight({ ...profile, requestTimeoutMs }, http);
  } finally {
    await http.close();
  }
}

/** The one sentence of a target that cannot be judged. */
async function refuses(
  baseUrl: string,
  sentence: string | RegExp,
  env: Readonly<Record<string, string>> = {},
  requestTimeoutMs?: number,
): Promise<void> {
  const thrown: unknown = await check(baseUrl, env, requestTimeoutMs).catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(UsageError);
  const { message } = thrown as UsageError;
  expect(message).not.toMatch(/\p{Cc}/u);
  expect(message).not.toContain(CLIENT.clientSecret);
  if (typeof sentence === 'string') expect(message).toBe(sentence);
  else expect(message).toMatch(sentence);
}

const TERMS = { status: 200, body: { url: 'https://terms.example', version: '1' } };
const EMPTY = { status: 200, body: { data: [] } };

/** Services that keep the interface, each with as much of it as it likes; and the request that shows it. */
const RIGHT: readonly (readonly [what: string, route: string, reply: Reply, request: RegExp])[] = [
  ['lists are empty', 'GET /auth/credentials', EMPTY, /^GET \/auth\/credentials\?accountId=/],
  ['a list is a bare array', 'GET /agents/approvals', { status: 200, body: [] }, /^GET .*approvals$/],
  ['terms only', 'GET /customers/end-user-terms', TERMS, /^GET .*end-user-terms$/],
  [
    'an account is unknown',
    'GET /auth/credentials',
    error(404, 'REFERENCE_NOT_FOUND'),
    /^GET \/auth\/creden/,
  ],
  ['only agents are offered', 'POST /agents/Agent:', error(404, 'REFERENCE_NOT_FOUND'), /^POST .*approve$/],
  ['one operation, and not for it', 'GET /auth/credentials', error(403, 'FORBIDDEN'), /^GET \/auth\/creden/],
  [
    'status and message',
    'POST /quotes',
    { status: 400, body: { status: 400, message: 'x' } },
    /^POST \/quotes/,
  ],
];

for (const [what, route, reply, request] of RIGHT)
  test(`a right service may run: ${what}`, async () => {
    await using target = await service(rightService({ [route]: reply }));
    const { warnings, healthRead } = await check(`${target.origin}/2025-10-13`);
    expect(warnings).toEqual([]);
    expect(`${healthRead.method} ${healthRead.path}`).toMatch(request);
    const again = await fetch(`${target.origin}/2025-10-13${healthRead.path}`, {
      method: healthRead.method,
      headers: { authorization: `Basic ${btoa(`${CLIENT.clientId}:${CLIENT.clientSecret}`)}` },
      ...(healthRead.body === undefined ? {} : { body: healthRead.body }),
    });
    expect(again.status).toBe(healthRead.status);
  });

test('where a read succeeds, nobody is asked with wrong credentials, and no other address is tried', async () => {
  await using target = await service(rightService({ 'GET /customers/end-user-terms': TERMS }));
  await check(`${target.origin}/2025-10-13`);
  expect(target.calls.filter((call) => !call.isKnown)).toEqual([]);
});

const WRONG_ADDRESS = /answers, but has none of the service's operations: check its path, which ends with/;
const WRONG_CREDENTIALS = /refuses CLIENT_ID and CLIENT_SECRET \(40[13]\): check that they belong/;
const page = (status: number) => (): Reply => ({ status, body: '<h1>Hello</h1>' });
const FORBIDDEN = error(403, 'FORBIDDEN');
const INVALID = error(400, 'INVALID_INPUT');
const NOT_FOUND = error(404, 'NOT_FOUND');
const UNAUTHORIZED = error(401, 'UNAUTHORIZED');

/** Servers that answer, and cannot be judged. */
const REFUSED: readonly (readonly [what: string, answer: (call: Call) => Reply, sentence: RegExp])[] = [
  ['a page of 404 for everything', page(404), WRONG_ADDRESS],
  ['a page for everything', page(200), WRONG_ADDRESS],
  ['JSON for everything', () => ({ status: 200, body: {} }), WRONG_ADDRESS],
  ['the same 404 in JSON for everything', () => NOT_FOUND, WRONG_ADDRESS],
  [
    'words of its own for each method, and for a caller who is not known',
    ({ method, isKnown }) => (!isKnown ? UNAUTHORIZED : method === 'POST' ? INVALID : NOT_FOUND),
    WRONG_ADDRESS,
  ],
  [
    'an error of another form',
    ({ method }) => ({ status: method === 'GET' ? 404 : 400, body: { error: 'x' } }),
    WRONG_ADDRESS,
  ],
  ['500 for everything', () => error(500, 'X'), /answers 500 to everything: the service behind it does not /],
  ['a CDN without an origin', page(522), /answers 522 to everything: /],
  [
    '503 for what is there',
    ({ path }) => page(path.includes('/auth/') ? 503 : 404)(),
    /answers 503 to everything: /,
  ],
  ['429 for everything', () => error(429, 'X'), /answers 429 to everything: it takes no more requests for /],
  ['401 for everything', () => UNAUTHORIZED, WRONG_CREDENTIALS],
  ['403 for everything', () => FORBIDDEN, WRONG_CREDENTIALS],
  [
    '403 for every operation of a caller who is known',
    rightService({ GET: FORBIDDEN, 'POST /quotes': FORBIDDEN }),
    WRONG_CREDENTIALS,
  ],
  [
    'a right 401, where a login is before a part of the paths only',
    ({ path }) => (/\/auth\/|\/quotes$/.test(path) ? UNAUTHORIZED : page(404)()),
    WRONG_CREDENTIALS,
  ],
  [
    'the same refusal whoever asks',
    ({ path }) => (path.endsWith('/quotes') ? INVALID : NOT_FOUND),
    /refuses wrong credentials no differently, so nothing shows that it takes CLIENT_ID and CLIENT_SECRET/,
  ],
];

for (const [what, answer, sentence] of REFUSED)
  test(`refused: ${what}`, async () => {
    await using target = await service(answer);
    await refuses(`${target.origin}/2025-10-13`, sentence);
  });

test('a redirect is shown without its query, without secrets and without what steers a terminal', async () => {
  const cases = [
    ['https://login.example/in?token=1', 'https://login.example/in'],
    ['https://login.example/in#token=1', 'https://login.example/in'],
    [`https://x:${CLIENT.clientSecret}@login.example/in`, 'https://login.example/in'],
    [`https://login.example/${CLIENT.clientSecret}/in`, 'https://login.example/••••••/in'],
    ['https://login.example/\u009b31m', 'https://login.example/31m'],
  ] as const;
  for (const [location, shown] of cases) {
    await using target = await service(() => ({ status: 302, headers: { location } }));
    await refuses(
      `${target.origin}/2025-10-13`,
      `BASE_URL ${target.origin}/2025-10-13 redirects to ${shown}, and redirects are not followed: use the service's own address.`,
    );
  }
});

test('a wrong or missing version is told with the address to use', async () => {
  await using target = await service(rightService({ 'GET /customers/end-user-terms': TERMS }));
  const right = `${target.origin}/2025-10-13`;
  for (const wrong of [target.origin, `${target.origin}/2024-01-01`, `${target.origin}/v1`])
    await refuses(
      wrong,
      `BASE_URL ${wrong} does not answer as the service does, but ${right} does: set BASE_URL=${right}.`,
    );
});

test('a service whose every answer takes more than half of the time is too slow', async () => {
  const right = rightService({ 'GET /customers/end-user-terms': TERMS });
  await using target = await service(async (call) => {
    // The delay is what is tested.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    return right(call);
  });
  await refuses(
    `${target.origin}/2025-10-13`,
    /is too slow to be tested: its fastest answer took \d+ ms of the 2000 ms that a request is given; make it faster, or raise requestTimeoutMs/,
    {},
    2_000,
  );
});

const NO_ENDPOINT = /it must be the address of the provider-states endpoint/;

/** What may stand at PROVIDER_STATES_URL, and is no such endpoint. */
const NO_STATES: readonly (readonly [what: string, reply: Reply, sentence: RegExp])[] = [
  ['a page of 404', { status: 404, body: '<h1>Cannot POST</h1>' }, NO_ENDPOINT],
  ['a page', { status: 200, body: '<html>' }, NO_ENDPOINT],
  ['a redirect', { status: 301, headers: { location: '/x' } }, /it redirects \(301\)/],
  ['a gateway with nothing behind it', { status: 503 }, /it answers 503, start the endpoint/],
  ['a token is wanted', { status: 401 }, /it answers 401, set PROVIDER_STATES_TOKEN, or its path where the /],
  ['404 to every state', error(404, 'X'), /it answers 404 to every state, so it serves none of them; check /],
  ['422 to every state', { status: 422 }, /it answers 422 to every state, so it serves none of them; check /],
  ['values for everything', { status: 200, body: {} }, /it answers 200 to a state that nobody has/],
];

for (const [what, reply, sentence] of NO_STATES)
  test(`the states' URL: ${what}`, async () => {
    const right = rightService({ 'GET /customers/end-user-terms': TERMS });
    await using target = await service((call) => (call.path === '/states' ? reply : right(call)));
    const PROVIDER_STATES_URL = `${target.origin}/states`;
    await refuses(`${target.origin}/2025-10-13`, sentence, { PROVIDER_STATES_URL });
  });

for (const [what, reply] of [
  ['a 404 without a body', { status: 404 }],
  ['a 404 in JSON', { status: 404, body: { message: 'no such state' } }],
  ['422', { status: 422, body: { message: 'no such state' } }],
] as const)
  for (const [params, refusal] of [
    ['refused', { status: 422 }],
    ['refused as an unknown state is', reply],
    ['overlooked', { status: 200, body: {} }],
  ] as const)
    test(`the states' URL may serve one state: others get ${what}, unknown params are ${params}`, async () => {
      const right = rightService({ 'GET /customers/end-user-terms': TERMS });
      const states = (sent: string): Reply => {
        const asked = JSON.parse(sent) as { state: string; params: object; action: string };
        if (asked.state !== 'sca-customer') return reply;
        const isPlain = Object.keys(asked.params).length === 0;
        return isPlain || asked.action === 'teardown' ? { status: 200, body: {} } : refusal;
      };
      await using target = await service((call) =>
        call.path === '/states' ? states(call.body) : right(call),
      );
      const PROVIDER_STATES_URL = `${target.origin}/states`;
      expect((await check(`${target.origin}/2025-10-13`, { PROVIDER_STATES_URL })).warnings).toEqual([]);
      const sent = target.calls.filter(({ path }) => path === '/states').map(({ body }) => body);
      const made = sent.filter((body) => body.includes('"sca-customer"')).length;
      // Where something may have been made, it is taken down.
      expect(sent.filter((body) => body.includes('"teardown"'))).toHaveLength(
        refusal.status === 422 && reply.status === 404 ? 0 : 1,
      );
      expect(made).toBeLessThanOrEqual(3);
    });
