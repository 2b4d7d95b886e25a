import { expect, test } from '../../support/test.ts';
import { Service } from '../../support/service.ts';
import { assertion } from './passkey.ts';

for (const challenges of [1, 2, 3]) {
  test(`a send with ${challenges} challenges is released after the last one`, async ({ caller }) => {
    const at = await Service.at(caller, 'sca-customer', { challenges });
    let quote = await at.quote();
    const ids = new Set<string>();
    while (quote.body.status === 'PENDING_AUTHORIZATION') {
      expect(quote.body.scaChallenge).toMatchObject({ factor: 'SMS_OTP', availableFactors: ['SMS_OTP'] });
      expect(quote.body.scaChallenge).not.toHaveProperty('passkeyAssertionOptions');
      ids.add(quote.body.scaChallenge.id);
      expect((await at.execute(quote)).status).toBe(409);
      quote = await at.authorize(quote);
    }
    expect(ids.size).toBe(challenges);
    expect(quote.body).not.toHaveProperty('scaChallenge');
    expect((await at.execute(quote)).body.status).toBe('PROCESSING');
  });
}

test('a wrong proof is refused and changes nothing', async ({ caller }) => {
  const at = await Service.at(caller, 'sca-customer');
  const quote = await at.quote();
  for (const proof of [{ code: '000000' }, {}, { code: 123456 }])
    expect((await at.authorize(quote, proof)).status).toBe(400);
  expect((await at.read(quote)).body.scaChallenge).toEqual(quote.body.scaChallenge);
  expect((await at.authorize(quote)).status).toBe(200);
});

test('ten wrong proofs lock the account for a while', async ({ caller }) => {
  const at = await Service.at(caller, 'sca-customer', { challenges: 1 });
  const quote = await at.quote();
  for (let attempt = 0; attempt < 10; attempt++) await at.authorize(quote, { code: '999999' });
  expect((await at.authorize(quote)).body).toMatchObject({
    status: 423,
    code: 'ACCOUNT_LOCKED',
    details: { failedAttempts: 10 },
  });
});

test('an expired challenge cannot be authorized, and ends the quote', async ({ caller }) => {
  const at = await Service.at(caller, 'sca-customer');
  const quote = await at.quote();
  await at.pass(121);
  expect((await at.authorize(quote)).status).toBe(400);
  expect((await at.read(quote)).body.status).toBe('FAILED');
  expect((await at.send('GET', `/transactions/${quote.body.transactionId}`)).body.failureReason).toBe(
    'SCA_NOT_COMPLETED',
  );
});

test('a passkey signs each challenge anew', async ({ caller }) => {
  const at = await Service.at(caller, 'sca-customer', { factor: 'PASSKEY' });
  const { passkey } = at.values;
  const prove = (options: { challenge: string }) => ({
    passkeyAssertion: assertion(passkey, options, passkey.origin),
    origin: passkey.origin,
  });
  const [quote, other] = [await at.quote(), await at.quote()];
  expect(quote.body.scaChallenge).not.toHaveProperty('passkeyAllowedOrigins');
  const proof = prove(quote.body.scaChallenge.passkeyAssertionOptions);
  expect((await at.authorize(other, proof)).status).toBe(400);
  const next = await at.authorize(quote, proof);
  expect(next.status, next.text).toBe(200);
  expect((await at.authorize(quote, proof)).status).toBe(400);
  expect((await at.authorize(quote, prove(next.body.scaChallenge.passkeyAssertionOptions))).body.status).toBe(
    'PENDING',
  );
});

test('without SCA nothing of it is seen, and its endpoints answer 409', async ({ caller }) => {
  const at = await Service.at(caller, 'customer');
  const quote = await at.quote();
  expect((await at.authorize(quote, { code: '123456' })).status).toBe(409);
  for (const step of ['start', 'complete']) {
    const path = `/sca/login/${step}?customerId=${at.values['customerId']}`;
    expect((await at.send('POST', path, { factor: 'SMS_OTP', code: '123456' })).status).toBe(409);
  }
});
