import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { faults } from '../../sandbox/faults/index.ts';
import { loadRules } from '../../schemas/rules.ts';

/** A rule is a row, a check and a fault: one of them missing is a gap that a report would not show. */
const root = join(import.meta.dirname, '../..');
const applicable = loadRules().filter((rule) => rule.excluded === undefined);
const specs = readdirSync(join(root, 'specs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(root, 'specs', name), 'utf8'))
  .join('\n');
const shapes = readFileSync(join(root, 'schemas/openapi.yaml'), 'utf8');

test('every rule has a check: in specs/ or as a shape of openapi.yaml', () => {
  const has = (text: string, id: string) => new RegExp(`${id}(?![A-Z0-9-])`).test(text);
  expect(applicable.filter(({ id }) => !has(specs, id) && !has(shapes, id)).map(({ id }) => id)).toEqual([]);
});

test('every MUST has a planted fault', () => {
  const broken = new Set(faults.flatMap((fault) => [fault.breaks, ...(fault.also ?? [])]));
  expect(
    applicable.filter(({ id, level }) => level === 'MUST' && !broken.has(id)).map(({ id }) => id),
  ).toEqual([]);
});

test('every planted fault breaks a rule of the catalogue, and has a name of its own', () => {
  const ids = new Set(loadRules().map(({ id }) => id));
  expect(
    faults
      .filter(({ breaks, also = [] }) => [breaks, ...also].some((id) => !ids.has(id)))
      .map(({ name }) => name),
  ).toEqual([]);
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});
