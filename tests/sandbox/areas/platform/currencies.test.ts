import { expect, test } from '@playwright/test';
import { Worlds } from '../../../../sandbox/worlds.ts';

const config = { clientId: 'c', clientSecret: 's', brand: 'Service', latency: 0, bodyLimit: 1000 };

test('currencies have the minor units that the world has', () => {
  const { rules } = new Worlds(config).get('default')!;
  const decimals = ['USD', 'VND', 'XOF', 'KWD', 'COP', 'IDR', 'USDC', 'USDT', 'BTC'].map((code) =>
    rules.decimalsOf(code),
  );
  expect(decimals).toEqual([2, 0, 0, 3, 2, 2, 6, 6, 8]);
  expect(rules.presentCurrency('EUR')).toEqual({ code: 'EUR', name: 'Euro', symbol: '€', decimals: 2 });
  expect(rules.worthIn(1_000_000n, 'USDC', 'USD')).toBeGreaterThan(99n);
  expect(rules.worthIn(1_000_000n, 'USDC', 'USD')).toBeLessThan(102n);
});
