import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { Secrets } from '../../../client/secrets/secrets.ts';
import { ENCODERS, readings } from './encoders.ts';

const MASK = '••••••';
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
    for (const outer of names)
      for (const inner of names) {
        const text = `before ${encode(outer, `in front ${encode(inner, secret)} behind`)} after`;
        const masked = secrets.mask(text);
        const about = `${inner}, then ${outer}: ${masked}`;
        expect(masked, about).toContain(MASK);
        for (const reading of readings(masked, 2)) expect(reading, about).not.toContain(start);
      }
  });

// A short secret that reads like escapes itself leaves too little to be found by.
const secretText = fc
  .string({ minLength: 6, maxLength: 60, unit: fc.constantFrom(...'abcXYZ019_-."\\/%&;#+= é😀{}:') })
  .filter((text) => /[a-zA-Z].*[a-zA-Z0-9]/.test(text) && new Set(text).size > 4)
  .filter((text) => text.length >= 30 || !/%[0-9a-f]{2}|\\|&#/i.test(text));
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
        expect(secrets.mask(text)).toContain(MASK);
      },
    ),
    { numRuns: 500 },
  );
});

test('a text without secrets stays as it is, and what is masked once stays so too', () => {
  const secrets = new Secrets();
  for (const secret of Object.values(SECRETS)) secrets.add(secret);
  fc.assert(
    fc.property(fc.string({ maxLength: 300, unit: 'binary' }), (text) => {
      expect(secrets.mask(text)).toBe(text);
    }),
  );
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(...names), (text, name) => {
      expect(secrets.mask(encode(name, text))).toBe(encode(name, text));
    }),
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
