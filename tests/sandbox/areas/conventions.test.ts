import { connect } from 'node:net';
import { readdirSync, readFileSync } from 'node:fs';
import { root } from '../../support/run-assay.ts';
import { baseBehaviour } from '../../../sandbox/areas/behaviour.ts';
import { expect, test, transferBody } from '../support/test.ts';

const PATH = '/agents/me/transfer-out';
const NOT_FOUND = { status: 404, code: 'REFERENCE_NOT_FOUND' };
const MALFORMED = { status: 400, code: 'INVALID_REQUEST_FORMAT' };
const NOT_ALLOWED = { status: 405, code: 'METHOD_NOT_ALLOWED' };
const NO_JSON = { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' };
const WRONG_QUERY = { status: 400, code: 'INVALID_INPUT' };

/** Requests of a platform that no operation takes. */
const REFUSED: readonly (readonly [request: string, error: object, body?: string, type?: string])[] = [
  ...['/nothing', `${PATH}/more`, '/', ''].map((path) => [`GET ${path}`, NOT_FOUND] as const),
  ...['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((one) => [`${one} ${PATH}`, NOT_ALLOWED] as const),
  ...['', '{"a": 1', '{"a": 1,}', '{} {}', '{"a":1,"a":2}', 'a=1', '[]', 'null', '7', '{\xff}'].map(
    (body) => ['POST /customers', MALFORMED, body] as const,
  ),
  ...['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense'].map(
    (type) => ['POST /customers', NO_JSON, '{}', type] as const,
  ),
  ['POST /customers', { status: 413, code: 'PAYLOAD_TOO_LARGE' }, `"${'x'.repeat(3 * 1024 * 1024)}"`],
  ['GET /customers/%zz', MALFORMED],
  ...['limit=0', 'limit=101', 'limit=ten', 'cursor=', 'cursor=%21', 'cursor=bm9wZQ'].map(
    (query) => [`GET /customers?${query}`, WRONG_QUERY] as const,
  ),
];

for (const [request, error, body, type = 'application/json'] of REFUSED)
  test(`refused: ${request} ${body === undefined ? '' : `with "${body.slice(0, 20)}" as ${type}`}`, async ({
    caller,
  }) => {
    const [method = '', path = ''] = request.split(' ');
    const { url, clientId, clientSecret } = caller.sandbox;
    const headers = { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`, 'content-type': type };
    const sent = body === undefined ? {} : { body: Buffer.from(body, 'latin1') };
    const answer = await fetch(url + path, { method, headers, ...sent });
    expect(await answer.json()).toMatchObject({ ...error, message: expect.any(String) });
    expect(answer.headers.get('allow')).toBe(error === NOT_ALLOWED ? 'POST' : null);
  });

test('other ways to say JSON are read', async ({ caller }) => {
  const agent = await caller.state('agent');
  for (const type of [
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/merge-patch+json',
  ]) {
    const answer = await caller.agent(agent, 'POST', PATH, transferBody(agent), { 'content-type': type });
    expect(answer.status, type).toBe(201);
  }
});

test('bytes that are no HTTP get the error body', async ({ caller }) => {
  const { hostname, port } = new URL(caller.sandbox.origin);
  const text = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write('HELLO\r\n\r\n'));
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('close', () => resolve(received)).on('error', reject);
  });
  expect(text).toMatch(/^HTTP\/1\.1 400 .*"status":400,"code":"INVALID_REQUEST_FORMAT"/s);
});

const ids = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

test('pages of a list follow each other and hold every row once', async ({ caller }) => {
  const world = caller.in('world.pages');
  const made = [];
  for (let count = 0; count < 5; count++) made.push((await world.platform('POST', '/customers', {})).body.id);
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { body } = await world.platform('GET', `/customers?limit=2${cursor ? `&cursor=${cursor}` : ''}`);
    expect(body).toMatchObject({ totalCount: 5, hasMore: body.nextCursor !== undefined });
    pages.push(ids(body));
    cursor = body.nextCursor as string | undefined;
  } while (cursor !== undefined && pages.length < 9);
  expect(pages).toEqual([made.slice(0, 2), made.slice(2, 4), made.slice(4)]);
});

test('filters leave what they name, and nothing else', async ({ caller }) => {
  const world = caller.in('world.filters');
  const make = async (body: object) => (await world.platform('POST', '/customers', body)).body.id as string;
  const one = await make({ platformCustomerId: 'one' });
  const two = await make({ platformCustomerId: 'two', customerType: 'BUSINESS' });
  const found = async (path: string) => (await world.platform('GET', path)).body;
  expect(ids(await found('/customers?platformCustomerId=one'))).toEqual([one]);
  expect(ids(await found('/customers?customerType=BUSINESS'))).toEqual([two]);
  expect(ids(await found('/customers?platformCustomerId=nobody'))).toEqual([]);
  const wallets = await found(`/customers/internal-accounts?type=EMBEDDED_WALLET&customerId=${one}`);
  expect(wallets).toMatchObject({ totalCount: 1, data: [{ type: 'EMBEDDED_WALLET' }] });
  const agent = await world.state('agent', { approvalThreshold: 50 });
  const waiting = await world.transfer(agent, { amount: 60 });
  await world.transfer(agent, { amount: 40 });
  const actions = await world.agent(agent, 'GET', '/agents/me/actions?status=PENDING_APPROVAL');
  expect(ids(actions.body)).toEqual([waiting.body.id]);
  expect((await found(`/agents?customerId=${agent.customerId}`)).data).toHaveLength(1);
});

test('no two functions have one name, and every exported one of a behaviour module can be replaced', () => {
  const names = readdirSync(`${root}sandbox/areas`, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
    if (!/[/\\](?:[\w-]+-)?behaviour\.ts$/.test(file)) return [];
    const text = readFileSync(`${root}sandbox/areas/${file}`, 'utf8');
    return [...text.matchAll(/^export (?:(?:async )?function|const) (\w+)/gm)].map(([, name]) => name!);
  });
  expect(names.length).toBeGreaterThan(200);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !(name in baseBehaviour))).toEqual([]);
});
