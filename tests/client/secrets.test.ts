import fc from 'fast-check';
import { expect, test } from '@playwright/test';
import { basicAuthorization } from '../../client/authorization.ts';
import { Secrets } from '../../client/secrets/secrets.ts';
import { ENCODERS, readings } from './encoders.ts';

const MASK = '••••••';
const TOKEN = 'tok/en"with+everything&é';
const code4829 = (masked: string) =>
  `{"a":"${masked}","b":4829,"c":"4829 paid","d":"{\\"e\\":\\"${masked}\\"}"}`;
const holding = (...values: readonly (string | undefined)[]) => {
  const secrets = new Secrets();
  secrets.add(...values);
  return secrets;
};

/** A text and what it is masked to, by one who knows these secrets. */
const MASKED: readonly (readonly [what: string, known: readonly string[], text: string, masked: string])[] = [
  [
    'a one-time code is masked as a whole word, and the amount that holds its digits stays',
    ['482913'],
    '{"code":"482913","amount":14829130}',
    `{"code":"${MASK}","amount":14829130}`,
  ],
  ['a code before a full stop', ['482913'], 'your code is 482913.', `your code is ${MASK}.`],
  ['a code in an address', ['482913'], 'https://a.test/v/482913?at=1', `https://a.test/v/${MASK}?at=1`],
  ['a short code is masked as a whole JSON text only', ['4829'], code4829('4829'), code4829(MASK)],
  [
    'a number below the name of a secret is masked as a text, so that JSON stays JSON',
    [],
    '{"pin": 4829, "amount": 4829}',
    `{"pin": "${MASK}", "amount": 4829}`,
  ],
  [
    'whatever a list or an object below the name of a secret holds',
    [],
    '{"otp":["a b",{"c":1}],"name":"kept"}',
    `{"otp":["${MASK}",{"c":"${MASK}"}],"name":"kept"}`,
  ],
  ['a parameter', [], 'a=1&client_secret=xyz&b=2', `a=1&client_secret=${MASK}&b=2`],
  ['the codes that every sandbox takes stay', ['000000', '123456'], '"000000" "123456"', '"000000" "123456"'],
  ['short values mask nothing', ['', 'a', 'USD'], 'a USD', 'a USD'],
];

for (const [what, known, text, masked] of MASKED)
  test(what, () => expect(holding(...known).mask(text)).toBe(masked));

