import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { enumMembers } from '../../generators/enum-members.ts';
import { enumOf } from '../../schemas/values.ts';
import { fourProperties } from './four-properties.ts';

fourProperties('enumMembers', {
  arbitrary: enumMembers('PurposeOfPayment'),
  isRight: (member) => enumOf('PurposeOfPayment').includes(member),
  shrinks: false,
});

test('every member comes by', () => {
  expect(new Set(fc.sample(enumMembers('PaymentRail'), { seed: 1, numRuns: 500 }))).toEqual(
    new Set(enumOf('PaymentRail')),
  );
});
