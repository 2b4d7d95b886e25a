import { expect, test } from '@playwright/test';
import { basicAuthorization } from '../../../client/authorization.ts';
import { Secrets } from '../../../client/http/secrets.ts';

const MASK = '••••••';
const TOKEN = 'tok/en"with+everything&é';

function withToken(): Secrets {
  const secrets = new Secrets();
  secrets.add(TOKEN);
  return secrets;
}

const FORMS: readonly (readonly [string, string])[] = [
  ['raw', TOKEN],
  ['base64', Buffer.from(TOKEN).toString('base64')],
  ['base64url', Buffer.from(TOKEN).toString('base64url')],
  ['percent-encoded', encodeURIComponent(TOKEN)],
  ['escaped in JSON', JSON.stringify(TOKEN)],
];

for (const [what, form] of FORMS)
  test(`a registered secret is masked: ${what}`, () => {
    const masked = withToken().mask(`before ${form} after`);
    expect(masked).toContain(MASK);
    expect(masked).not.toContain('everything');
    expect(masked).not.toContain(form);
  });

test('Basic credentials are masked where a target echoes them', () => {
  const secrets = new Secrets();
  secrets.addPair('my-id', 'my-secret');
  const value = basicAuthorization('my-id', 'my-secret');
  expect(secrets.mask(`you sent ${value}`)).toBe(`you sent Basic ${MASK}`);
});

test('headers that authenticate are masked whole, with their scheme kept', () => {
  expect(
    new Secrets().maskHeaders({ authorization: 'Bearer unknown', 'set-cookie': 'sid=1', accept: 'a' }),
  ).toEqual({
    authorization: `Bearer ${MASK}`,
    'set-cookie': MASK,
    accept: 'a',
  });
});

test('keys that always hold a secret are masked unseen, at every depth of JSON within JSON', () => {
  const inner = JSON.stringify({ deep: { accessToken: 'unknown-value', name: 'kept' } });
  for (const text of [
    inner,
    JSON.stringify({ body: inner }),
    JSON.stringify({ again: JSON.stringify({ body: inner }) }),
  ]) {
    const masked = new Secrets().mask(text);
    expect(masked).not.toContain('unknown-value');
    expect(masked).toContain('kept');
    expect(() => JSON.parse(masked) as unknown).not.toThrow();
  }
});

test('a one-time code is masked as a text, and amounts that hold its digits stay', () => {
  const secrets = new Secrets();
  secrets.add('000000');
  expect(secrets.mask('{"code":"000000","amount":1000000}')).toBe(`{"code":"${MASK}","amount":1000000}`);
});

test('short and absent values mask nothing', () => {
  const secrets = new Secrets();
  secrets.add(undefined, '', 'a', 'USD');
  expect(secrets.mask('a USD')).toBe('a USD');
});

test('values of a prepared state are registered by their keys, at any depth', () => {
  const secrets = new Secrets();
  secrets.addFrom({
    agentId: 'Agent:1234567',
    accessToken: 'first-secret',
    passkey: { privateKey: 'second-secret' },
    list: [{ deviceCode: 'third-secret' }],
  });
  expect(secrets.mask('Agent:1234567 first-secret second-secret third-secret')).toBe(
    `Agent:1234567 ${MASK} ${MASK} ${MASK}`,
  );
});

test('plain data is masked text by text', () => {
  expect(withToken().maskDeep({ a: [TOKEN, 1, null, true], b: { c: `x${TOKEN}` } })).toEqual({
    a: [MASK, 1, null, true],
    b: { c: `x${MASK}` },
  });
});
