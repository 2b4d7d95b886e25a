import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signEd25519 } from '../../client/crypto/index.ts';
import type { Recorder, Values } from './record.ts';

/** What a platform sets up: its configuration, customers, accounts and stablecoins. */
export async function recordPlatforms(recorder: Recorder): Promise<void> {
  await configure(recorder);
  await customers(recorder);
  await contacts(recorder);
  await accounts(recorder);
  await stablecoins(recorder);
}

async function configure(recorder: Recorder): Promise<void> {
  const { clientId, clientSecret, both, cardTokenization2fa } = await recorder.state('platform-config');
  const platform = { clientId, clientSecret };
  await recorder.call('updateConfig', {
    name: 'fees',
    summary: 'Half a percent and one dollar for each payment in USD.',
    platform,
    body: both,
  });
  await recorder.call('updateConfig', {
    name: 'cards',
    summary: 'Ask for a second factor when a card is tokenized.',
    platform,
    body: cardTokenization2fa,
  });
}

async function customers(recorder: Recorder): Promise<void> {
  const { consent } = await recorder.state('terms');
  const { body } = await recorder.state('due-diligence');
  const { id } = await recorder.call('createCustomer', {
    name: 'individual',
    summary: 'A person who has accepted the terms.',
    body: {
      platformCustomerId: 'customer-104',
      email: 'ada@example.com',
      ...body,
      endUserTermsConsent: consent,
    },
  });
  await recorder.call('updateCustomer', {
    name: 'name',
    summary: 'A new name, which nobody has to sign.',
    path: { customerId: id },
    body: { customerType: 'INDIVIDUAL', fullName: 'Ada Example-Byron' },
  });
  await recorder.call('getEndUserTerms', { name: 'current', summary: 'The terms in force.' });
  const { customerId } = await recorder.state('verification');
  await recorder.call('createVerification', {
    name: 'problems',
    summary: 'Two fields are missing.',
    body: { customerId },
  });
}

async function contacts(recorder: Recorder): Promise<void> {
  const { customerId, code = '123456' } = await recorder.state('customer', { contactVerification: true });
  for (const channel of ['Email', 'Phone']) {
    const path = { customerId: customerId as string };
    await recorder.call(`verify${channel}`, { name: 'sent', summary: 'A code was sent.', path });
    await recorder.call(`confirm${channel}`, {
      name: 'confirmed',
      summary: 'The code that was sent.',
      path,
      body: { code },
    });
  }
}

async function accounts(recorder: Recorder): Promise<void> {
  const { customerId, sourceAccountId } = await recorder.state('customer');
  await recorder.call('listInternalAccounts', {
    name: 'ofCustomer',
    summary: 'The accounts of one customer.',
    query: { customerId },
  });
  await recorder.call('fundInternalAccount', {
    name: 'funded',
    summary: 'Add 1,000.00 USD.',
    path: { id: sourceAccountId },
    body: { amount: 100_000 },
  });
  await recorder.call('createExternalAccount', {
    name: 'bank',
    summary: 'A bank account in USD.',
    body: {
      customerId,
      currency: 'USD',
      accountInfo: {
        accountType: 'USD_ACCOUNT',
        paymentRails: ['ACH', 'WIRE'],
        accountNumber: '000123456789',
        routingNumber: '021000021',
        bankName: 'Example Bank',
      },
    },
  });
  await ownership(recorder);
}

async function ownership(recorder: Recorder): Promise<void> {
  const prepared = await recorder.state('customer', { ownership: 'PENDING' });
  const path = { id: prepared['destinationAccountId'] as string };
  const challenge = await recorder.call('challengeExternalAccount', {
    name: 'walletSignature',
    summary: 'The wallet has to sign the message.',
    path,
    body: { method: 'WALLET_SIGNATURE' },
  });
  await recorder.call('verifyExternalAccount', {
    name: 'signed',
    summary: 'The ownership is proved.',
    path,
    body: { signature: signEd25519(challenge['messageToSign'] as string, seedOf(prepared)) },
  });
}

