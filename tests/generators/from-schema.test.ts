import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { componentSchema } from '../../generators/component-schema.ts';
import { fromSchema } from '../../generators/from-schema.ts';
import { loadContract, type Schema } from '../../schemas/contract.ts';
import { Validator } from '../../schemas/validator.ts';
import { fourProperties } from './four-properties.ts';

const validator = new Validator();
const { components } = await loadContract('Service');

/** Ajv knows no bigint; a double is near enough to hold it to the bounds. */
const asJson = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? Number(one) : one)));

for (const component of ['TransferOutRequest', 'PaymentRail', 'InternalAccountId', 'Timestamp', 'Currency'])
  fourProperties(`fromSchema of ${component}`, {
    arbitrary: fromSchema(componentSchema(component)),
    isRight: (value) =>
      validator.judge(components.get(component) as Schema, asJson(value)).breaches.length === 0,
    shrinks: component !== 'PaymentRail',
  });

test('optional fields come and go, required ones stay', () => {
  const values = fc.sample(fromSchema(componentSchema('TransferOutRequest')), {
    seed: 1,
    numRuns: 50,
  }) as Record<string, unknown>[];
  for (const name of ['amount', 'remittanceInformation', 'purposeOfPayment'])
    expect(new Set(values.map((value) => name in value)), name).toEqual(new Set([true, false]));
  expect(values.every((value) => 'source' in value && 'destination' in value)).toBe(true);
});

test('a keyword that it does not read is refused, not passed over', () => {
  expect(() => fromSchema({ type: 'integer', multipleOf: 3 })).toThrow('multipleOf');
  expect(() => fromSchema({ type: 'unheard-of' })).toThrow('unheard-of');
});
