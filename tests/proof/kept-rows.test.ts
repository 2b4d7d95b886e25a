import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { KeptRows } from '../../proof/kept-rows.ts';
import { scratch } from '../support/run-assay.ts';

test('rows of several machines are read together, those of another digest are not, and a cut line is left out', () => {
  const folder = scratch('kept');
  new KeptRows<number>('matrix', 'abc', '1-of-2', folder).add(1);
  new KeptRows<number>('matrix', 'abc', '2-of-2', folder).add(2);
  new KeptRows<number>('matrix', 'other', 'all', folder).add(3);
  appendFileSync(join(folder, 'matrix-abc-2-of-2.ndjson'), '{"cut');
  const all = new KeptRows<number>('matrix', 'abc', 'all', folder);
  expect(all.all().sort()).toEqual([1, 2]);
  all.clear();
  expect(all.all()).toEqual([]);
  expect(new KeptRows<number>('matrix', 'other', 'all', folder).all()).toEqual([3]);
});
