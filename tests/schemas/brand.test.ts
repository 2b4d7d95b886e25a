import { expect, test } from '@playwright/test';
import { applyBrand, branded } from '../../schemas/brand.ts';
import { loadContract } from '../../schemas/contract.ts';

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
