import { listening } from '../../tests/support/servers.ts';

/** What an answer holds. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Values = Record<string, any>;

/** Sends one request as the platform, or with the token of an agent, and gives back the body of the answer. */
export type Ask = (line: string, body?: unknown, token?: string) => Promise<Values>;

/** Walks the operations that only the sandbox has, and the lists and cards that no test of the suite asks for. */
export async function walkSteering(ask: Ask): Promise<void> {
  const { id: customerId } = await ask('POST /customers', { email: 'ada@example.com' });
  const decided = { kyc: 'APPROVED', termsAccepted: true, limits: { dailyVolume: 1_000_000 } };
  await ask(`GET /sandbox/customers/${customerId}`);
  await ask(`PATCH /sandbox/customers/${customerId}`, { ...decided, sca: { challenges: 2 } });
  await ask(`PATCH /sandbox/customers/${customerId}`, { sca: null, typo: true });
  await ask(`PATCH /sandbox/customers/${customerId}`, { sca: null });
  await accounts(ask, customerId);
  await cards(ask, customerId);
  await events(ask, customerId);
  await lists(ask, customerId);
  await ask('POST /sandbox/stablecoin-provider-accounts', { status: 'ACTIVE' });
  await ask('POST /sandbox/clock', { advanceSeconds: 60, customerId });
  await ask('POST /sandbox/platforms');
  await ask('POST /sandbox/reset');
}

async function accounts(ask: Ask, customerId: string): Promise<void> {
  const { data } = await ask(`GET /customers/internal-accounts?customerId=${customerId}&currency=USD`);
  const account = `/sandbox/internal-accounts/${data[0].id}`;
  await ask(`POST ${account}/fund`, { amount: 100_000 });
  await ask(`POST ${account}/receive`, { amount: 2_500 });
  const payee = { accountType: 'USD_ACCOUNT', accountNumber: '12345678' };
  const { id } = await ask('POST /customers/external-accounts', {
    ...{ customerId, currency: 'USD', accountInfo: payee },
  });
  await ask(`POST /sandbox/external-accounts/${id}/liveness`, { outcome: 'FAILED' });
  await ask(`PATCH /sandbox/external-accounts/${id}`, { status: 'ACTIVE' });
  const credentials = ['EMAIL_OTP'];
  const wallet = await ask('POST /sandbox/wallets', { customerId, credentials });
  const owned = await ask(`GET /auth/credentials?accountId=${wallet['id']}`);
  const credential = owned['data'][0].id as string;
  await ask(`GET /sandbox/credentials/${credential}/code`);
  await ask(`POST /auth/credentials/${credential}/challenge`);
  await ask(`GET /sandbox/credentials/${credential}/code`);
}

async function cards(ask: Ask, customerId: string): Promise<void> {
  const { id } = await ask('POST /cards', { cardholderId: customerId });
  const simulate = (step: string, body?: object) => ask(`POST /sandbox/cards/${id}/simulate/${step}`, body);
  for (const steps of [['partial-settlement', 'settlement', 'refund', 'exception'], ['exception']]) {
    const { id: cardTransactionId } = await simulate('authorization', { amount: 1_000 });
    for (const step of steps) await simulate(step, { cardTransactionId });
  }
}

async function events(ask: Ask, customerId: string): Promise<void> {
  await using endpoint = await listening((_request, response) => void response.end());
  await ask(`PATCH /sandbox/customers/${customerId}`, { webhookEndpoint: endpoint.origin });
  for (const path of ['/sandbox/webhooks/test', '/webhooks/test']) {
    await ask(`POST ${path}`);
    await ask(`POST ${path}?customerId=${customerId}`);
  }
  for (const [direction, status] of [
    ['INCOMING', 'COMPLETED'],
    ['OUTGOING', 'FAILED'],
  ]) {
    const { refund } = await ask('POST /sandbox/refunds', { customerId, direction });
    await ask(`POST /sandbox/refunds/${refund.id}`, { status });
    await ask(`POST /sandbox/refunds/${refund.id}`, { status });
  }
  const { data } = await ask('GET /sandbox/webhooks/deliveries');
  await ask(`POST /sandbox/webhooks/deliveries/${data[0].id}/redeliver`);
}

async function lists(ask: Ask, customerId: string): Promise<void> {
  const policy = { permissions: ['CREATE_QUOTES'], defaultExecutionMode: 'AUTO' };
  const { agent, deviceCode } = await ask('POST /agents', { name: 'Payables', customerId, policy });
  await ask(`GET /agents/${agent.id}`);
  const { accessToken } = await ask(`POST /agents/device-codes/${deviceCode}/redeem`);
  const { data: mine } = await ask('GET /agents/me/internal-accounts', undefined, accessToken as string);
  const quote = {
    source: { sourceType: 'ACCOUNT', accountId: mine[0].id as string },
    destination: { destinationType: 'UMA_ADDRESS', umaAddress: '$ada@uma.example' },
    ...{ lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 1_000 },
  };
  const { id } = await ask('POST /agents/me/quotes', quote, accessToken as string);
  await ask(`GET /agents/me/quotes/${id}`, undefined, accessToken as string);
  for (const path of ['agents', 'config', 'customers', 'customers/external-accounts', 'transactions'])
    await ask(`GET /${path}`);
}
