import { signEd25519 } from '../../client/crypto/index.ts';
import { listening } from '../../tests/support/servers.ts';
import type { Given, Recorder, Values } from './record.ts';

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
  const own = { platform: { clientId, clientSecret } };
  const fees = 'fees: Half a percent and one dollar for each payment in USD.';
  await recorder.call('updateConfig', fees, {}, both, own);
  const cards = 'cards: Ask for a second factor when a card is tokenized.';
  await recorder.call('updateConfig', cards, {}, cardTokenization2fa, own);
}

async function customers(recorder: Recorder): Promise<void> {
  const { consent: endUserTermsConsent } = await recorder.state('terms');
  const { body } = await recorder.state('due-diligence');
  const person = { platformCustomerId: 'customer-104', email: 'ada@example.com' };
  const { id } = await recorder.call(
    'createCustomer',
    'individual: A person who has accepted the terms.',
    {},
    { ...person, ...body, endUserTermsConsent },
  );
  const name = { customerType: 'INDIVIDUAL', fullName: 'Ada Example-Byron' };
  const of: Given = { customerId: id };
  await recorder.call('updateCustomer', 'name: A new name, which nobody has to sign.', of, name);
  await recorder.call('getEndUserTerms', 'current: The terms in force.');
  const { customerId } = await recorder.state('verification');
  await recorder.call('createVerification', 'problems: Two fields are missing.', {}, { customerId });
}

async function contacts(recorder: Recorder): Promise<void> {
  const { customerId, code = '123456' } = await recorder.state('customer', { contactVerification: true });
  for (const channel of ['Email', 'Phone']) {
    await recorder.call(`verify${channel}`, 'sent: A code was sent.', { customerId });
    await recorder.call(`confirm${channel}`, 'confirmed: The code that was sent.', { customerId }, { code });
  }
}

async function accounts(recorder: Recorder): Promise<void> {
  const { customerId, sourceAccountId: id } = await recorder.state('customer');
  await recorder.call('listInternalAccounts', 'ofCustomer: The accounts of one customer.', { customerId });
  await recorder.call('fundInternalAccount', 'funded: Add 1,000.00 USD.', { id }, { amount: 100_000 });
  const accountInfo = {
    accountType: 'USD_ACCOUNT',
    paymentRails: ['ACH', 'WIRE'],
    accountNumber: '000123456789',
    routingNumber: '021000021',
    bankName: 'Example Bank',
  };
  const body = { customerId, currency: 'USD', accountInfo };
  await recorder.call('createExternalAccount', 'bank: A bank account in USD.', {}, body);
  await ownership(recorder);
}

async function ownership(recorder: Recorder): Promise<void> {
  const { destinationAccountId: id, wallet } = await recorder.state('customer', { ownership: 'PENDING' });
  const method = { method: 'WALLET_SIGNATURE' };
  const toSign = 'walletSignature: The wallet has to sign the message.';
  const { messageToSign } = await recorder.call('challengeExternalAccount', toSign, { id }, method);
  const { privateKey } = wallet as { privateKey: string };
  const signature = signEd25519(messageToSign as string, privateKey);
  await recorder.call('verifyExternalAccount', 'signed: The ownership is proved.', { id }, { signature });
}

async function stablecoins(recorder: Recorder): Promise<void> {
  const { clientId, clientSecret, register, mint, burn } = await recorder.state('stablecoin');
  const own = { platform: { clientId, clientSecret } };
  const dollar = 'dollar: A coin on Solana, backed by USD.';
  const { id } = await recorder.call('registerStablecoin', dollar, {}, register, own);
  const of: Given = { stablecoinId: id };
  await recorder.call('mintStablecoin', 'mint: Mint 1,000.00.', of, mint, own);
  await recorder.call('burnStablecoin', 'burn: Burn 400.00.', of, burn, own);
  await recorder.call('listStablecoinOperations', 'all: Every mint and burn.', of, undefined, own);
}

/** Quotes of platforms, with and without strong customer authentication, and the login that it asks for. */
export async function recordQuotes(recorder: Recorder): Promise<void> {
  const { body } = await recorder.state('customer');
  const fromAccount = 'fromAccount: From an internal account in USD to a bank account in EUR.';
  const { id: quoteId } = await recorder.call('createQuote', fromAccount, {}, body);
  await recorder.call('getQuote', 'pending: Not executed yet.', { quoteId });
  await recorder.call('executeQuote', 'executed: The payment is on its way.', { quoteId });
  const funded = await recorder.state('quote-source', { kind: 'REALTIME_FUNDING' });
  const paidIn = 'realtimeFunding: Paid in by the customer: the quote says where to.';
  await recorder.call('createQuote', paidIn, {}, funded['body']);
  await authorize(recorder);
  await login(recorder);
}

async function authorize(recorder: Recorder): Promise<void> {
  const { body, smsCode: code } = await recorder.state('sca-customer', { challenges: 2 });
  const regulated = 'toAuthorize: In a region with strong customer authentication.';
  const { id: quoteId } = await recorder.call('createQuote', regulated, {}, body);
  const prove = (example: string) => recorder.call('authorizeQuote', example, { quoteId }, { code });
  await prove('firstStep: The next challenge comes with the quote.');
  await prove('lastStep: Nothing is left to authorize.');
}

async function login(recorder: Recorder): Promise<void> {
  const { customerId, smsCode: code } = await recorder.state('sca-customer', { loggedIn: false });
  const sent = 'bySms: A code is sent to the phone.';
  const { id } = await recorder.call('startScaLogin', sent, { customerId }, { factor: 'SMS_OTP' });
  const proof = { challengeId: id as string, code };
  await recorder.call('completeScaLogin', 'bySms: The code of the text message.', { customerId }, proof);
}

/** Events, as they come in at an endpoint. */
export async function recordEvents(recorder: Recorder): Promise<void> {
  let take: (event: Values) => void;
  const event = new Promise<Values>((resolve) => (take = resolve));
  await using endpoint = await listening((_request, response, text) => {
    response.end();
    take(JSON.parse(text) as Values);
  });
  const { customerId } = await recorder.state('customer');
  await recorder.state('webhook', { url: endpoint.origin, customerId });
  await recorder.state('incoming-refund', { customerId, to: 'PENDING' });
  const pending = 'The refund of an incoming payment is pending.';
  recorder.keepRequest('receiveEvent', 'refundPending', pending, await event);
}