function seedOf(prepared: Values): string {
  return (prepared['wallet'] as { privateKey: string }).privateKey;
}

async function stablecoins(recorder: Recorder): Promise<void> {
  const { clientId, clientSecret, register, mint, burn } = await recorder.state('stablecoin');
  const platform = { clientId, clientSecret };
  const { id } = await recorder.call('registerStablecoin', {
    name: 'dollar',
    summary: 'A coin on Solana, backed by USD.',
    platform,
    body: register,
  });
  const coin = { platform, path: { stablecoinId: id as string } };
  await recorder.call('mintStablecoin', { name: 'mint', summary: 'Mint 1,000.00.', ...coin, body: mint });
  await recorder.call('burnStablecoin', { name: 'burn', summary: 'Burn 400.00.', ...coin, body: burn });
  await recorder.call('listStablecoinOperations', {
    name: 'all',
    summary: 'Every mint and burn.',
    ...coin,
  });
}

/** Quotes of platforms, with and without strong customer authentication, and the login that it asks for. */
export async function recordQuotes(recorder: Recorder): Promise<void> {
  const { body } = await recorder.state('customer');
  const quote = await recorder.call('createQuote', {
    name: 'fromAccount',
    summary: 'From an internal account in USD to a bank account in EUR.',
    body,
  });
  const path = { quoteId: quote['id'] as string };
  await recorder.call('getQuote', { name: 'pending', summary: 'Not executed yet.', path });
  await recorder.call('executeQuote', { name: 'executed', summary: 'The payment is on its way.', path });
  const funded = await recorder.state('quote-source', { kind: 'REALTIME_FUNDING' });
  await recorder.call('createQuote', {
    name: 'realtimeFunding',
    summary: 'Paid in by the customer: the quote says where to.',
    body: funded['body'],
  });
  await authorize(recorder);
  await login(recorder);
}

async function authorize(recorder: Recorder): Promise<void> {
  const { body, smsCode } = await recorder.state('sca-customer', { challenges: 2 });
  const quote = await recorder.call('createQuote', {
    name: 'toAuthorize',
    summary: 'In a region with strong customer authentication.',
    body,
  });
  const prove = (name: string, summary: string): Promise<Values> =>
    recorder.call('authorizeQuote', {
      name,
      summary,
      path: { quoteId: quote['id'] },
      body: { code: smsCode },
    });
  await prove('firstStep', 'The next challenge comes with the quote.');
  await prove('lastStep', 'Nothing is left to authorize.');
}

async function login(recorder: Recorder): Promise<void> {
  const { customerId, smsCode } = await recorder.state('sca-customer', { loggedIn: false });
  const query = { customerId: customerId as string };
  const challenge = await recorder.call('startScaLogin', {
    name: 'bySms',
    summary: 'A code is sent to the phone.',
    query,
    body: { factor: 'SMS_OTP' },
  });
  await recorder.call('completeScaLogin', {
    name: 'bySms',
    summary: 'The code of the text message.',
    query,
    body: { challengeId: challenge['id'], code: smsCode },
  });
}

/** Events, as they come in at an endpoint. */
export async function recordEvents(recorder: Recorder): Promise<void> {
  const endpoint = createServer();
  endpoint.listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
  try {
    const { customerId } = await recorder.state('customer');
    await recorder.state('webhook', { url, customerId });
    const event = nextEvent(endpoint);
    await recorder.state('incoming-refund', { customerId, to: 'PENDING' });
    recorder.keepRequest(
      'receiveEvent',
      'refundPending',
      'The refund of an incoming payment is pending.',
      await event,
    );
  } finally {
    endpoint.close();
    endpoint.closeAllConnections();
  }
}

async function nextEvent(endpoint: ReturnType<typeof createServer>): Promise<unknown> {
  const [request, response] = (await once(endpoint, 'request')) as [IncomingMessage, ServerResponse];
  const body = Buffer.concat(await request.toArray()).toString();
  response.end();
  return JSON.parse(body);
}
