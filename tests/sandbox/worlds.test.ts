import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { faults } from '../../sandbox/faults/index.ts';
import { choices, variantFor } from '../../sandbox/variants/index.ts';
import { Worlds } from '../../sandbox/worlds.ts';
import { root } from '../support/run-assay.ts';
import { Client } from './support/money/scene.ts';
import { expect, test } from './support/test.ts';

const config = { clientId: 'c', clientSecret: 's', brand: 'Service', latency: 0, bodyLimit: 1024 };

for (const world of [
  ...['default', 'world.mine', 'variant.7', 'dialect.stamp', 'dialect.oidcToken'],
  ...['fault.every-transfer-refused', 'variant.7~fault.error-code-missing'],
])
  test(`there is a world ${world}`, async ({ caller }) => {
    expect((await caller.in(world).setUp('agent')).status).toBe(200);
  });

for (const [world, sentence] of [
  ['somewhere', /^There is no world "somewhere": worlds are default, /],
  ['fault.every-transfer-refusd', /^There is no fault "every-transfer-refusd".*every-transfer-refused/],
  ['dialect.stmp', /^There is no dialect "stmp".*stamp/],
  ['variant.list-order-is-newest-frist', /^There is no variant .*list-order-is-newest-first/],
  ...['dialect.', 'fault.', 'variant.', 'variant.7~', '~fault.error-code-missing', 'variant.7+fault.x'].map(
    (world) => [world, /^There is no /] as const,
  ),
] as const)
  test(`there is no world ${world}, and a guess is made`, async ({ caller }) => {
    const answer = await caller.in(world).platform('GET', '/agents');
    expect(answer.body).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
    expect(answer.body.message).toMatch(sentence);
    for (const [method, path] of [
      ['GET', '/no-such-path'],
      ['PUT', '/agents'],
    ] as const)
      expect((await caller.in(world).platform(method, path)).body.message).toMatch(sentence);
    expect((await caller.in(world).setUp('agent')).body.message).toMatch(sentence);
  });

for (const [path, sentence] of [
  ['/default/2024-01-01/customers', 'There is no version 2024-01-01: this server serves 2025-10-13.'],
  ['/default/2025-10-13/no-such-path', 'There is no operation GET /default/2025-10-13/no-such-path.'],
  [
    '/2025-10-13/customers',
    'This server answers below /WORLD/2025-10-13/, as in /default/2025-10-13/config.',
  ],
] as const)
  test(`what is wrong with ${path} is said`, async ({ caller }) => {
    const answer = await fetch(caller.sandbox.origin + path);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ status: 404, message: sentence });
  });

test('worlds share nothing', async ({ caller }) => {
  const agent = await caller.state('agent');
  const elsewhere = caller.in('world.elsewhere');
  expect((await caller.agent(agent, 'GET', '/agents/me')).status).toBe(200);
  expect((await elsewhere.agent(agent, 'GET', '/agents/me')).status).toBe(401);
  await elsewhere.state('clock', { advanceSeconds: 3600 });
  const { now } = await caller.state<{ now: string }>('clock');
  expect(Date.parse(now) - Date.now()).toBeLessThan(60_000);
});

/** Sets an agent up and has it send this amount, without a network. */
async function transferred(client: Client, amount: number) {
  const agent = await client.state('agent', { approvalThreshold: 1_000 });
  const answer = await client.agent(String(agent['accessToken']), '/agents/me/transfer-out', {
    source: { accountId: agent['sourceAccountId'] },
    destination: { accountId: agent['destinationAccountId'] },
    amount,
  });
  return { agent, answer };
}

test('as many faults can be planted together as an address holds', async ({ caller }) => {
  const names = faults.slice(0, 100).map(({ name }) => name);
  const answer = await caller.in(`fault.${names.join('+')}`).platform('GET', '/customers');
  expect(answer.status).toBe(200);
});

test('every fault can be loaded and serves an agent', async () => {
  test.slow();
  const server = new Client('default');
  const wrong: string[] = [];
  for (const { name } of faults) {
    const { agent, answer } = await transferred(new Client(`fault.${name}`, server), 100);
    // A planted 500 is no crash.
    const hasCrashed = JSON.stringify(answer.body).includes('a defect of the sandbox');
    if (agent['agentId'] === undefined || hasCrashed) wrong.push(name);
  }
  // One assertion, as each costs more than what it looks at.
  expect(wrong).toEqual([]);
});

test('every variant option can be loaded and transfers money', async () => {
  test.slow();
  const server = new Client('default');
  const names = choices.flatMap(({ name, options }) =>
    Object.keys(options).map((one) => `${name}-is-${one}`),
  );
  for (const name of names) {
    const client = new Client(`variant.${name}`, server);
    expect(variantFor(name), name).toHaveLength(1);
    const { agent, answer } = await transferred(client, 250);
    expect(answer.status, `${name}: ${JSON.stringify(answer.body)}`).toBe(201);
    const balance = () => client.world.ledger.balance(String(agent['sourceAccountId']), 'USD');
    // A fee may come on top.
    await expect.poll(balance, { message: name, intervals: [5, 20, 50] }).toBeLessThanOrEqual(999_750n);
  }
});

test('a seed always chooses the same, and seeds differ', () => {
  const names = (seed: string) => variantFor(seed).map(({ choice, option }) => `${choice} ${option}`);
  expect(names('42')).toEqual(names('42'));
  expect(names('42')).not.toEqual(names('43'));
  const seen = new Set(Array.from({ length: 60 }, (_, seed) => names(String(seed))).flat());
  expect(seen.size).toBe(choices.flatMap((choice) => Object.keys(choice.options)).length);
});

test('worlds that nobody uses are forgotten, the default one excepted', () => {
  let now = 0;
  const worlds = new Worlds(config, undefined, { longestIdle: 1_000, wall: () => now });
  const [first, idle] = [worlds.get('default'), worlds.get('world.idle')];
  now = 900;
  const used = worlds.get('world.used');
  now = 1_500;
  worlds.get('world.new');
  expect(worlds.size).toBe(3);
  expect(worlds.get('default')).toBe(first);
  expect(worlds.get('world.used')).toBe(used);
  expect(worlds.get('world.idle')).not.toBe(idle);
});

test('so many worlds are kept, those used last', () => {
  const worlds = new Worlds(config, undefined, { mostWorlds: 3 });
  const [first, one, two] = [worlds.get('default'), worlds.get('world.one'), worlds.get('world.two')];
  worlds.get('world.one');
  worlds.get('world.three');
  expect(worlds.size).toBe(3);
  expect(worlds.get('world.one')).toBe(one);
  expect(worlds.get('default')).toBe(first);
  expect(worlds.get('world.two')).not.toBe(two);
});

test('the command says where it listens and with which credentials, and stops at once', async () => {
  const args = ['--import', 'tsx', 'sandbox/main.ts', '--port', '0', '--world', 'variant.3'];
  const child = spawn(process.execPath, args, { cwd: root });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    if (/listening on .*\n/.test(out)) child.kill('SIGTERM');
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(out).toMatch(/^assay sandbox listening on http:\/\/127\.0\.0\.1:\d+\/variant\.3\/2025-10-13$/m);
  expect(out).toMatch(
    /client id sandbox, client secret sandbox-secret, provider states http:.*\/variant\.3\/provider-states/,
  );
});
