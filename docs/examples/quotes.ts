import type { Recorder, Values } from './recorder.ts';

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
