import { startSandbox } from '../../../sandbox/start.ts';
import { refusalOf, refuse, Refusal, refusedAs } from '../../../sandbox/server/refusal.ts';
import { parseJson, printJson, withDoubles } from '../../../sandbox/server/json.ts';
import { Caller, expect, test } from '../support/test.ts';

test('each request is one line with who called, and no secret stands in it', async () => {
  const lines: string[] = [];
  const sandbox = await startSandbox({ log: (line) => lines.push(line) });
  const caller = new Caller(sandbox);
  const customerId = (await caller.platform('POST', '/customers', { email: 'ada@example.com' })).body.id;
  const body = { name: 'One', customerId, policy: { permissions: [] } };
  const { deviceCode, agent } = (await caller.platform('POST', '/agents', body)).body;
  const { accessToken } = (await caller.send('POST', `/agents/device-codes/${deviceCode}/redeem`)).body;
  await caller.send('GET', '/agents/me?accessToken=abc&limit=2', `Bearer ${accessToken}`);
  await caller.send('GET', '/nothing/here');
  await expect.poll(() => lines.length).toBe(5);
  await sandbox.close();
  expect(lines.map((line) => line.replace(/^\S+ /, '').replace(/\d+ ms/, '0 ms'))).toEqual([
    '201 POST /default/2025-10-13/customers 0 ms Platform:main',
    '201 POST /default/2025-10-13/agents 0 ms Platform:main',
    '200 POST /default/2025-10-13/agents/device-codes/***/redeem 0 ms',
    `200 GET /default/2025-10-13/agents/me?accessToken=***&limit=2 0 ms ${agent.id}`,
    '404 GET /default/2025-10-13/nothing/here 0 ms',
  ]);
  for (const secret of [deviceCode, accessToken, sandbox.clientSecret])
    expect(lines.join('\n')).not.toContain(secret);
});

const agentWith = (params: object) => JSON.stringify({ state: 'agent', params });

/** Bodies that the provider-states URL refuses. */
for (const [body, status] of [
  ['{"state":"no-such-state"}', 404],
  ...[{ unknown: 1 }, { balance: '100' }, { balance: -1 }, { execution: 'MAYBE' }, { currency: 'us' }].map(
    (params) => [agentWith(params), 422] as const,
  ),
  ...['', '{', '[]', '{"params":{}}', '{"state":"agent","params":[]}'].map((body) => [body, 400] as const),
  ['{"state":"agent","action":"explode"}', 400],
] as const)
  test(`no state is prepared for "${body}"`, async ({ caller }) => {
    const answer = await fetch(caller.sandbox.statesUrl(), { method: 'POST', body });
    expect(answer.status).toBe(status);
    // It says which there are.
    if (status === 404) expect(await answer.text()).toContain('execution-failure');
  });

test('every setup makes new records, and teardown removes the agent and its token', async ({ caller }) => {
  const [one, two] = [await caller.state('agent'), await caller.state('agent')];
  const texts = Object.values(one).filter((value) => typeof value === 'string');
  expect(texts.filter((value) => Object.values(two).includes(value))).toEqual(['USD']);
  const body = JSON.stringify({ state: 'agent', params: one, action: 'teardown' });
  await fetch(caller.sandbox.statesUrl(), { method: 'POST', body });
  expect((await caller.agent(one, 'GET', '/agents/me')).status).toBe(401);
});

test('a states token is asked for where one is set', async () => {
  const sandbox = await startSandbox({ statesToken: 'secret' });
  const ask = async (headers: Record<string, string>) =>
    (await fetch(sandbox.statesUrl(), { method: 'POST', headers, body: '{"state":"agent"}' })).status;
  expect(await ask({})).toBe(401);
  expect(await ask({ authorization: 'Bearer wrong' })).toBe(401);
  expect(await ask({ authorization: 'Bearer secret' })).toBe(200);
  await sandbox.close();
});

test('another refusal stands in where the answer is no, and never for a defect', () => {
  const [no, other] = [new Refusal(403, 'FORBIDDEN', 'No.'), new Refusal(404, 'NOT_THERE', 'Not there.')];
  const broken = () => {
    throw new TypeError('a defect');
  };
  const asOther = (ask: () => unknown) => refusedAs(ask, () => other);
  expect(refusalOf(() => refuse(no))).toBe(no);
  expect(refusalOf(() => 'fine')).toBeUndefined();
  expect(() => refusalOf(broken)).toThrow(TypeError);
  expect(asOther(() => 'fine')).toBe('fine');
  expect(refusalOf(() => asOther(() => refuse(no)))).toBe(other);
  expect(() => asOther(broken)).toThrow(TypeError);
});

test('JSON is read exactly, or refused', () => {
  for (const [text, value] of [
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['1e2', 100],
    ['100.0', 100],
    ['9007199254740993.0', 9007199254740993n],
    ['1.5', 1.5],
    ['-0', -0],
    // A double would round the fraction away.
    ['100.00000000000000000001', Number.NaN],
    ['9007199254740993.5', Number.NaN],
  ] as const)
    expect(parseJson(text), text).toBe(value);
  for (const text of ['', '{', '{"a":1,}', "{'a':1}", 'undefined', 'NaN', '01', '{"a":1,"a":2}', '{} {}'])
    expect(() => parseJson(text), text).toThrow(SyntaxError);
  expect(() => parseJson('['.repeat(100_000))).toThrow(SyntaxError);
});

test('JSON is printed with all digits, and what lies outside int64 stays outside as a double', () => {
  const text = printJson({ a: 9223372036854775807n, b: undefined, c: [null] });
  expect(text).toBe('{"a":9223372036854775807,"c":[null]}');
  expect(withDoubles(2n ** 63n)).toBeGreaterThan(2 ** 63);
  expect(withDoubles(2n ** 63n - 1n)).toBeLessThanOrEqual(2 ** 63);
});
