import { expect, test } from '@playwright/test';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { baseRules } from '../../../sandbox/areas/rules.ts';
import { faults } from '../../../sandbox/faults/index.ts';
import { choices } from '../../../sandbox/variants/index.ts';
import { loadRules } from '../../../schemas/rules.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

test('no two rules have one name, and every exported function of a rules module is a rule', () => {
  const names = readdirSync(`${root}sandbox/areas`, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
    const isRules = /[/\\](?:[\w-]+-)?rules\.ts$/.test(file);
    if (!isRules && !/[/\\]operations\.ts$/.test(file)) return [];
    const text = readFileSync(`${root}sandbox/areas/${file}`, 'utf8');
    // Of operations the answers that another world may give otherwise.
    const exported = isRules ? /^export (?:async )?function (\w+)/gm : /^export function (present\w+)/gm;
    return [...text.matchAll(exported)].map(([, name]) => name!);
  });
  expect(names.length).toBeGreaterThan(300);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !(name in baseRules))).toEqual([]);
});

test('faults and variants replace rules that exist', () => {
  const replaced = [
    ...faults.flatMap((fault) => Object.keys(fault.replace)),
    ...choices.flatMap((choice) => Object.values(choice.options)).flatMap((option) => Object.keys(option)),
  ];
  expect(replaced.filter((name) => !(name in baseRules))).toEqual([]);
});

test('every fault has a name of its own, one sentence, and a rule that exists', () => {
  const rules = loadRules().map(({ id }) => id);
  expect(
    faults.filter(({ breaks }) => !rules.includes(breaks)).map(({ name, breaks }) => `${name}: ${breaks}`),
  ).toEqual([]);
  expect(faults.filter(({ name }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
  expect(faults.filter(({ says }) => !says.endsWith('.'))).toEqual([]);
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});
