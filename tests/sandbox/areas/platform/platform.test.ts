import { Worlds } from '../../../../sandbox/worlds.ts';
import { Service, expect, test } from '../../support/test.ts';

test('the configuration takes the second factor of card tokenization', async ({ caller }) => {
  const at = await Service.at(caller, 'platform-config');
  const { body } = await at.send('PATCH', '/config', at.values['cardTokenization2fa']);
  expect(body.cardTokenization2faConfig).toEqual({ enabled: true });
  expect((await at.send('GET', '/config')).body).toEqual(body);
});

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

for (const [providerAccounts, code] of [
  [['INVALID'], 'STABLECOIN_PROVIDER_ACCOUNT_INVALID'],
  [['REVOKED'], 'STABLECOIN_PROVIDER_ACCOUNT_REVOKED'],
  [['ACTIVE', 'ACTIVE'], 'STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED'],
  [['ACTIVE', 'REVOKED'], undefined],
] as const) {
  test(`registering with the links ${providerAccounts.join(', ')}`, async ({ caller }) => {
    const at = await Service.at(caller, 'stablecoin', { providerAccounts });
    const { register, providerAccountIds, unknownProviderAccountId } = at.values;
    expect((await at.send('POST', '/stablecoins', register)).body.code).toBe(code);
    const withId = (stablecoinProviderAccountId: string) =>
      at.send('POST', '/stablecoins', { ...register, stablecoinProviderAccountId });
    expect((await withId(providerAccountIds[0])).body.code).toBe(
      providerAccounts[0] === 'ACTIVE' ? undefined : code,
    );
    expect((await withId(unknownProviderAccountId)).body).toMatchObject({
      status: 404,
      code: 'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND',
    });
  });
}

test('cards are for cardholders whose KYC is approved', async ({ caller }) => {
  for (const [kyc, code] of [
    ['APPROVED', undefined],
    ['PENDING', 'CARDHOLDER_KYC_NOT_APPROVED'],
  ] as const) {
    const at = await Service.at(caller, 'card', { kyc });
    const { method, path, body } = at.values['issue'];
    expect((await at.send(method, path, body)).body.code).toBe(code);
  }
});

test('exchange rates are cached for five minutes', async ({ caller }) => {
  const world = caller.in('world.rates');
  const at = await Service.at(world, 'exchange-rate');
  const read = async () =>
    (await at.send('GET', at.values['read'].path)).body.data[0] as { exchangeRate: number };
  const first = await read();
  await world.state('clock', { advanceSeconds: 290 });
  expect(await read()).toEqual(first);
  await world.state('clock', { advanceSeconds: 20 });
  expect((await read()).exchangeRate).not.toBe(first.exchangeRate);
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
