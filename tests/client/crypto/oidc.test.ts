import { createHash } from 'node:crypto';
import { test, expect } from '@playwright/test';
import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { KeyPair } from '../../../client/crypto/key-pair.ts';
import { OidcIssuer, malformedTokens, oidcNonce, tamperedClaims } from '../../../client/crypto/oidc.ts';

const identity = {
  iss: 'https://accounts.google.com',
  aud: 'client-1',
  sub: 'subject-1',
  email: 'someone@example.com',
};
const clientKey = KeyPair.generate().uncompressed;
const NONCE = oidcNonce(clientKey, 'hex');

for (const alg of ['RS256', 'ES256'] as const) {
  test(`an ${alg} token verifies with the published key and says what was asked for`, async () => {
    const issuer = await OidcIssuer.create(alg);
    const now = new Date('2026-08-01T00:00:00Z');
    const token = await issuer.token(identity, NONCE, {}, now);
    const key = await importJWK(issuer.publicJwk, alg);
    const { payload } = await jwtVerify(token, key, { issuer: identity.iss, currentDate: now });
    const iat = now.getTime() / 1_000;
    const nonce = createHash('sha256').update(clientKey, 'ascii').digest('hex');
    expect(payload).toEqual({ ...identity, iat, exp: iat + 3_600, nonce });
    expect(decodeProtectedHeader(token).alg).toBe(alg);
    expect(JSON.stringify(issuer)).not.toContain('"d"');
  });
}

test('the nonce is the lower-case hex SHA-256 of the text, not of the bytes it stands for', () => {
  expect(oidcNonce('abc', 'hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(oidcNonce('abc', 'base64url')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
});

test('a claim can be set and left out', async () => {
  const issuer = await OidcIssuer.create('ES256');
  const token = await issuer.token(identity, undefined, { aud: ['one'], exp: undefined });
  const claims = decodeJwt(token);
  expect(claims).toMatchObject({ aud: ['one'] });
  expect(claims).not.toHaveProperty('nonce');
  expect(claims).not.toHaveProperty('exp');
});

for (const row of tamperedClaims) {
  test(`a token that ${row.says} differs in ${row.claim} and in nothing else`, async () => {
    const issuer = await OidcIssuer.create('ES256');
    const now = new Date('2026-08-01T00:00:00Z');
    const good = decodeJwt(await issuer.token(identity, NONCE, {}, now));
    const overrides = row.make(identity, now.getTime() / 1_000, 'hex');
    const tampered = decodeJwt(await issuer.token(identity, NONCE, overrides, now));
    expect(tampered[row.claim]).not.toEqual(good[row.claim]);
    const { [row.claim]: _good, ...restOfGood } = good;
    const { [row.claim]: _tampered, ...restOfTampered } = tampered;
    expect(restOfTampered).toEqual(restOfGood);
  });
}

for (const row of malformedTokens) {
  test(`no JWT library reads a token that ${row.says}`, async () => {
    const issuer = await OidcIssuer.create('ES256');
    const text = row.make(await issuer.token(identity, NONCE));
    const key = await importJWK(issuer.publicJwk, 'ES256');
    const error: unknown = await jwtVerify(text, key).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Error);
    expect(() => {
      decodeProtectedHeader(text);
      decodeJwt(text);
      if (text.split('.').length !== 3) throw new Error('not three parts');
    }).toThrow();
  });
}

test('names are kebab-case and unique in each table', () => {
  for (const table of [tamperedClaims, malformedTokens]) {
    const names = table.map((row) => row.name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  }
});
