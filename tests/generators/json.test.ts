import { expect, test } from '@playwright/test';
import { pathValuesBeside } from '../../generators/ids.ts';
import { noJson, openWritings, sameInOtherWords, malformedJson, extraFields } from '../../generators/json.ts';
import { fourProperties } from './four-properties.ts';

const BODY = { source: { accountId: 'InternalAccount:1' }, amount: 1_000, note: 'a "quoted" \\ text' };

test('the same in other words is the same value, in another text', () => {
  for (const { says, text } of sameInOtherWords(BODY)) {
    expect(JSON.parse(text), says).toEqual(BODY);
    expect(text, says).not.toBe(JSON.stringify(BODY));
  }
});

test('what is no JSON is read by no strict reader', () => {
  for (const { says, text } of noJson(BODY)) expect(() => void JSON.parse(text), says).toThrow(SyntaxError);
});

test('each open writing has a name of its own', () => {
  const names = openWritings(BODY).map(({ says }) => says);
  expect(new Set(names).size).toBe(names.length);
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
