import { expect, test } from '@playwright/test';
import { readImports } from '../../docs/imports.ts';

test('imports run one way: specs, suite, client and target, generators, schemas; reports read journals; no circle', async () => {
  const { violations, modules } = await readImports();
  expect(modules, 'modules that were read').toBeGreaterThan(300);
  expect(violations).toEqual([]);
});
