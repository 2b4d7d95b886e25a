import { Worlds } from '../../../sandbox/worlds.ts';
import { Service, expect, test } from '../support/test.ts';

test('stablecoins are registered, minted, burned and followed to settlement', async ({ caller }) => {
  const at = await Service.at(caller, 'stablecoin');
  const coin = await at.send('POST', '/stablecoins', at.values['register']);
  expect(coin.status).toBe(201);
  const path = `/stablecoins/${coin.body.id}`;
  expect((await at.send('POST', `${path}/burns`, at.values['burn'])).status).toBe(400);
  const mint = await at.send('POST', `${path}/mints`, at.values['mint']);
  expect(mint.body).toMatchObject({ type: 'MINT', status: 'PENDING' });
  expect((await at.send('POST', `${path}/burns`, at.values['burn'])).status).toBe(201);
  const { data } = (await at.send('GET', `${path}/operations`)).body;
  expect(data).toMatchObject([
    { id: mint.body.id, status: 'SETTLED' },
    { type: 'BURN', status: 'SETTLED' },
  ]);
});

const config = { clientId: 'c', clientSecret: 's', brand: 'Service', latency: 0, bodyLimit: 1000 };

test('currencies have the minor units that the world has', () => {
  const { behaviour } = new Worlds(config).get('default')!;
  const decimals = ['USD', 'VND', 'XOF', 'KWD', 'COP', 'IDR', 'USDC', 'USDT', 'BTC'].map((code) =>
    behaviour.decimalsOf(code),
  );
  expect(decimals).toEqual([2, 0, 0, 3, 2, 2, 6, 6, 8]);
  expect(behaviour.presentCurrency('EUR')).toEqual({ code: 'EUR', name: 'Euro', symbol: '€', decimals: 2 });
  expect(behaviour.worthIn(1_000_000n, 'USDC', 'USD')).toBeGreaterThan(99n);
  expect(behaviour.worthIn(1_000_000n, 'USDC', 'USD')).toBeLessThan(102n);
});

test('a fee counts for the currency that it is configured for, and means what it says', async ({
  caller,
}) => {
  const at = await Service.at(caller, 'platform-config');
  const configs = [
    { sourceCurrency: 'EUR', variableFeeBps: 500, fixedFee: 900 },
    { sourceCurrency: 'USD', variableFeeBps: 100, fixedFee: 25 },
  ];
  expect((await at.send('PATCH', '/config', { feeConfigs: configs })).status).toBe(200);
  expect((await at.quote()).body.platformFeesIncluded).toBe(125);
  for (const wrong of [{ fixedFee: -1 }, { minimumAmount: 100 }, { variableFeeBps: 0.5 }])
    expect(
      (await at.send('PATCH', '/config', { feeConfigs: [{ sourceCurrency: 'USD', ...wrong }] })).status,
    ).toBe(400);
  expect((await at.quote()).body.platformFeesIncluded).toBe(125);
});
