import { expect, test, Wallet, type Wallets } from '../../support/mini/wallet.ts';

/** A Global Account with money, its owner's session, and the quote that takes money from it. */
async function prepare(at: Wallets) {
  const state = await at.state('wallet-payment');
  const wallet = new Wallet(at, { ...state, email: '' });
  const { key } = await wallet.loginByCode();
  const quote = await at.post('/quotes', state.body);
  expect(quote.status, JSON.stringify(quote.body)).toBe(201);
  const execution = { method: 'POST', path: `/quotes/${quote.body.id}/execute` } as const;
  return { state, wallet, key, execution };
}

async function held(wallet: Wallet): Promise<number> {
  const { body } = await wallet.at.get(`/customers/internal-accounts?customerId=${wallet.customerId}`);
  return body.data.find(({ id }: { id: string }) => id === wallet.accountId).balance.amount;
}

test('a quote from a Global Account is executed once its session has signed', async ({ wallets }) => {
  const { wallet, key, execution } = await prepare(wallets());
  const before = await held(wallet);
  expect((await wallet.at.send(execution)).status).toBe(202);
  expect(await held(wallet)).toBe(before);
  expect((await wallet.signed(execution, key)).status).toBe(200);
  expect(await held(wallet)).toBeLessThan(before);
});

test('a session of another account does not sign it', async ({ wallets }) => {
  const { wallet, execution } = await prepare(wallets());
  const before = await held(wallet);
  const other = await prepare(wallets());
  expect((await wallet.signed(execution, other.key)).status).toBe(401);
  expect(await held(wallet)).toBe(before);
});

test('an agent pays from an ordinary account and from no Global Account', async ({ wallets }) => {
  const at = wallets();
  const { state, wallet } = await prepare(at);
  const authorization = `Bearer ${state.accessToken}`;
  const transfer = (accountId: string) =>
    at.post(
      '/agents/me/transfer-out',
      { source: { accountId }, destination: { accountId: state.destinationAccountId }, amount: 1_000 },
      { authorization },
    );
  const before = await held(wallet);
  expect((await transfer(state.sourceAccountId)).status).toBe(201);
  expect((await transfer(state.accountId)).status).toBe(403);
  const quote = await at.post('/agents/me/quotes', state.body, { authorization });
  const path = `/agents/me/quotes/${quote.body.id}/execute`;
  expect((await at.post(path, undefined, { authorization })).status).toBe(403);
  expect(await held(wallet)).toBe(before);
});
