import { connect } from 'node:net';
import { readdirSync, readFileSync } from 'node:fs';
import { root } from '../../support/run-assay.ts';
import { baseBehaviour } from '../../../sandbox/areas/behaviour.ts';
import { faults } from '../../../sandbox/faults/index.ts';
import { choices } from '../../../sandbox/variants/index.ts';
import { loadRules } from '../../../schemas/rules.ts';
import { expect, test, transferBody } from '../support/test.ts';

const PATH = '/agents/me/transfer-out';

test('an unknown route is a 404 of the interface', async ({ caller }) => {
  for (const path of ['/nothing', '/agents/me/transfer-out/more', '/', '']) {
    const answer = await caller.platform('GET', path);
    expect(answer.body).toEqual({ status: 404, code: 'REFERENCE_NOT_FOUND', message: expect.any(String) });
  }
});

test('a wrong method is told with the right ones', async ({ caller }) => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const answer = await caller.send(method, PATH);
    expect(answer.body).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' });
    expect(answer.headers.get('allow')).toBe('POST');
  }
});

for (const [what, body] of [
  ['nothing', ''],
  ['half an object', '{"amount": 1'],
  ['a trailing comma', '{"amount": 1,}'],
  ['two values', '{} {}'],
  ['a key that says two things', '{"amount":1,"amount":2}'],
  ['text that is not JSON', 'amount=1'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a number', '7'],
] as const) {
  test(`a body of ${what} is refused`, async ({ caller }) => {
    const answer = await caller.agent(await caller.state('agent'), 'POST', PATH, body);
    expect(answer.body).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST_FORMAT',
      message: expect.any(String),
    });
  });
}

test('a body that is not UTF-8 is refused', async ({ caller }) => {
  const agent = await caller.state('agent');
  const response = await fetch(caller.sandbox.url + PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent.accessToken}`, 'content-type': 'application/json' },
    body: Buffer.from([0x7b, 0xff, 0x7d]),
  });
  expect(response.status).toBe(400);
});

for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense']) {
  test(`a body of type ${type} is refused`, async ({ caller }) => {
    const agent = await caller.state('agent');
    const answer = await caller.agent(agent, 'POST', PATH, transferBody(agent), { 'content-type': type });
    expect(answer.body).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });
}

for (const type of [
  'application/json',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/merge-patch+json',
]) {
  test(`a body of type ${type} is read`, async ({ caller }) => {
    const agent = await caller.state('agent');
    expect(
      (await caller.agent(agent, 'POST', PATH, transferBody(agent), { 'content-type': type })).status,
    ).toBe(201);
  });
}

test('an oversized body is refused with an answer', async ({ caller }) => {
  const agent = await caller.state('agent');
  const answer = await caller.transfer(agent, { remittanceInformation: 'x'.repeat(3 * 1024 * 1024) });
  expect(answer.body).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
});

test('a path that cannot be decoded is refused', async ({ caller }) => {
  expect((await caller.platform('GET', '/customers/%zz')).body).toMatchObject({
    status: 400,
    code: 'INVALID_REQUEST_FORMAT',
  });
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

test('every invalid field is named once, in dot notation, in one answer', async ({ caller }) => {
  const agent = await caller.state('agent');
  const answer = await caller.agent(agent, 'POST', PATH, {
    source: { accountId: 'x' },
    destination: { paymentRail: 'TELEX' },
    amount: '1',
    remittanceInformation: 'x'.repeat(81),
    purposeOfPayment: 'FUN',
  });
  expect(answer.body).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  const fields = (answer.body.details.errors as { field: string }[]).map(({ field }) => field);
  expect(fields.sort()).toEqual(
    [
      'amount',
      'destination.accountId',
      'destination.paymentRail',
      'purposeOfPayment',
      'remittanceInformation',
      'source.accountId',
    ].sort(),
  );
});

const ids = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

test('pages of a list follow each other and hold every row once', async ({ caller }) => {
  const world = caller.in('world.pages');
  const made = [];
  for (let count = 0; count < 5; count++) made.push((await world.platform('POST', '/customers', {})).body.id);
  const seen: string[] = [];
  let cursor: string | undefined;
  const lengths = [];
  do {
    const { body } = await world.platform('GET', `/customers?limit=2${cursor ? `&cursor=${cursor}` : ''}`);
    expect(body).toMatchObject({ totalCount: 5, hasMore: body.nextCursor !== undefined });
    lengths.push(body.data.length);
    seen.push(...ids(body));
    cursor = body.nextCursor as string | undefined;
  } while (cursor !== undefined && lengths.length < 9);
  expect(lengths).toEqual([2, 2, 1]);
  expect(seen).toEqual(made);
  expect((await world.platform('GET', '/customers')).body).toMatchObject({ hasMore: false, totalCount: 5 });
});

for (const query of ['limit=0', 'limit=101', 'limit=ten', 'cursor=', 'cursor=%21', 'cursor=bm9wZQ']) {
  test(`a list with ${query} is refused`, async ({ caller }) => {
    const answer = await caller.platform('GET', `/customers?${query}`);
    expect(answer.body).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });
}

test('filters leave what they name, and nothing else', async ({ caller }) => {
  const world = caller.in('world.filters');
  const one = await world.platform('POST', '/customers', { platformCustomerId: 'one' });
  const two = await world.platform('POST', '/customers', {
    platformCustomerId: 'two',
    customerType: 'BUSINESS',
  });
  const found = async (path: string) => (await world.platform('GET', path)).body;
  expect(ids(await found('/customers?platformCustomerId=one'))).toEqual([one.body.id]);
  expect(ids(await found('/customers?customerType=BUSINESS'))).toEqual([two.body.id]);
  expect(ids(await found('/customers?platformCustomerId=nobody'))).toEqual([]);
  const wallets = await found(`/customers/internal-accounts?type=EMBEDDED_WALLET&customerId=${one.body.id}`);
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
    const isBehaviour = /[/\\](?:[\w-]+-)?behaviour\.ts$/.test(file);
    if (!isBehaviour && !/[/\\]operations\.ts$/.test(file)) return [];
    const text = readFileSync(`${root}sandbox/areas/${file}`, 'utf8');
    // Of operations the answers that another world may give otherwise.
    const exported = isBehaviour ? /^export (?:async )?function (\w+)/gm : /^export function (present\w+)/gm;
    return [...text.matchAll(exported)].map(([, name]) => name!);
  });
  expect(names.length).toBeGreaterThan(300);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !(name in baseBehaviour))).toEqual([]);
});

test('faults and variants replace functions that exist', () => {
  const replaced = [
    ...faults.flatMap((fault) => Object.keys(fault.replace)),
    ...choices.flatMap((choice) => Object.values(choice.options)).flatMap((option) => Object.keys(option)),
  ];
  expect(replaced.filter((name) => !(name in baseBehaviour))).toEqual([]);
});

test('every fault has a name of its own, one sentence, and a rule that exists', () => {
  const rules = loadRules().map(({ id }) => id);
  expect(
    faults.filter(({ breaks }) => !rules.includes(breaks)).map(({ name, breaks }) => `${name}: ${breaks}`),
  ).toEqual([]);
  expect(faults.filter(({ name }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
  expect(faults.filter(({ says }) => !says.endsWith('.'))).toEqual([]);
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});
