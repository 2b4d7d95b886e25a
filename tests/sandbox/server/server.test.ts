import { startSandbox } from '../../../sandbox/start.ts';
import { refusalOf, refuse, Refusal, refusedAs } from '../../../sandbox/server/refusal.ts';
import { parseJson, printJson, withDoubles } from '../../../sandbox/server/json.ts';
import { Caller, expect, test } from '../support/test.ts';

test('each request is one line with who called, and no secret stands in it', async () => {
  const lines: string[] = [];
  const sandbox = await startSandbox({ log: (line) => lines.push(line) });
  const caller = new Caller(sandbox);
  const customer = (await caller.platform('POST', '/customers', { email: 'ada@example.com' })).body;
  const { deviceCode, agent } = (
    await caller.platform('POST', '/agents', {
      name: 'One',
      customerId: customer.id,
      policy: { permissions: [] },
    })
  ).body;
  const { accessToken } = (await caller.send('POST', `/agents/device-codes/${deviceCode}/redeem`)).body;
  await caller.send('GET', '/agents/me?accessToken=abc&limit=2', `Bearer ${accessToken}`);
  await caller.send('GET', '/nothing/here');
  await expect.poll(() => lines.length).toBe(5);
  await sandbox.close();
  const shown = lines.map((line) => line.replace(/^\S+ /, '').replace(/\d+ ms/, '0 ms'));
  expect(shown).toEqual([
    '201 POST /default/2025-10-13/customers 0 ms Platform:main',
    '201 POST /default/2025-10-13/agents 0 ms Platform:main',
    '200 POST /default/2025-10-13/agents/device-codes/***/redeem 0 ms',
    `200 GET /default/2025-10-13/agents/me?accessToken=***&limit=2 0 ms ${agent.id}`,
    '404 GET /default/2025-10-13/nothing/here 0 ms',
  ]);
  for (const secret of [deviceCode, accessToken, sandbox.clientSecret])
    expect(lines.join('\n')).not.toContain(secret);
});

test('an unknown state is 404, and says which there are', async ({ caller }) => {
  const answer = await caller.setUp('no-such-state');
  expect(answer.status).toBe(404);
  expect(answer.body.message).toContain('execution-failure');
});

for (const params of [
  { unknown: 1 },
  { balance: '100' },
  { balance: -1 },
  { execution: 'MAYBE' },
  { currency: 'us' },
]) {
  test(`an agent with ${JSON.stringify(params)} cannot be prepared`, async ({ caller }) => {
    expect((await caller.setUp('agent', params)).status).toBe(422);
  });
}

for (const body of [
  '',
  '{',
  '[]',
  '{"params":{}}',
  '{"state":"agent","params":[]}',
  '{"state":"agent","action":"explode"}',
]) {
  test(`the request ${body} is refused`, async ({ caller }) => {
    expect((await fetch(caller.sandbox.statesUrl(), { method: 'POST', body })).status).toBe(400);
  });
}

test('every setup makes new records', async ({ caller }) => {
  const one = await caller.state('agent');
  const two = await caller.state('agent');
  expect(
    Object.values(one).filter((value) => Object.values(two).includes(value) && typeof value === 'string'),
  ).toEqual(['USD']);
});

test('teardown removes the agent and its token', async ({ caller }) => {
  const agent = await caller.state('agent');
  await fetch(caller.sandbox.statesUrl(), {
    method: 'POST',
    body: JSON.stringify({ state: 'agent', params: agent, action: 'teardown' }),
  });
  expect((await caller.agent(agent, 'GET', '/agents/me')).status).toBe(401);
});

test('the clock moves for one customer, or for the world', async ({ caller }) => {
  const world = caller.in('world.clock');
  const agent = await world.state('agent');
  const moved = await world.state<{ now: string; scope: string }>('clock', {
    advanceSeconds: 3600,
    customerId: agent.customerId,
  });
  expect(moved.scope).toBe('customer');
  expect(Date.parse(moved.now) - Date.now()).toBeGreaterThan(3_590_000);
  const rest = await world.state<{ now: string; scope: string }>('clock', { advanceSeconds: 60 });
  expect(rest.scope).toBe('target');
  expect(Date.parse(rest.now) - Date.now()).toBeLessThan(70_000);
  const answer = await world.transfer(agent);
  expect(Date.parse(answer.body.createdAt as string) - Date.now()).toBeGreaterThan(3_650_000);
});

test('a states token is asked for where one is set', async () => {
  const sandbox = await startSandbox({ statesToken: 'secret' });
  const ask = (headers: Record<string, string>) =>
    fetch(sandbox.statesUrl(), { method: 'POST', headers, body: '{"state":"agent"}' }).then(
      ({ status }) => status,
    );
  expect(await ask({})).toBe(401);
  expect(await ask({ authorization: 'Bearer wrong' })).toBe(401);
  expect(await ask({ authorization: 'Bearer secret' })).toBe(200);
  await sandbox.close();
});

const no = new Refusal(403, 'FORBIDDEN', 'No.');
const other = new Refusal(404, 'REFERENCE_NOT_FOUND', 'Not there.');
const broken = () => {
  throw new TypeError('a defect');
};

test('a question that is asked without stopping tells its refusal, and no defect', () => {
  expect(refusalOf(() => refuse(no))).toBe(no);
  expect(refusalOf(() => 'fine')).toBeUndefined();
  expect(() => refusalOf(broken)).toThrow(TypeError);
});

test('another refusal stands in where the answer is no, and nowhere else', () => {
  expect(
    refusedAs(
      () => 'fine',
      () => other,
    ),
  ).toBe('fine');
  expect(
    refusalOf(() =>
      refusedAs(
        () => refuse(no),
        () => other,
      ),
    ),
  ).toBe(other);
  expect(() => refusedAs(broken, () => other)).toThrow(TypeError);
});

for (const [text, value] of [
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', 9007199254740993n],
  ['9223372036854775807', 9223372036854775807n],
  ['1e2', 100],
  ['100.0', 100],
  ['9007199254740993.0', 9007199254740993n],
  ['1.5', 1.5],
  ['-0', -0],
] as const) {
  test(`reads ${text} exactly`, () => expect(parseJson(text)).toBe(value));
}

test('a fraction that a double rounds away is no number of use', () => {
  expect(parseJson('100.00000000000000000001')).toBe(Number.NaN);
  expect(parseJson('9007199254740993.5')).toBe(Number.NaN);
});

for (const text of [
  '',
  '{',
  '{"a":1,}',
  "{'a':1}",
  'undefined',
  'NaN',
  '01',
  '{"a":1,"a":2}',
  '{} {}',
  '['.repeat(100_000),
]) {
  test(`refuses ${text.slice(0, 20)}`, () => expect(() => parseJson(text)).toThrow(SyntaxError));
}

test('prints all digits and leaves out what is undefined', () => {
  expect(printJson({ a: 9223372036854775807n, b: undefined, c: [null] })).toBe(
    '{"a":9223372036854775807,"c":[null]}',
  );
});

test('what lies outside int64 stays outside as a double', () => {
  expect(withDoubles(2n ** 63n)).toBeGreaterThan(2 ** 63);
  expect(withDoubles(2n ** 63n - 1n)).toBeLessThanOrEqual(2 ** 63);
});
