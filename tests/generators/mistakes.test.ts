import { expect, test } from '@playwright/test';
import { allMistakes, oneMistakes } from '../../generators/mistakes.ts';
import { loadContract } from '../../schemas/contract.ts';
import { Validator } from '../../schemas/validator.ts';
import { fourProperties } from './four-properties.ts';

const TRANSFER = {
  source: { accountId: 'InternalAccount:01234567-89ab-4cde-8f01-23456789abcd' },
  destination: { accountId: 'ExternalAccount:01234567-89ab-4cde-8f01-23456789abcd' },
  amount: 1_000,
};
const validator = new Validator();
const { components } = await loadContract('Service');
const breaches = (body: unknown) =>
  validator.judge(components.get('TransferOutRequest') ?? {}, body).breaches;
const FIELDS = [
  'source',
  'source.accountId',
  'destination',
  'destination.accountId',
  'destination.paymentRail',
  'amount',
  'remittanceInformation',
  'purposeOfPayment',
];

fourProperties('oneMistakes', {
  arbitrary: oneMistakes('TransferOutRequest', TRANSFER),
  isRight: ({ body }) => new Set(breaches(body).map(({ pointer }) => pointer)).size === 1,
  shrinks: false,
});

test('the legal body has no mistake', () => {
  expect(breaches(TRANSFER)).toEqual([]);
});

test('each mistake is at the field that it names', () => {
  for (const { field, mistake, body } of allMistakes('TransferOutRequest', TRANSFER))
    expect(breaches(body)[0]?.pointer, `${mistake} ${field}`).toBe(`/${field.replaceAll('.', '/')}`);
});

test('every field has its mistakes, and only required ones are missing or null', () => {
  const all = allMistakes('TransferOutRequest', TRANSFER);
  expect(new Set(all.map(({ field }) => field))).toEqual(new Set(FIELDS));
  expect([
    ...new Set(all.filter(({ mistake }) => mistake !== 'wrong type').map(({ field }) => field)),
  ]).toEqual(FIELDS.slice(0, 4));
});

test('the mistakes can be narrowed down', () => {
  const amounts = allMistakes('TransferOutRequest', TRANSFER).filter(({ field }) => field === 'amount');
  expect(amounts.map(({ body }) => body['source'])).toEqual(amounts.map(() => TRANSFER.source));
});
