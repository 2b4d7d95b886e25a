import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { int64s, int64sBeyondDouble, beyondInt64, fractions } from '../../generators/numbers.ts';
import { componentOf, INT64, enumOf } from '../../schemas/openapi.ts';
import {
  plainTexts,
  printableTexts,
  overlongTexts,
  EXOTIC_KINDS,
  exoticText,
} from '../../generators/texts.ts';
import { wrongRecordIds, ID_MISTAKES, pathValuesBeside } from '../../generators/ids.ts';
import { Validator } from '../../schemas/validator.ts';
import { malformedJson, extraFields } from '../../generators/json.ts';
import { chosen, sequences } from '../../generators/steps.ts';
import { nearMisses } from '../../generators/near-misses.ts';
import { fourProperties } from './four-properties.ts';

fourProperties('int64s', {
  arbitrary: int64s(),
  isRight: (value) => value >= INT64.min && value <= INT64.max,
});

fourProperties('int64s in a range', {
  arbitrary: int64s({ min: 1n }),
  isRight: (value) => value >= 1n && value <= INT64.max,
});

fourProperties('int64sBeyondDouble', {
  arbitrary: int64sBeyondDouble(),
  isRight: (value) => value > 2n ** 53n && value <= INT64.max && BigInt(Number(value)) !== value,
});

test('both ends of the range come by', () => {
  const seen = new Set(fc.sample(int64s(), { seed: 1, numRuns: 300 }));
  expect(seen).toContain(INT64.min);
  expect(seen).toContain(INT64.max);
});

fourProperties('beyondInt64', { arbitrary: beyondInt64(), isRight: (value) => value > INT64.max });

test('some values wrap to a small amount', () => {
  const wrapped = fc
    .sample(beyondInt64(), { seed: 1, numRuns: 100 })
    .map((value) => BigInt.asIntN(64, value));
  expect(wrapped.some((value) => value > 0n && value <= 1_000n)).toBe(true);
});

const MOST = 10_000;

fourProperties('fractions', {
  arbitrary: fractions(MOST),
  isRight: (value) => /^\d+\.\d{1,3}$/.test(JSON.stringify(value)) && value < MOST + 1,
});

const lengths = { minLength: 1, maxLength: 80 };

fourProperties('plainTexts', {
  arbitrary: plainTexts(lengths),
  isRight: (text) => /^[a-zA-Z0-9]{1,80}$/.test(text),
});

test('both bounds come often', () => {
  const seen = fc.sample(plainTexts(lengths), { seed: 1, numRuns: 100 }).map((text) => text.length);
  expect(seen.filter((length) => length === lengths.minLength).length).toBeGreaterThan(10);
  expect(seen.filter((length) => length === lengths.maxLength).length).toBeGreaterThan(10);
});

const printableLengths = { minLength: 1, maxLength: 80 };

fourProperties('printableTexts', {
  arbitrary: printableTexts(printableLengths),
  isRight: (text) => /^[\x20-\x7e]{1,80}$/.test(text) && text.trim() === text,
});

test('every printable character comes by', () => {
  const seen = new Set(fc.sample(printableTexts(printableLengths), { seed: 1, numRuns: 300 }).join(''));
  expect(seen.size).toBe(0x7e - 0x20 + 1);
});

const LIMIT = 80;

fourProperties('overlongTexts', {
  arbitrary: overlongTexts(LIMIT),
  isRight: (text) => /^[a-zA-Z0-9]+$/.test(text) && text.length > LIMIT,
});

test('a failing text shrinks to one character over the limit', () => {
  const { counterexample } = fc.check(
    fc.property(overlongTexts(LIMIT), () => false),
    { seed: 3 },
  );
  expect(counterexample?.[0]).toHaveLength(LIMIT + 1);
});

test('lone surrogates are lone', () => {
  for (const kind of EXOTIC_KINDS)
    expect(/\p{Surrogate}/u.test(exoticText(kind, 2)), kind).toBe(kind.startsWith('lone'));
});

const LEGAL = 'InternalAccount:01234567-89ab-4cde-8f01-23456789abcd';
const validator = new Validator();
const schema = componentOf('InternalAccountId');
const isLegal = (id: string) => validator.judge(schema, id).breaches.length === 0;

fourProperties('wrongRecordIds', {
  arbitrary: wrongRecordIds(LEGAL),
  isRight: ({ mistake, id }) => ID_MISTAKES.includes(mistake) && !isLegal(id),
});

test('what it bends was legal', () => {
  expect(isLegal(LEGAL)).toBe(true);
});

test('every mistake comes by', () => {
  const seen = new Set(
    fc.sample(wrongRecordIds(LEGAL), { seed: 1, numRuns: 500 }).map(({ mistake }) => mistake),
  );
  expect([...seen].sort()).toEqual([...ID_MISTAKES].sort());
});

test('no mistake names another record of the right form', () => {
  for (const { id } of fc.sample(wrongRecordIds(LEGAL), { seed: 2, numRuns: 500 }))
    expect(id).not.toBe(LEGAL);
});

test('a value beside an id is never the id itself, whatever the case of its letters', () => {
  const id = 'Quote:01234567-89ab-4cde-8f01-23456789abcd';
  const values = pathValuesBeside(id);
  expect(values.filter(({ value }) => value.toLowerCase() === id.toLowerCase())).toEqual([]);
  expect(new Set(values.map(({ says }) => says)).size).toBe(values.length);
});

fourProperties('malformedJson', {
  arbitrary: malformedJson({ source: { accountId: 'x' }, amount: 1 }),
  isRight: ({ text }) => {
    try {
      JSON.parse(text);
      return false;
    } catch {
      return true;
    }
  },
});

const KNOWN = ['amount', 'note'];

fourProperties('extraFields', {
  arbitrary: extraFields(KNOWN),
  isRight: (fields) =>
    Object.keys(fields).length === 1 && Object.keys(fields).every((name) => !KNOWN.includes(name)),
});

const NAMES = ['open', 'take', 'take', 'close', 'look'] as const;

fourProperties('sequences', {
  arbitrary: sequences(NAMES),
  isRight: (steps) =>
    steps.length <= NAMES.length &&
    NAMES.every(
      (name) =>
        steps.filter((step) => step.do === name).length <= NAMES.filter((other) => other === name).length,
    ),
});

test('a dozen sequences come to every name, and have a good half of the steps', () => {
  const all = fc.sample(sequences(NAMES), { seed: 1, numRuns: 12 });
  expect(new Set(all.flat().map((step) => step.do))).toEqual(new Set(NAMES));
  const average = all.flat().length / all.length;
  expect(average).toBeGreaterThan(NAMES.length / 2);
});

test('what fails shrinks to the steps that it takes, in their order', () => {
  const found = fc.check(
    fc.property(sequences(NAMES), (steps) => {
      const names = steps.map((step) => step.do);
      const closed = names.indexOf('close');
      return closed < 0 || !names.slice(closed).includes('take');
    }),
    { seed: 3, numRuns: 200 },
  );
  expect(found.counterexample?.[0].map(({ do: name, which, what }) => [name, which, what])).toEqual([
    ['close', 0, 0],
    ['take', 0, 0],
  ]);
});

test('a number chooses a member of any list that has one', () => {
  expect(chosen(['a', 'b'], 3)).toBe('b');
  expect(chosen([], 3)).toBeUndefined();
});

for (const component of ['PaymentRail', 'PurposeOfPayment'])
  fourProperties(`nearMisses of ${component}`, {
    arbitrary: nearMisses(enumOf(component)),
    isRight: (miss) => miss !== '' && !enumOf(component).includes(miss),
    shrinks: false,
  });
