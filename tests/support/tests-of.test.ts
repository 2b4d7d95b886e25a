import { expect, test } from '@playwright/test';
import { testsOf } from './tests-of.ts';

const there = new Set(['tests/suite/check.test.ts', 'tests/schemas/blame/']);
const importers = [
  'tests/client/crypto/hpke.test.ts',
  'tests/proof/rows.test.ts',
  'tests/suite/other.test.ts',
];
const of = (...changed: string[]) =>
  testsOf(
    changed,
    (path) => there.has(path),
    (path) => (path === 'suite/same-id.ts' ? [] : importers),
  );

test('a changed file has the test of the same name, or the folder of tests', () => {
  expect(of('suite/check.ts')).toEqual(['tests/suite/check.test.ts']);
  expect(of('schemas/blame.ts')).toEqual(['tests/schemas/blame/']);
  expect(of('suite/same-id.ts')).toEqual([]);
});

test('a changed test is one of them, once; its helpers and the long runs are not', () => {
  expect(of('tests/suite/check.test.ts', 'suite/check.ts')).toEqual(['tests/suite/check.test.ts']);
  expect(of('tests/support/run-assay.ts', 'tests/hostile/hostile.test.ts')).toEqual([]);
});

test('a file that has no test of its name has those in its place, or above, that import it', () => {
  expect(of('client/crypto/otp-bundle.ts')).toEqual(['tests/client/crypto/hpke.test.ts']);
  expect(of('proof/matrix/row.ts')).toEqual(['tests/proof/rows.test.ts']);
});

test('a row of the catalogue, a spec and a fault have what holds them together', () => {
  expect(of('sandbox/faults/platform.ts')).toEqual(['tests/schemas/rules.test.ts']);
  expect(of('specs/events/delivery.spec.ts')).toEqual([
    'tests/docs/guides.test.ts',
    'tests/schemas/rules.test.ts',
    'tests/target/states/measured.test.ts',
  ]);
});
