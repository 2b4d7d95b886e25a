import { expect, test } from '@playwright/test';
import { recordExamples } from '../../../docs/examples/record.ts';
import { settled } from '../../../docs/examples/settled.ts';
import { loadContract } from '../../../schemas/contract.ts';
import { readYaml } from '../../../schemas/read-yaml.ts';

test('schemas/examples.yaml is what the sandbox answers; npm run examples brings it up to date', async () => {
  const recorded = await recordExamples();
  expect(Object.keys(recorded).sort()).toEqual(
    [...(await loadContract('Service')).operations.keys(), 'receiveEvent'].sort(),
  );
  // Keys and sealed texts are new each time, so it is the form that is compared.
  expect(formOf(readYaml('examples.yaml'))).toEqual(formOf(recorded));
});

test('ids go by the order in which they occur, and times by how far they are from the beginning', () => {
  const began = Date.parse('2026-05-01T00:00:00Z');
  const first = '11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
  const second = '22222222-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
  const value = (one: string, other: string, at: string, ends: string) => ({
    id: `Quote:${one}`,
    of: [`Agent:${other}`, `a text about Quote:${one}`],
    at,
    ends,
    amount: 5,
  });
  const settledOne = settled(value(first, second, '2026-05-01T00:00:00.812Z', '2026-05-01T00:05:01Z'), began);
  expect(settledOne).toEqual(
    settled(value(second, first, '2026-05-01T00:00:01.100Z', '2026-05-01T00:05:00.002Z'), began),
  );
  expect(settledOne).toMatchObject({
    at: '2025-10-13T09:30:00.000Z',
    ends: '2025-10-13T09:35:00.000Z',
    amount: 5,
  });
  expect(settledOne.id).toMatch(/^Quote:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(settledOne.of[1]).toBe(`a text about ${settledOne.id}`);
});

/** The same with each text and number replaced by its type. */
function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, formOf(inner)]));
}
