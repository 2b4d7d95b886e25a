import { expect, test } from '../../support/test.ts';
import { Service } from '../../support/service.ts';

test('the largest single transaction is allowed, one unit more is not', async ({ caller }) => {
  const at = await Service.at(caller, 'customer', { limits: { transactionSize: 5000 } });
  expect((await at.quote({ lockedCurrencyAmount: 5000 })).status).toBe(201);
  expect((await at.quote({ lockedCurrencyAmount: 5001 })).body).toMatchObject({
    status: 400,
    code: 'TRANSACTION_SIZE_LIMIT_EXCEEDED',
  });
});

test('the daily volume counts what was executed, and the day goes by', async ({ caller }) => {
  const at = await Service.at(caller, 'customer', { limits: { dailyVolume: 20_000 } });
  for (let count = 0; count < 2; count++) expect((await at.execute(await at.quote())).status).toBe(200);
  expect((await at.quote({ lockedCurrencyAmount: 1000 })).body).toMatchObject({
    status: 429,
    code: 'DAILY_VOLUME_LIMIT_EXCEEDED',
  });
  await at.pass(86_401);
  expect((await at.quote()).status).toBe(201);
});

test('a counterparty takes so many payments a day', async ({ caller }) => {
  const at = await Service.at(caller, 'customer', { limits: { velocity: 2 } });
  for (let count = 0; count < 2; count++) expect((await at.execute(await at.quote())).status).toBe(200);
  expect((await at.quote()).body).toMatchObject({ status: 403, code: 'VELOCITY_LIMIT_EXCEEDED' });
});

test('what was quoted before the limit was reached is not executed after', async ({ caller }) => {
  const at = await Service.at(caller, 'customer', { limits: { velocity: 1 } });
  const [first, second] = [await at.quote(), await at.quote()];
  expect((await at.execute(first)).status).toBe(200);
  expect((await at.execute(second)).status).toBe(403);
});
