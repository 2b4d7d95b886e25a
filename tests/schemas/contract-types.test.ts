import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { contractTypes } from '../../schemas/types/contract-types.ts';

test('schemas/types/contract.ts is what openapi.yaml says; npm run types brings it up to date', async () => {
  const committed = readFileSync(new URL('../../schemas/types/contract.ts', import.meta.url), 'utf8');
  expect(committed).toBe(await contractTypes());
});
