import { expect, test } from '../../support/test.ts';
import { Service } from '../../support/service.ts';

test('a configured fee is part of the fees, and the override of one quote stands in for it', async ({
  caller,
}) => {
  const at = await Service.at(caller, 'platform-config');
  const fee = async (changes?: object) => (await at.quote(changes)).body.platformFeesIncluded as number;
  const before = (await at.quote()).body.feesIncluded as number;
  for (const [name, expected] of [
    ['variable', 50],
    ['fixed', 100],
    ['both', 150],
    ['none', 0],
  ] as const) {
    expect((await at.send('PATCH', '/config', at.values[name])).status).toBe(200);
    expect(await fee(), name).toBe(expected);
    expect((await at.quote()).body.feesIncluded).toBe(before + expected);
  }
  expect(await fee({ platformFeeOverride: at.values['feeOverride'] })).toBe(777);
  expect(await fee()).toBe(0);
});

test('fees need a sending currency of US dollars', async ({ caller }) => {
  const at = await Service.at(caller, 'quote-source', {
    platformFee: 300,
    currency: 'EUR',
    destinationCurrency: 'USD',
  });
  expect((await at.quote()).body.platformFeesIncluded).toBe(0);
  const dollars = await Service.at(caller, 'quote-source', { platformFee: 300 });
  expect((await dollars.quote()).body.platformFeesIncluded).toBe(300);
});

test('other fee spellings are understood, negative fees are not', async ({ caller }) => {
  const at = await Service.at(caller, 'platform-config');
  const configs = { USD: { variable: { rateBps: 100 }, fixed: { amount: 25 } } };
  await at.send('PATCH', '/config', { feeConfigs: configs });
  expect((await at.quote()).body.platformFeesIncluded).toBe(125);
  expect((await at.send('PATCH', '/config', { feeConfigs: [{ fixedFee: -1 }] })).status).toBe(400);
});