test('a value that a pair, a state or a header brings is masked', () => {
  const secrets = new Secrets();
  secrets.addPair('my-id', 'my-secret');
  expect(secrets.mask(`you sent ${basicAuthorization('my-id', 'my-secret')}`)).toBe(`you sent Basic ${MASK}`);
  secrets.addFromState({
    agentId: 'Agent:1234567',
    accessToken: 'first-secret',
    passkey: { privateKey: 'second-secret' },
    list: [{ deviceCode: 'third-secret' }],
  });
  expect(secrets.mask('Agent:1234567 first-secret second-secret third-secret')).toBe(
    `Agent:1234567 ${MASK} ${MASK} ${MASK}`,
  );
  expect(
    secrets.maskHeaders({ authorization: 'Bearer unknown', 'set-cookie': 'sid=1', accept: 'a' }),
  ).toEqual({ authorization: `Bearer ${MASK}`, 'set-cookie': MASK, accept: 'a' });
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

test('of a text that is cut, nothing is shown of a secret that the cut goes through', () => {
  const text = `${'x'.repeat(30)} ${TOKEN} ${TOKEN}`;
  for (let most = 0; most <= text.length; most += 1) {
    const masked = holding(TOKEN).mask(text, most);
    expect(masked).not.toContain('t');
    expect(masked.startsWith('x'.repeat(Math.min(most, 30)))).toBe(true);
  }
  expect(holding(TOKEN).mask(text, 35)).toBe(`${'x'.repeat(30)} ${MASK}`);
});

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

test('what is said of a secret, and what stands in for one, is not taken for one', () => {
  const secrets = new Secrets();
  secrets.addFrom({
    code: 'UNAUTHORIZED',
    accessToken: 'expired',
    password: 'invalid',
    otpCode: 'undefined',
  });
  secrets.addHeaders({
    authorization: 'Bearer undefined',
    cookie: 'lang=english',
    'idempotency-key': `k-${UUID}`,
  });
  const text = `UNAUTHORIZED expired invalid undefined english k-${UUID}`;
  expect(secrets.mask(text)).toBe(text);
});

const LENGTH = 1_000_000;
const SECRET = 'agent-token-3f9a81c2d7';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const fill = (part: string) => part.repeat(Math.ceil(LENGTH / part.length)).slice(0, LENGTH);

function nestedBase64(): string {
  let text = SECRET;
  while (text.length < LENGTH) text = base64(text);
  return text.slice(0, LENGTH);
}

const NASTY: Readonly<Record<string, () => string>> = {
  backslashes: () => fill('\\'),
  'names of secrets': () => fill('"pin":'),
  spaces: () => `"pin"${fill(' ')}:${fill(' ')}`,
  'one letter': () => fill('a'),
  'the beginning of many secrets': () => fill('eyJwdWJsaWNLZXkiOiIw'),
  'base64 in base64 in base64': nestedBase64,
  'hexadecimal digits': () => fill('8f14e45fceea167a'),
  'the secret': () => fill(SECRET),
};

function withThousands(): Secrets {
  const secrets = new Secrets();
  secrets.add(SECRET, '482913', `${'a'.repeat(63)}b`, `${'a'.repeat(40)}b`, `${fill('a')}b`);
  for (let index = 0; index < 2_000; index += 1)
    secrets.add(`eyJwdWJsaWNLZXkiOiIw${index}${'x'.repeat(index % 90)}`);
  return secrets;
}

for (const [what, make] of Object.entries(NASTY))
  test(`a million characters of ${what} take time in proportion`, () => {
    const secrets = withThousands();
    const text = make();
    // Of the processor, as a busy machine takes longer by the clock.
    const timeOf = (part: string) => {
      const started = process.cpuUsage();
      secrets.mask(part);
      return process.cpuUsage(started).user / 1_000;
    };
    timeOf(text.slice(0, LENGTH / 8));
    const eighth = Math.min(...[1, 2, 3].map(() => timeOf(text.slice(0, LENGTH / 8))));
    // A work that grows with the square would take 64 times as long.
    expect(timeOf(text)).toBeLessThan(Math.max(30 * eighth, 1_000));
  });

test('values that are nested beyond reason are registered and masked', () => {
  const secrets = new Secrets();
  let nested: unknown = { accessToken: SECRET };
  for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];
  secrets.addFrom(nested);
  expect(secrets.mask(SECRET)).not.toContain(SECRET);
  expect(JSON.stringify(secrets.maskDeep(nested))).not.toContain(SECRET);
});

const SECRETS = {
  plain: 'agent-token-3f9a81c2d7',
  'full of signs': 'tok/en"with+every\\thing&<é>%41 \'ü😀',
  'that reads like escapes': '\\u0041%42&amp;\\\\n"%2541&#67;rest',
  'of hexadecimal digits': '8f14e45fceea167a5a36dedd4bea2543c9f0f895fb98ab9159f51fd0297e236d',
  long: `eyJhbGciOiJSUzI1NiJ9.${'Zm9vYmFy0123'.repeat(40)}.c2lnbmF0dXJl`,
};
const names = Object.keys(ENCODERS);
const encode = (name: string, text: string) => ENCODERS[name]?.(text) ?? '';

for (const [what, secret] of Object.entries(SECRETS))
  test(`a secret ${what} is masked in every form, and in every form of every form`, () => {
    const secrets = new Secrets();
    secrets.add(secret);
    const start = secret.slice(0, 8);
    const shown: string[] = [];
    for (const outer of names)
      for (const inner of names) {
        const text = `before ${encode(outer, `in front ${encode(inner, secret)} behind`)} after`;
        const masked = secrets.mask(text);
        if (!masked.includes(MASK) || readings(masked, 2).some((reading) => reading.includes(start)))
          shown.push(`${inner}, then ${outer}: ${masked}`);
      }
    // One assertion, as each costs more than what it looks at.
    expect(shown).toEqual([]);
  });

// A short secret that reads like escapes, by itself or with what follows it, leaves too little to be found by.
const secretText = fc
  .string({ minLength: 6, maxLength: 60, unit: fc.constantFrom(...'abcXYZ019_-."\\/%&;#+= é😀{}:') })
  .filter((text) => /[a-zA-Z].*[a-zA-Z0-9]/.test(text) && new Set(text).size > 4)
  .filter((text) => text.length >= 30 || !/%([0-9a-f]{2}|[0-9a-f]?$)|\\|&#/i.test(text));
const context = fc.string({ maxLength: 20, unit: fc.constantFrom(...'abcz09 ,.!?(){}[]') });

test('any secret in any two forms and any surroundings is masked', () => {
  fc.assert(
    fc.property(
      secretText,
      fc.constantFrom(...names),
      fc.constantFrom(...names),
      context,
      context,
      (secret, inner, outer, before, after) => {
        const secrets = new Secrets();
        secrets.add(secret);
        const text = before + encode(outer, before + encode(inner, secret) + after) + after;
        return secrets.mask(text).includes(MASK);
      },
    ),
    { numRuns: 500 },
  );
});

test('a text without secrets stays as it is, and what is masked once stays so too', () => {
  const secrets = new Secrets();
  for (const secret of Object.values(SECRETS)) secrets.add(secret);
  fc.assert(
    fc.property(fc.string({ maxLength: 300, unit: 'binary' }), (text) => secrets.mask(text) === text),
  );
  fc.assert(
    fc.property(
      fc.json(),
      fc.constantFrom(...names),
      (text, name) => secrets.mask(encode(name, text)) === encode(name, text),
    ),
  );
  for (const name of names) {
    const once = secrets.mask(encode(name, SECRETS.plain));
    expect(secrets.mask(once)).toBe(once);
  }
});

test('a key that is no text is masked in hexadecimal digits and in base64', () => {
  const secrets = new Secrets();
  const key = Uint8Array.from({ length: 32 }, (_, index) => (index * 151 + 200) & 255);
  secrets.addBytes(key);
  const bytes = Buffer.from(key);
  for (const form of [bytes.toString('hex'), bytes.toString('hex').toUpperCase(), bytes.toString('base64')]) {
    expect(secrets.mask(`"${form}"`)).toBe(`"${MASK}"`);
    expect(secrets.mask(Buffer.from(`"${form}"`).toString('base64'))).toContain(MASK);
  }
});

test('a long secret that something has cut is masked as far as it is there', () => {
  const secrets = new Secrets();
  secrets.add(SECRETS.long);
  expect(secrets.mask(`but is "${SECRETS.long.slice(0, 77)}…`)).toBe(`but is "${MASK}…`);
  expect(secrets.mask(`${SECRETS.long.slice(0, 300)} ${SECRETS.long}`)).toBe(`${MASK} ${MASK}`);
});

test('a secret that colours of a comparison split is masked', () => {
  const secrets = new Secrets();
  secrets.add(SECRETS.plain);
  expect(secrets.mask('Received: "agent-\u001b[7mtoken\u001b[27m-3f9a81c2d7"')).toBe(`Received: "${MASK}"`);
});
