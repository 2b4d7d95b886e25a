import { expect, test } from '@playwright/test';
import { operationIds } from '../../schemas/operation-ids.ts';
import { shapeRules } from '../../schemas/shape-rules.ts';
import { boundOf, enumOf, INT64 } from '../../schemas/values.ts';

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
