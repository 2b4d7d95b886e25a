import { componentSchema } from '../../../../sandbox/server/contract-schemas.ts';
import { Service, expect, test } from '../../support/test.ts';

const ID = (type: string) => expect.stringMatching(new RegExp(`^${type}:[0-9a-f-]{36}$`));

test('a quote shows every field, executes once and settles', async ({ caller }) => {
  const at = await Service.at(caller, 'customer');
  const quote = await at.quote();
  expect(quote).toMatchObject({
    status: 201,
    body: {
      id: ID('Quote'),
      status: 'PENDING',
      source: { sourceType: 'ACCOUNT', accountId: at.values['sourceAccountId'] },
      destination: { destinationType: 'ACCOUNT', accountId: at.values['destinationAccountId'] },
      sendingCurrency: { code: 'USD', decimals: 2 },
      receivingCurrency: { code: 'EUR' },
      totalSendingAmount: 10_000,
      platformFeesIncluded: 0,
      transactionId: ID('Transaction'),
      rateDetails: { serviceApiVariableFeeRate: 0.5, serviceApiVariableFeeAmount: 50 },
    },
  });
  expect(quote.body).not.toHaveProperty('scaChallenge');
  expect(quote.body).not.toHaveProperty('paymentInstructions');
  expect((await at.execute(quote)).body).toMatchObject({ id: quote.body.id, status: 'PROCESSING' });
  expect((await at.read(quote)).body).toMatchObject({
    status: 'COMPLETED',
    feesIncluded: quote.body.feesIncluded,
  });
  expect(await at.balance()).toBe(990_000);
  expect((await at.execute(quote)).status).toBe(409);
});

test('the receiving side can be locked', async ({ caller }) => {
  const at = await Service.at(caller, 'customer');
  const { body } = await at.quote({ lockedCurrencySide: 'RECEIVING', lockedCurrencyAmount: 5000 });
  expect(body.totalReceivingAmount).toBe(5000);
  expect(body.totalSendingAmount).toBeGreaterThan(5000 + body.feesIncluded);
});

test('expiresAt and nothing else ends a quote', async ({ caller }) => {
  const at = await Service.at(caller, 'customer');
  const [early, late] = [await at.quote(), await at.quote()];
  const lifetime = (Date.parse(early.body.expiresAt) - Date.parse(early.body.createdAt)) / 1000;
  await at.pass(lifetime - 5);
  expect((await at.execute(early)).status).toBe(200);
  await at.pass(10);
  expect((await at.execute(late)).status).toBe(409);
  expect((await at.read(late)).body.status).toBe('EXPIRED');
});

test('a failed execution gives the money back', async ({ caller }) => {
  const at = await Service.at(caller, 'customer', { executionFails: true });
  const quote = await at.quote();
  await at.execute(quote);
  expect((await at.read(quote)).body.status).toBe('FAILED');
  expect(await at.balance()).toBe(1_000_000);
  expect((await at.send('GET', `/transactions/${quote.body.transactionId}`)).body).toMatchObject({
    status: 'FAILED',
    failureReason: 'QUOTE_EXECUTION_FAILED',
  });
});

test('without terms or not ready there is no quote, with consent there is', async ({ caller }) => {
  const at = await Service.at(caller, 'customer', { termsAccepted: false });
  expect((await at.quote()).body).toMatchObject({ status: 403, code: 'END_USER_TERMS_NOT_ACCEPTED' });
  const endUserTermsConsent = {
    acceptedAt: '2026-08-02T10:00:00Z',
    ipAddress: '192.0.2.1',
    termsVersion: at.values['termsVersion'],
    acceptanceMethod: 'CHECKBOX',
  };
  const path = `/customers/${at.values['customerId']}`;
  expect((await at.send('PATCH', path, { endUserTermsConsent })).status).toBe(200);
  expect((await at.quote()).status).toBe(201);
  const unready = await Service.at(caller, 'customer', { ready: false });
  expect((await unready.quote()).body).toMatchObject({ status: 403, code: 'USER_NOT_READY' });
});

test('UMA addresses receive, unless nobody is there', async ({ caller }) => {
  const at = await Service.at(caller, 'customer', { destinationKind: 'UMA_ADDRESS' });
  const quote = await at.quote();
  expect(quote.body).toMatchObject({
    destination: { destinationType: 'UMA_ADDRESS' },
    counterpartyInformation: {},
  });
  expect((await at.execute(quote)).status).toBe(200);
  const to = (umaAddress: string) =>
    at.quote({ destination: { destinationType: 'UMA_ADDRESS', umaAddress } });
  expect((await to(at.values['unknownUmaAddress'])).body).toMatchObject({
    status: 404,
    code: 'UMA_NOT_FOUND',
  });
  expect((await to('ada')).body).toMatchObject({ status: 400, code: 'INVALID_UMA_ADDRESS' });
});

test('every invalid field of a quote request is named at once', async ({ caller }) => {
  const at = await Service.at(caller, 'customer');
  const answer = await at.quote({
    source: { sourceType: 'ACCOUNT' },
    lockedCurrencySide: 'MIDDLE',
    lockedCurrencyAmount: 0.5,
  });
  expect(answer.status).toBe(400);
  expect(answer.body.details.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
    'lockedCurrencyAmount',
    'lockedCurrencySide',
    'source.accountId',
  ]);
});

test('quotes, customers and accounts of others are not found', async ({ caller }) => {
  const at = await Service.at(caller, 'customer');
  const other = await Service.at(caller, 'customer', { ownPlatform: true });
  const quote = await other.quote();
  expect(quote.status).toBe(201);
  expect((await at.read(quote)).body.code).toBe('QUOTE_NOT_FOUND');
  expect((await at.execute(quote)).status).toBe(404);
  expect((await at.quote({ source: other.values['source'] })).status).toBe(404);
  expect((await at.quote({ destination: other.values['destination'] })).status).toBe(404);
});

const types = componentSchema('PaymentAccountType')['enum'] as string[];

test('every account type can be paid in to', async ({ caller }) => {
  expect(types).toHaveLength(49);
  for (const accountType of types) {
    const at = await Service.at(caller, 'quote-source', { kind: 'REALTIME_FUNDING', accountType });
    const { body } = await at.quote();
    const info = body.paymentInstructions[0].accountOrWalletInfo;
    expect(info.accountType).toBe(accountType);
    expect(Object.keys(info)).toContain(accountType.endsWith('_ACCOUNT') ? 'accountNumber' : 'address');
    expect('invoice' in info).toBe(['LIGHTNING', 'SPARK_WALLET'].includes(accountType));
  }
});

test('instructions are withheld until the last authorization and then stay the same', async ({ caller }) => {
  const at = await Service.at(caller, 'quote-source', { kind: 'REALTIME_FUNDING', challenges: 2 });
  const quote = await at.quote();
  expect(quote.body.status).toBe('PENDING_AUTHORIZATION');
  expect(quote.body).not.toHaveProperty('paymentInstructions');
  expect((await at.authorize(quote)).body).not.toHaveProperty('paymentInstructions');
  const released = await at.authorize(quote);
  expect(released.body.paymentInstructions).toHaveLength(1);
  expect((await at.read(quote)).body.paymentInstructions).toEqual(released.body.paymentInstructions);
});

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
