import { expect, test } from '@playwright/test';
import { Secrets } from '../../../client/secrets/secrets.ts';

const UUID = '01234567-89ab-4def-8123-456789abcdef';

function withMany(): Secrets {
  const secrets = new Secrets();
  secrets.addPair('my-client', 'a-secret-of-a-client');
  secrets.add('482913', '4829', '73915', 'agent-token-3f9a81c2d7');
  return secrets;
}

const ORDINARY: readonly string[] = [
  JSON.stringify({
    id: `AgentAction:${UUID}`,
    status: 'PENDING_APPROVAL',
    transferDetails: { amount: 14829130, currency: 'USD' },
    createdAt: '2026-01-02T03:04:05.482913Z',
    publicKey: `02${'ab'.repeat(32)}`,
    clientPublicKey: `04${'cd'.repeat(64)}`,
    credentialId: Buffer.from('the id of a credential').toString('base64url'),
    requestId: `Request:${UUID}`,
    payloadToSign: JSON.stringify({ requestId: `Request:${UUID}`, type: 'X' }),
  }),
  JSON.stringify({ status: 404, code: 'TRANSACTION_NOT_FOUND', message: 'Not found.', token: 'USDC' }),
  JSON.stringify({ code: 'UNAUTHORIZED', currency: { code: 'USD' }, seed: 42, pinned: true, keys: ['a'] }),
  JSON.stringify({ otpEncryptionTargetBundle: JSON.stringify({ version: 'v1.0.0', data: 'ab'.repeat(60) }) }),
  `GET /customers?customerId=Customer:${UUID}&code=NOT_FOUND&page_token=2`,
  'Expected: a 2xx, received: 401 {"code": "UNAUTHORIZED"} SEED=42 npx playwright test',
  Buffer.from('nothing in here is secret at all, not even this').toString('base64'),
  `482913.50 12:482913 1482913 ${UUID.replace('89ab-4def', '4829-1373915')}`,
  'The token must be a text; the password: see the documents.',
  '\ud800 lone \udc00 halves, "quotes\\" and %zz &unknown; \\u12',
  '',
];

for (const [index, text] of ORDINARY.entries())
  test(`ordinary text ${index + 1} stays as it is`, () => {
    expect(withMany().mask(text)).toBe(text);
    expect(withMany().mask(JSON.stringify({ text }))).toBe(JSON.stringify({ text }));
  });

test('what an answer says of a secret is not taken for one', () => {
  const secrets = new Secrets();
  secrets.addFrom({
    code: 'UNAUTHORIZED',
    accessToken: 'expired',
    password: 'invalid',
    otpCode: 'undefined',
  });
  expect(secrets.mask('UNAUTHORIZED expired invalid undefined')).toBe(
    'UNAUTHORIZED expired invalid undefined',
  );
});

test('placeholders in headers that authenticate are not taken for secrets', () => {
  const secrets = new Secrets();
  secrets.addHeaders({
    authorization: 'Bearer undefined',
    cookie: 'lang=english',
    'idempotency-key': `k-${UUID}`,
  });
  const text = `undefined english k-${UUID}`;
  expect(secrets.mask(text)).toBe(text);
});
