import { Service, expect, test, type Answer, type Caller } from '../support/test.ts';

const PERMISSIONS = ['CREATE_TRANSFERS', 'CREATE_QUOTES', 'EXECUTE_QUOTES'];

/** An agent of a customer, with its own policy. */
async function spender(caller: Caller, policy: object) {
  const at = await Service.at(caller, 'customer', { destinationCurrency: 'USD' });
  const { customerId, sourceAccountId, destinationAccountId } = at.values;
  const body = { name: 'Spender', customerId, policy: { permissions: PERMISSIONS, ...policy } };
  const created = await at.send('POST', '/agents', body);
  const redeemed = await at.send('POST', `/agents/device-codes/${created.body.deviceCode}/redeem`);
  const [source, destination] = [{ accountId: sourceAccountId }, { accountId: destinationAccountId }];
  const send = (path: string, body?: unknown, key?: string): Promise<Answer> => {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    return caller.send('POST', `/agents/me${path}`, `Bearer ${redeemed.body.accessToken}`, body, headers);
  };
  const agent = {
    at,
    out: (amount: number, key?: string) => send('/transfer-out', { source, destination, amount }, key),
    in: (amount: number, key?: string) =>
      send('/transfer-in', { source: destination, destination: source, amount }, key),
    quote: (lockedCurrencyAmount: number) => send('/quotes', { ...at.values['body'], lockedCurrencyAmount }),
    execute: (quote: Answer, key?: string, id = quote.body.id as string) =>
      send(`/quotes/${id}/execute`, undefined, key),
    /** Quotes and executes. */
    pay: async (amount: number) => {
      const quote = await agent.quote(amount);
      return quote.status < 300 ? agent.execute(quote) : quote;
    },
  };
  return agent;
}

const IN_EUROS = { spendingLimits: { currency: 'EUR', perTransactionLimit: 10_000 } };
const ASKS_IN_EUROS = { approvalThresholds: { currency: 'EUR', amount: 10_000 } };
const OF_NOBODY = {
  accountRestrictions: { allowedAccountIds: ['InternalAccount:00000000-0000-4000-8000-000000000000'] },
};

/** What no spec asks: what is sent in this order, and the status or the state of the action that comes. */
const ROWS: readonly (readonly [what: string, policy: object, steps: string])[] = [
  ['a limit in another currency is one', IN_EUROS, 'out 10500: 201, out 11500: 403, pay 11500: 403'],
  ['so is a threshold', ASKS_IN_EUROS, 'out 10000: APPROVED, out 11500: PENDING_APPROVAL'],
  ['accounts that a policy does not name', OF_NOBODY, 'pay 1000: 403, out 1000: 403, in 1000: 403'],
];

for (const [what, policy, steps] of ROWS)
  test(`${what}: ${steps}`, async ({ caller }) => {
    const agent = await spender(caller, policy);
    for (const step of steps.split(', ')) {
      const [, call, amount, outcome] = /^(out|in|pay) (\d+): (\w+)$/.exec(step)!;
      const { status, body } = await agent[call as 'out' | 'in' | 'pay'](Number(amount));
      expect([String(status), body.code, body.status], step).toContain(outcome);
    }
  });

test('a key means something for one operation on one thing', async ({ caller }) => {
  const agent = await spender(caller, {});
  const pulled = await agent.in(100, 'k1');
  const pushed = await agent.out(100, 'transfer-in k1');
  expect(pushed.body.type).toBe('TRANSFER_OUT');
  expect((await agent.out(100, 'k1')).body.id).not.toBe(pulled.body.id);
  const quote = await agent.quote(1_000);
  const done = await agent.execute(quote, 'k1');
  const again = await agent.execute(quote, 'k1', encodeURIComponent(quote.body.id as string));
  expect(again.text).toBe(done.text);
  expect(await agent.at.balance()).toBe(1_000_000 + 100 - 200 - 1_000);
});
