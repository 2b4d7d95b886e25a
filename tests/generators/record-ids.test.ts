import { expect, test } from '@playwright/test';
import { componentSchema } from '../../generators/component-schema.ts';
import { recordIds } from '../../generators/record-ids.ts';
import { Validator } from '../../schemas/validator.ts';
import { fourProperties } from './four-properties.ts';

const validator = new Validator();
const schema = componentSchema('InternalAccountId');

fourProperties('recordIds', {
  arbitrary: recordIds('InternalAccount'),
  isRight: (id) => validator.judge(schema, id).breaches.length === 0,
});

test('an id of another resource is no id of this one', () => {
  expect(
    validator.judge(schema, 'ExternalAccount:00000000-0000-4000-8000-000000000000').breaches,
  ).toHaveLength(1);
});
