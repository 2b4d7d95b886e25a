import { componentSchema } from '../../../../sandbox/server/contract-schemas.ts';
import { expect, test } from '../../support/test.ts';
import { Service } from '../../support/service.ts';

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
