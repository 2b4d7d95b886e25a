import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { discriminated as ofSandbox } from '../../sandbox/server/read-contract.ts';
import { loadContract } from '../../schemas/contract.ts';
import { discriminated } from '../../schemas/discriminated.ts';
import { Validator } from '../../schemas/validator.ts';
import { root } from '../support/run-assay.ts';

const ID = 'InternalAccount:553295e4-b848-4ee7-81c3-0a0c86a5b731';
const document = parse(readFileSync(join(root, 'schemas/openapi.yaml'), 'utf8')) as object;

test('a union with a discriminator becomes conditions, one for each member', () => {
  const branch = (values: string[], $ref: string) => ({
    if: { type: 'object', required: ['kind'], properties: { kind: { enum: values } } },
    then: { $ref },
  });
  expect(
    discriminated({
      type: 'object',
      allOf: [{ required: ['id'] }],
      oneOf: [{ $ref: '#/a' }, { $ref: '#/b' }],
      discriminator: { propertyName: 'kind', mapping: { X: '#/a', Y: '#/b', Z: '#/b' } },
    }),
  ).toEqual({
    type: 'object',
    allOf: [{ required: ['id'] }, branch(['X'], '#/a'), branch(['Y', 'Z'], '#/b')],
  });
});

test('other unions, and fields that are called discriminator or oneOf, are left alone', () => {
  const schema = {
    oneOf: [{ type: 'string' }, { type: 'number' }],
    properties: { discriminator: { type: 'string' }, oneOf: { type: 'string' } },
  };
  expect(discriminated(schema)).toEqual(schema);
});

test('the sandbox reads the unions of the contract in the same way', () => {
  expect(ofSandbox(document)).toEqual(discriminated(document));
  expect(JSON.stringify(discriminated(document))).not.toContain('propertyName');
});

const values: readonly [string, unknown][] = [
  ['CreateCredentialRequest', { type: 'OAUTH', accountId: ID, oidcToken: 'x' }],
  ['CreateCredentialRequest', { type: 'OAUTH', accountId: ID }],
  ['CreateCredentialRequest', { type: 'SMS_OTP', accountId: ID }],
  ['CreateCredentialRequest', { type: 'PASSKEY', accountId: ID, oidcToken: 'x' }],
  ['CreateCredentialRequest', { type: 'X', accountId: ID }],
  ['CreateCredentialRequest', { accountId: ID }],
  ['CreateCredentialRequest', null],
  ['VerifyCredentialRequest', { type: 'EMAIL_OTP', encryptedOtpBundle: '{}' }],
  ['VerifyCredentialRequest', { type: 'EMAIL_OTP', encryptedOtpBundle: 1 }],
  ['VerifyCredentialRequest', { type: 'OAUTH', oidcToken: 'x', clientPublicKey: 'zz' }],
  ['QuoteSource', { sourceType: 'ACCOUNT', accountId: 5 }],
  ['QuoteSource', { sourceType: 'UMA_ADDRESS' }],
  ['QuoteSource', {}],
  ['QuoteDestination', { destinationType: 'UMA_ADDRESS' }],
  ['QuoteDestination', 'ACCOUNT'],
  ['Transaction', { type: 'CARD', platformFees: [] }],
  ['Transaction', { type: 'card' }],
  ['AccountOrWalletInfo', { accountType: 'USD_ACCOUNT', bankName: 'Bank' }],
  ['AccountOrWalletInfo', { accountType: 'USD_ACCOUNT', bankName: 7 }],
  ['AccountOrWalletInfo', { accountType: 'LIGHTNING', invoice: null }],
  ['AccountOrWalletInfo', { accountType: 'ZZZ_ACCOUNT' }],
];

for (const [component, value] of values)
  test(`${component} takes or refuses ${JSON.stringify(value)} whether oneOf or conditions judge`, async () => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false });
    addFormats.default(ajv);
    ajv.addSchema({ ...document, $id: 'https://contract.invalid/' });
    const byOneOf = ajv.validate(
      { $ref: `https://contract.invalid/#/components/schemas/${component}` },
      value,
    );
    const { components } = await loadContract('Service');
    const { breaches } = new Validator().judge(components.get(component)!, value);
    expect(breaches.length === 0).toBe(byOneOf);
  });

test('a wrong body is told once, in the member that it says it is', async () => {
  const { components } = await loadContract('Service');
  const schema = components.get('VerifyCredentialRequest')!;
  const { breaches } = new Validator().judge(schema, {
    type: 'OAUTH',
    oidcToken: 'x',
    clientPublicKey: 'zz',
  });
  expect(breaches.map(({ pointer }) => pointer)).toEqual(['/clientPublicKey']);
});
