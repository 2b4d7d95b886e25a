import { startSandbox } from '../../../sandbox/start.ts';
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
