import { componentSchema } from '../../../sandbox/server/contract-schemas.ts';
import { Service, expect, test } from '../support/test.ts';

test('a transaction shows whom its quote names, and its fees', async ({ caller }) => {
  const at = await Service.at(caller, 'customer', { destinationKind: 'UMA_ADDRESS' });
  const quote = await at.quote({ platformFeeOverride: { fixedFee: 30 } });
  const { body } = await at.send('GET', `/transactions/${quote.body.transactionId}`);
  expect(body).toMatchObject({
    source: at.values['source'],
    destination: { destinationType: 'UMA_ADDRESS', umaAddress: at.values['umaAddress'] },
    platformFees: 30,
  });
  const funded = await Service.at(caller, 'quote-source', { kind: 'REALTIME_FUNDING' });
  const paidIn = await funded.send('GET', `/transactions/${(await funded.quote()).body.transactionId}`);
  expect(JSON.stringify(paidIn.body)).not.toContain('outside:');
  expect(paidIn.body.source.sourceType).toBe('REALTIME_FUNDING');
});

test('every account type can be paid in to', async ({ caller }) => {
  for (const accountType of componentSchema('PaymentAccountType')['enum'] as string[]) {
    const at = await Service.at(caller, 'quote-source', { kind: 'REALTIME_FUNDING', accountType });
    const info = (await at.quote()).body.paymentInstructions[0].accountOrWalletInfo;
    expect(info.accountType).toBe(accountType);
    expect(Object.keys(info)).toContain(accountType.endsWith('_ACCOUNT') ? 'accountNumber' : 'address');
    expect('invoice' in info).toBe(['LIGHTNING', 'SPARK_WALLET'].includes(accountType));
  }
});
