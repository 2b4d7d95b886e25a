import { expect, test } from '@playwright/test';
import { basicAuthorization } from '../../../client/authorization.ts';
import { Secrets } from '../../../client/secrets/secrets.ts';

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

test('a one-time code is masked as a whole word, and amounts, times and ids that hold its digits stay', () => {
  const secrets = new Secrets();
  secrets.add('482913');
  expect(secrets.mask('{"code":"482913","amount":14829130}')).toBe(`{"code":"${MASK}","amount":14829130}`);
  expect(secrets.mask('your code is 482913.')).toBe(`your code is ${MASK}.`);
  expect(secrets.mask('https://example.com/verify/482913?at=1')).toBe(
    `https://example.com/verify/${MASK}?at=1`,
  );
  for (const text of ['482913.50', '1.482913', '12:482913', '1a2b-482913-0c', 'x482913', '4829130'])
    expect(secrets.mask(`{"a": ${text} }`)).toBe(`{"a": ${text} }`);
});

test('a code of four or five digits is masked as a whole JSON text only', () => {
  const secrets = new Secrets();
  secrets.add('4829');
  expect(secrets.mask('{"a":"4829","b":4829,"c":"4829 paid","d":"{\\"e\\":\\"4829\\"}"}')).toBe(
    `{"a":"${MASK}","b":4829,"c":"4829 paid","d":"{\\"e\\":\\"${MASK}\\"}"}`,
  );
});

test('the codes that every sandbox takes are no secrets', () => {
  const secrets = new Secrets();
  secrets.add('000000', '123456');
  expect(secrets.mask('{"a":"000000","b":"123456"}')).toBe('{"a":"000000","b":"123456"}');
});

test('short and absent values mask nothing', () => {
  const secrets = new Secrets();
  secrets.add(undefined, '', 'a', 'USD');
  expect(secrets.mask('a USD')).toBe('a USD');
});

test('values of a prepared state are registered by their keys, at any depth', () => {
  const secrets = new Secrets();
  secrets.addFromState({
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

test('of a text that is cut, nothing is shown of a secret that the cut goes through', () => {
  const text = `${'x'.repeat(30)} ${TOKEN} ${TOKEN}`;
  for (let most = 0; most <= text.length; most += 1) {
    const masked = withToken().mask(text, most);
    expect(masked).not.toContain('t');
    expect(masked.startsWith('x'.repeat(Math.min(most, 30)))).toBe(true);
  }
  expect(withToken().mask(text, 35)).toBe(`${'x'.repeat(30)} ${MASK}`);
});
