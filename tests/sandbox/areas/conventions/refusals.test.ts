import { connect } from 'node:net';
import { expect, test } from '../../support/test.ts';
import { transferBody } from '../../support/caller.ts';

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
