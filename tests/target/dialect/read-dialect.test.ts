import { expect, test } from '@playwright/test';
import { loadContract } from '../../../schemas/contract.ts';
import { DIALECT } from '../../../target/dialect/keys.ts';
import { readDialect, withPaths } from '../../../target/dialect/read-dialect.ts';

test('nothing said: the defaults, and nobody vouches for them; the word default does', () => {
  const { dialect, vouchedFor } = readDialect(undefined);
  for (const [key, { default: byDefault }] of Object.entries(DIALECT))
    expect(dialect).toHaveProperty(key, byDefault);
  expect(vouchedFor).toEqual([]);
  expect(readDialect('default')).toEqual({ dialect, vouchedFor: 'all' });
});

test('what is told goes over its entry alone, and is vouched for by itself', () => {
  const { dialect, vouchedFor } = readDialect({
    passkey: { origin: 'https://acme.example' },
    smsCode: '424242',
    bodies: { createQuote: { a: 1 }, createAgent: { b: 2 } },
    credentialBody: { SMS_OTP: { phone: 'x' } },
    paths: { getQuote: '/quote/{quoteId}' },
  });
  expect(dialect.passkey).toEqual({ rpId: 'localhost', origin: 'https://acme.example' });
  expect(dialect.smsCode).toBe('424242');
  expect(dialect.credentialBody).toEqual({ EMAIL_OTP: {}, SMS_OTP: { phone: 'x' } });
  expect(dialect.otpSeal).toEqual(DIALECT.otpSeal.default);
  expect(vouchedFor).toEqual([
    'passkey',
    'smsCode',
    'bodies.createQuote',
    'bodies.createAgent',
    'credentialBody.SMS_OTP',
    'paths.getQuote',
  ]);
});

test('paths go into the contract, with a method where one is told', async () => {
  const contract = await loadContract('Service');
  const told = withPaths(contract, { getQuote: '/q/{quoteId}', revokeSession: 'POST /sessions/{id}/end' });
  expect(told.operations.get('getQuote')).toMatchObject({ method: 'GET', path: '/q/{quoteId}' });
  expect(told.operations.get('revokeSession')).toMatchObject({ method: 'POST', path: '/sessions/{id}/end' });
  expect(contract.operations.get('getQuote')).toHaveProperty('path', '/quotes/{quoteId}');
});
