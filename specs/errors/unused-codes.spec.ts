import { randomUUID } from 'node:crypto';
import { newEmail, test, type Answer, type QuoteCustomer } from '../../suite/index.ts';
import { fresh, type CustomerBodies } from '../support/customers.ts';

/** Input that the catalogue has a code for, without saying which input gets it. */
const INPUT: Readonly<Record<string, (customer: QuoteCustomer) => object>> = {
  'a payment to the account that it comes from': (customer) => ({
    destination: { destinationType: 'ACCOUNT', accountId: customer.state.sourceAccountId },
  }),
  'an amount of nothing': () => ({ lockedCurrencyAmount: 0 }),
  'a negative amount': () => ({ lockedCurrencyAmount: -1 }),
  'an amount beyond every balance': () => ({ lockedCurrencyAmount: Number.MAX_SAFE_INTEGER }),
  'a UMA address that is none': () => ({
    destination: { destinationType: 'UMA_ADDRESS', umaAddress: 'no address' },
  }),
  'a destination of no kind': () => ({ destination: { destinationType: 'NO_SUCH_KIND' } }),
  'a currency that is none': () => ({ source: { sourceType: 'REALTIME_FUNDING', currency: 'ZZZ' } }),
  'no destination': () => ({ destination: undefined }),
};

test('which codes the catalogue lists without a condition come, and for what', async ({
  given,
  need,
  platform,
  observe,
}) => {
  const customer = await given.customer();
  need(await customer.create()).available();
  const found: Record<string, string> = {};
  const answers: Answer[] = [];
  for (const [what, change] of Object.entries(INPUT)) {
    const answer = await customer.create(change(customer) as Record<string, unknown>, {
      label: `a quote with ${what}`,
    });
    answers.push(answer);
    found[what] = described(answer);
  }
  const missing = await platform.call('createCustomer', {
    label: 'a customer about whom nothing is told',
    body: platform.filled('createCustomer', {
      customerType: 'INDIVIDUAL',
      platformCustomerId: `assay-${randomUUID()}`,
      email: newEmail(),
    }),
  });
  const account = await platform.call('createExternalAccount', {
    label: 'a bank account that is none',
    body: {
      customerId: customer.state.customerId,
      currency: 'USD',
      accountInfo: { accountType: 'USD_ACCOUNT', accountNumber: '', routingNumber: 'none' },
    },
  });
  const nothing = await platform.call('getTransaction', {
    label: 'an unknown transaction',
    path: { transactionId: `Transaction:${randomUUID()}` },
  });
  observe(
    'unused-codes-seen',
    {
      ...found,
      'a customer about whom nothing is told': described(missing),
      'a bank account that is none': described(account),
      'an unknown transaction': described(nothing),
    },
    ...answers,
    missing,
    account,
    nothing,
  );
});

test('how an entry of details.errors writes an element of a list', async ({
  given,
  need,
  platform,
  observe,
}) => {
  const { without } = await given.state<CustomerBodies>('due-diligence', {}, ['without']);
  const answer = await platform.call('createCustomer', {
    label: 'a customer with a list of owners that are none',
    body: platform.filled('createCustomer', {
      ...fresh(without),
      customerType: 'BUSINESS',
      beneficialOwners: [{ countryOfIssuance: 'Nowhere' }],
      endUserTermsConsent: [1],
    }),
  });
  need(answer).refused();
  const errors = (answer.body as { details?: { errors?: readonly { field?: unknown }[] } } | undefined)
    ?.details?.errors;
  const fields = Array.isArray(errors) ? errors.map((error) => String(error?.field)) : [];
  observe(
    'field-error-array-path',
    fields.filter((field) => /\d|\[/.test(field)).at(0) ?? 'no field within a list was named',
    answer,
  );
});

test('how client credentials are issued', async ({ platform, observe }) => {
  const answer = await platform.call(
    { method: 'GET', path: '/tokens' },
    { label: 'whether API tokens can be listed' },
  );
  observe(
    'credentials-issued-how',
    answer.exchange.response && answer.accepted
      ? 'API tokens can be listed'
      : 'outside of the operations that are known',
    answer,
  );
});

function described(answer: Answer): string {
  const code = answer.exchange.response ? answer.code : undefined;
  return code === undefined ? answer.outcome : `${answer.outcome} ${code}`;
}
