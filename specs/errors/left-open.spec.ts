import { randomUUID } from 'node:crypto';
import { newEmail, ORDINARY_AMOUNT, test, type Answer, type QuoteCustomer } from '../../suite/index.ts';
import { fresh, type CustomerBodies } from '../support/customers.ts';

/** Far beyond what a transfer-out can need, in bytes. */
const OVERSIZED = 2 * 1024 * 1024;

/** What an answer looks like: whether its body is the documented one is no question where the interface is silent. */
function described(answer: Answer): unknown {
  if (!answer.exchange.response) return answer.outcome;
  const { body } = answer as { body: { code?: unknown; message?: unknown; status?: unknown } | undefined };
  const known = ['status', 'code', 'message'].filter(
    (name) => body !== null && typeof body === 'object' && name in body,
  );
  return {
    status: answer.status,
    code: answer.code ?? 'none',
    body:
      body === undefined
        ? 'not JSON'
        : known.length === 3
          ? 'the error body'
          : `JSON with ${known.join(', ') || 'none of its fields'}`,
  };
}

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

test('what a path that is no operation answers', async ({ platform, observe }) => {
  const answer = await platform.call(
    { method: 'GET', path: '/no-such-route' },
    { label: 'a path that is no operation' },
  );
  observe('unknown-route', described(answer), answer);
});

test('what a wrong method answers', async ({ given, recorder, observe }) => {
  const agent = await given.agent();
  for (const method of ['PUT', 'GET', 'DELETE']) {
    const answer = await recorder.call({
      operation: { method, path: '/agents/me/transfer-out' },
      authorization: agent.authorization,
      label: `${method} of transfer-out`,
    });
    observe('wrong-method', { method, ...(described(answer) as object) }, answer);
  }
});

test('what another content type gets', async ({ given, observe }) => {
  const agent = await given.agent();
  await agent.mustTransfer();
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', undefined]) {
    const answer = await agent.transferOut(
      {},
      { headers: { 'content-type': type }, label: `a body as ${type ?? 'no content type'}` },
    );
    observe('wrong-content-type', { type: type ?? 'none', ...(described(answer) as object) }, answer);
  }
});

test('what a very large body gets', async ({ given, observe }) => {
  const agent = await given.agent();
  await agent.mustTransfer();
  const answer = await agent.transferOut({ metadata: 'x'.repeat(OVERSIZED) }, `a body of ${OVERSIZED} bytes`);
  observe('oversized-body', described(answer), answer);
});

test('what a second decision gets', async ({ given, need, observe }) => {
  const agent = await given.agent({ execution: 'APPROVAL_REQUIRED' });
  const pending = await agent.mustTransfer({ amount: ORDINARY_AMOUNT });
  const id = need.offered((pending.body as { id?: string }).id, 'the action came without an id');
  need(await agent.approve(id)).available();
  const again = await agent.approve(id, 'a second approval');
  if (again.status === 409) observe('bodies-of-409-423-429', described(again), again);
});

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
    const answer = await customer.create(change(customer) as Record<string, unknown>, `a quote with ${what}`);
    answers.push(answer);
    found[what] = outcomeAndCode(answer);
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
      'a customer about whom nothing is told': outcomeAndCode(missing),
      'a bank account that is none': outcomeAndCode(account),
      'an unknown transaction': outcomeAndCode(nothing),
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

function outcomeAndCode(answer: Answer): string {
  const code = answer.exchange.response ? answer.code : undefined;
  return code === undefined ? answer.outcome : `${answer.outcome} ${code}`;
}
