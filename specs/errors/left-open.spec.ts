import { randomUUID } from 'node:crypto';
import { newEmail, ORDINARY_AMOUNT, test, type Answer, type QuoteCustomer } from '../../suite/index.ts';
import { fresh, type CustomerBodies } from '../support/customers.ts';

/** Far beyond what a transfer-out can need, in bytes. */
const OVERSIZED = 2 * 1024 * 1024;

/** What an answer looks like: whether its body is the documented one is no question where the interface is silent. */
function described(answer: Answer): object {
  if (!answer.exchange.response) return { status: answer.outcome };
  const body = answer.body as object | null | undefined;
  const known = ['status', 'code', 'message'].filter(
    (name) => typeof body === 'object' && body !== null && name in body,
  );
  const fields =
    known.length === 3 ? 'the error body' : `JSON with ${known.join(', ') || 'none of its fields'}`;
  return {
    status: answer.status,
    code: answer.code ?? 'none',
    body: body === undefined ? 'not JSON' : fields,
  };
}

/** Input that the catalogue has a code for, without saying which input gets it. */
const INPUT: Readonly<Record<string, (customer: QuoteCustomer) => Readonly<Record<string, unknown>>>> = {
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

test('what a wrong method, another content type and a very large body get', async ({
  given,
  recorder,
  observe,
}) => {
  const agent = await given.agent();
  const { authorization } = agent;
  for (const method of ['PUT', 'GET', 'DELETE']) {
    const operation = { method, path: '/agents/me/transfer-out' };
    const answer = await recorder.call({ operation, authorization, label: `${method} of transfer-out` });
    observe('wrong-method', { method, ...described(answer) }, answer);
  }
  await agent.needTransfer();
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', undefined]) {
    const label = `a body as ${type ?? 'no content type'}`;
    const answer = await agent.transferOut({}, { headers: { 'content-type': type }, label });
    observe('wrong-content-type', { type: type ?? 'none', ...described(answer) }, answer);
  }
  const answer = await agent.transferOut({ metadata: 'x'.repeat(OVERSIZED) }, `a body of ${OVERSIZED} bytes`);
  observe('oversized-body', described(answer), answer);
});

test('what a second decision gets', async ({ given, need, observe }) => {
  const agent = await given.agent({ execution: 'APPROVAL_REQUIRED' });
  const pending = await agent.needTransfer({ amount: ORDINARY_AMOUNT });
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
  const answers: Readonly<Record<string, Answer>> = {
    ...(await answersTo(INPUT, (change, what) => customer.create(change(customer), `a quote with ${what}`))),
    ...(await answersTo(
      {
        'a customer about whom nothing is told': {
          operation: 'createCustomer',
          body: platform.filled('createCustomer', {
            customerType: 'INDIVIDUAL',
            platformCustomerId: `assay-${randomUUID()}`,
            email: newEmail(),
          }),
        },
        'a bank account that is none': {
          operation: 'createExternalAccount',
          body: {
            customerId: customer.state.customerId,
            currency: 'USD',
            accountInfo: { accountType: 'USD_ACCOUNT', accountNumber: '', routingNumber: 'none' },
          },
        },
        'an unknown transaction': {
          operation: 'getTransaction',
          path: { transactionId: `Transaction:${randomUUID()}` },
        },
      },
      ({ operation, ...parts }, label) => platform.call(operation, { ...parts, label }),
    )),
  };
  const found = Object.entries(answers).map(([what, answer]) => {
    const code = answer.exchange.response ? answer.code : undefined;
    return [what, code === undefined ? answer.outcome : `${answer.outcome} ${code}`];
  });
  observe('unused-codes-seen', Object.fromEntries(found), ...Object.values(answers));
});

/** What each of these gets, by its name. */
async function answersTo<T>(
  cases: Readonly<Record<string, T>>,
  send: (one: T, name: string) => Promise<Answer>,
): Promise<Readonly<Record<string, Answer>>> {
  const answers: Record<string, Answer> = {};
  for (const [name, one] of Object.entries(cases)) answers[name] = await send(one, name);
  return answers;
}

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
