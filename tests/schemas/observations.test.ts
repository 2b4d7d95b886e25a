import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { loadObservationQuestions } from '../../schemas/observations.ts';

const SPECS = join(import.meta.dirname, '../../specs');

test('every open question is asked by a spec', () => {
  const files = readdirSync(SPECS, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const text = files.map((file) => readFileSync(join(SPECS, file), 'utf8')).join('\n');
  const unasked = loadObservationQuestions().filter(({ id }) => !text.includes(`'${id}'`));
  expect(unasked.map(({ id }) => id)).toEqual([]);
});
