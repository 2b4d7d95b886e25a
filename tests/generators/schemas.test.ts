import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { mistakesIn } from '../../generators/mistakes.ts';
import { fits, schemaByExample } from '../../generators/schemas.ts';

test('every value fits the schema of its own example', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => fits(schemaByExample(value), value)),
    { seed: 1 },
  );
});

test('no mistake in an example fits it', () => {
  const body = { source: { kind: 'ACCOUNT', id: 'x' }, amount: 100, list: [1], isOn: true };
  const schema = schemaByExample(body);
  const mistakes = mistakesIn(schema, body).filter(({ kind }) => kind !== 'a fraction');
  expect(new Set(mistakes.map(({ field }) => field))).toEqual(
    new Set(['source', 'source.kind', 'source.id', 'amount', 'list', 'isOn']),
  );
  expect(
    mistakes.filter((mistake) => fits(schema, mistake.body)).map(({ field, kind }) => `${field} ${kind}`),
  ).toEqual([]);
});
