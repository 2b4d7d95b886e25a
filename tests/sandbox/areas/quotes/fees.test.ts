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
