import { expect, test } from '@playwright/test';
import { operationIds } from '../../schemas/operation-ids.ts';
import { shapeRules } from '../../schemas/shape-rules.ts';
import { boundOf, enumOf, INT64 } from '../../schemas/values.ts';
import { Secrets } from '../../client/secrets/secrets.ts';
import { showValue } from '../../schemas/show-value.ts';
import { Validator } from '../../schemas/validator.ts';
import { applyBrand, branded } from '../../schemas/brand.ts';
import { loadContract } from '../../schemas/contract.ts';

test('the closed sets have as many members as the interface states', () => {
  expect(enumOf('PaymentRail')).toHaveLength(23);
  expect(enumOf('PurposeOfPayment')).toHaveLength(14);
  expect(enumOf('PaymentAccountType')).toHaveLength(49);
});

test('bounds are read from the contract, and a bound that it does not state is a defect of the caller', () => {
  expect(boundOf('TransferOutRequest', 'remittanceInformation', 'maxLength')).toBe(80);
  expect(() => boundOf('TransferOutRequest', 'amount', 'maxLength')).toThrow(
    'openapi.yaml: TransferOutRequest.amount states no maxLength',
  );
  expect(() => enumOf('Quote')).toThrow('openapi.yaml: Quote is no enumeration');
  expect(() => enumOf('Nothing')).toThrow('openapi.yaml has no component Nothing');
});

test('int64 is exact', () => {
  expect(String(INT64.max)).toBe('9223372036854775807');
  expect(String(INT64.min)).toBe('-9223372036854775808');
});

test('the rules of a component include those of what it is made of', () => {
  const rules = shapeRules('AgentAction');
  for (const rule of [
    'ACTION-ID',
    'ACTION-TRANSFER-AMOUNT',
    'QUOTE-ID',
    'CURRENCY-DECIMALS',
    'GENERAL-TIMESTAMP-UTC',
  ])
    expect(rules).toContain(rule);
  expect(new Set(rules).size).toBe(rules.length);
});

test('operations are listed by their ids', () => {
  expect(operationIds()).toContain('transferOut');
});

const plain = (text: string) => text;
const SECRET = 'agent-token-3f9a81c2d7'.repeat(10);

function masking(): (text: string) => string {
  const secrets = new Secrets();
  secrets.add(SECRET);
  return (text) => secrets.mask(text);
}

test('values are shown as JSON', () => {
  for (const value of ['a"b', 1.5, null, true, [], {}, [1, 'a', [null]], { a: { b: [1] }, c: 'd' }])
    expect(showValue(value, 'field', plain)).toBe(JSON.stringify(value));
  expect(showValue(undefined, 'field', plain)).toBe('absent');
});

test('long values are cut', () => {
  expect(showValue('c'.repeat(500), 'field', plain)).toBe(`"${'c'.repeat(76)}…`);
  expect(showValue(['c'.repeat(500)], 'field', plain)).toHaveLength(78);
});

test('secrets are masked before a value is cut', () => {
  expect(showValue(SECRET, 'field', masking())).toBe('"••••••"');
  expect(showValue({ a: 'b'.repeat(60), c: SECRET }, 'field', masking())).not.toContain('agent-');
  expect(showValue({ a: 'b'.repeat(3_990), c: SECRET.repeat(9) }, 'field', masking())).not.toContain(
    'agent-',
  );
});

test('the name of its field tells that a value is secret', () => {
  expect(showValue(73915, 'otp_code', masking())).toBe('"••••••"');
  expect(showValue(['unknown'], 'accessToken', masking())).toBe('["••••••"]');
  expect(showValue(73915, 'amount', masking())).toBe('73915');
});

test('values that are nested or long beyond reason are shown in no time', () => {
  let nested: unknown = [];
  for (let depth = 0; depth < 20_000; depth += 1) nested = depth % 2 ? [nested] : { a: nested };
  const started = performance.now();
  expect(showValue(nested, 'field', plain)).toContain('[{"a":');
  expect(showValue(new Array(2_000_000).fill(1), 'field', plain)).toContain('1,1,1');
  expect(performance.now() - started).toBeLessThan(1_000);
});

test('a validator masks what its messages show, whole', () => {
  const validator = new Validator(masking());
  const schema = { properties: { a: { type: 'integer' }, accessToken: { type: 'string' } } };
  const { breaches } = validator.judge(schema, { a: SECRET, accessToken: 739_152 });
  expect(breaches.map(({ message }) => message)).toEqual([
    'a must be integer, but is "••••••"',
    'accessToken must be string, but is "••••••"',
  ]);
});

test('a breach that comes again in every item is told by the first items', () => {
  const schema = { items: { type: 'object', properties: { a: { type: 'string' } } } };
  const { breaches } = new Validator().judge(
    schema,
    Array.from({ length: 50_000 }, () => ({ a: 1 })),
  );
  expect(breaches).toHaveLength(20);
});

test('a brand takes the three spellings of names, and leaves other words alone', () => {
  expect(branded('Service-Wallet-Signature', 'Acme')).toBe('Acme-Wallet-Signature');
  expect(branded('X-Service-Signature', 'Acme')).toBe('X-Acme-Signature');
  expect(branded('serviceApiMultiplier', 'Acme')).toBe('acmeApiMultiplier');
  expect(branded('SERVICE_SWITCH_ERROR', 'Acme')).toBe('ACME_SWITCH_ERROR');
  for (const word of ['serviceable', 'GOODS_OR_SERVICES', 'The service answers.'])
    expect(branded(word, 'Acme')).toBe(word);
});

test('it reaches keys and values at every depth, and the original stays', () => {
  const original = { properties: { serviceApiMultiplier: {} }, enum: ['SERVICE_SWITCH_ERROR', 1, null] };
  expect(applyBrand(original, 'Acme')).toEqual({
    properties: { acmeApiMultiplier: {} },
    enum: ['ACME_SWITCH_ERROR', 1, null],
  });
  expect(Object.keys(original.properties)).toEqual(['serviceApiMultiplier']);
});

test('the contract of a brand demands its names', async () => {
  const contract = await loadContract('Acme');
  const rates = contract.components.get('OutgoingRateDetails') as { required: string[] };
  expect(rates.required).toContain('acmeApiMultiplier');
  expect(JSON.stringify(contract.components.get('Error500'))).toContain('ACME_SWITCH_ERROR');
});
