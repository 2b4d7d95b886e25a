import { expect, test } from '@playwright/test';
import { ambiguityIn, mediaTypeOf } from '../../suite/json-text.ts';

const TYPES: readonly (readonly [type: string | undefined, is: 'json' | 'page' | 'other'])[] = [
  [undefined, 'json'],
  ['', 'json'],
  ['application/json', 'json'],
  ['Application/JSON; charset=utf-8', 'json'],
  ['application/problem+json', 'json'],
  ['application/vnd.some.thing-v1+json;v=1', 'json'],
  ['text/json', 'json'],
  ['text/html', 'page'],
  ['text/HTML; charset=utf-8', 'page'],
  ['application/xhtml+xml', 'page'],
  ['text/plain', 'other'],
  ['application/jsonp', 'other'],
  ['application/octet-stream', 'other'],
  ['text/html-sandboxed', 'other'],
];

for (const [type, is] of TYPES)
  test(`"${type}" is ${is}`, () =>
    expect(mediaTypeOf(type === undefined ? {} : { 'content-type': type })).toBe(is));

const ambiguity = (text: string) => ambiguityIn(text, JSON.parse(text));

const TWICE: readonly (readonly [what: string, text: string, why: string])[] = [
  ['a name that comes twice', '{"id":1,"id":2}', 'has the name "id" twice'],
  ['below the top', '{"a":[{"b":{"c":1, "c" : 2}}]}', 'has the name "c" twice'],
  ['one written with an escape', '{"id":1,"\\u0069d":2}', 'has the name "id" twice'],
  ['one of an empty name', '{"":1,"":2}', 'has the name "" twice'],
  ['with quotes in it', '{"a\\"b":1,"a\\"b":2}', 'has the name "a\\"b" twice'],
  ['with a line break in it', '{"a\\nb":1,"a\\nb":2}', 'has the name "a\\nb" twice'],
];

for (const [what, text, why] of TWICE) test(`${what}: ${why}`, () => expect(ambiguity(text)).toBe(why));

const ONCE: readonly (readonly [what: string, text: string])[] = [
  ['an object', '{"a":1,"b":{"a":1}}'],
  ['the same name in two objects', '[{"a":1},{"a":1}]'],
  ['a text that looks like members', '{"a":"\\"b\\": 1, \\"b\\": 2"}'],
  ['the same value twice', '{"a":1,"a":1}'],
  ['no object at all', '"a"'],
  ['null', 'null'],
  ['names that programs know', '{"__proto__":1,"constructor":2,"toString":3}'],
];

for (const [what, text] of ONCE)
  test(`${what} can be read in one way`, () => expect(ambiguity(text)).toBeUndefined());

test('a very long or very deep text ends, and is not searched for long', () => {
  const deep = `${'['.repeat(90_000)}{"a":1,"a":2}${']'.repeat(90_000)}`;
  const started = performance.now();
  expect(ambiguityIn(deep, JSON.parse(deep))).toBeUndefined();
  const long = `{"a":1,"a":2,"b":"${'x'.repeat(300_000)}"}`;
  expect(ambiguity(long)).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(5_000);
});
