import { startSandbox } from '../../../sandbox/start.ts';
import { expect, test } from '../support/test.ts';

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
