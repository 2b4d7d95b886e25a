import { expect, test } from '@playwright/test';
import { Secrets } from '../../../client/secrets/secrets.ts';

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
  'escaped quotes': () => fill('\\"'),
  'escaped backslashes': () => fill('\\u005c'),
  quotes: () => fill('"'),
  colons: () => fill('":'),
  'names of secrets': () => fill('"pin":'),
  'open lists below names of secrets': () => fill('"pin":['),
  'open parameters': () => fill('pin="'),
  spaces: () => `"pin"${fill(' ')}:${fill(' ')}`,
  'percent signs': () => fill('%25'),
  ampersands: () => fill('&amp;'),
  'lone surrogates': () => fill('\ud800'),
  'terminal codes': () => fill('\u001b['),
  'one letter': () => fill('a'),
  'the beginning of many secrets': () => fill('eyJwdWJsaWNLZXkiOiIw'),
  'base64 in base64 in base64': nestedBase64,
  'hexadecimal digits': () => fill('8f14e45fceea167a'),
  'the secret': () => fill(SECRET),
};

function withMany(): Secrets {
  const secrets = new Secrets();
  secrets.add(SECRET, '482913', `${'a'.repeat(63)}b`, `${'a'.repeat(40)}b`, `${fill('a')}b`);
  for (let index = 0; index < 2_000; index += 1)
    secrets.add(`eyJwdWJsaWNLZXkiOiIw${index}${'x'.repeat(index % 90)}`);
  return secrets;
}

for (const [what, make] of Object.entries(NASTY))
  test(`a million characters of ${what} take time in proportion`, () => {
    const secrets = withMany();
    const text = make();
    const timeOf = (part: string) => {
      const started = performance.now();
      secrets.mask(part);
      return performance.now() - started;
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
