import { expect, test } from '@playwright/test';
import {
  AMOUNT_RULE,
  conventionsOf,
  ID_RULE,
  ambiguityIn,
  mediaTypeOf,
} from '../../suite/answers/conventions.ts';
import { type Breach } from '../../suite/answers/answer.ts';
import { answered } from './answered.ts';

const UUID = '01234567-89ab-4def-8123-456789abcdef';

/** Bodies, the conventions that they show, and the places where they break one. */
const CASES: readonly (readonly [
  what: string,
  body: unknown,
  seen: readonly string[],
  broken: readonly string[],
])[] = [
  ['an id as it should be', { id: `Customer:${UUID}` }, [ID_RULE], []],
  ['an id in capitals', { id: `Customer:${UUID.toUpperCase()}` }, [ID_RULE], []],
  ['a number for a uuid', { data: [{ accountId: 'InternalAccount:7' }] }, [ID_RULE], ['/data/0/accountId']],
  ['an id of a record that the interface does not have', { id: 'Card:7' }, [], []],
  ["the platform's own id", { platformCustomerId: 'Customer:7' }, [], []],
  ['a text that is no id', { note: 'Customer:7' }, [], []],
  ['an id without its type', { id: '7' }, [], []],
  ['a whole amount', { balance: { amount: 100, currency: 'USD' } }, [AMOUNT_RULE], []],
  ['a fraction', { balance: { amount: 1.5, currency: 'USD' } }, [AMOUNT_RULE], ['/balance/amount']],
  ['a fraction as text', { balance: { amount: '1.00', currency: {} } }, [AMOUNT_RULE], ['/balance/amount']],
  ['a whole amount as text', { balance: { amount: '100', currency: 'USD' } }, [], []],
  ['a fraction of nothing that is money', { amount: 1.5, unit: 'kg' }, [], []],
];

for (const [what, body, seen, broken] of CASES)
  test(`${what}: ${broken.length > 0 ? 'a breach' : seen.length > 0 ? 'kept' : 'nothing to hold'}`, () => {
    const found = conventionsOf(body);
    expect([...found.seen]).toEqual(seen);
    expect(found.breaches.map(({ pointer }) => pointer)).toEqual(broken);
  });

const TYPES = {
  json: [
    undefined,
    '',
    'Application/JSON; charset=utf-8',
    'application/vnd.some.thing-v1+json;v=1',
    'text/json',
  ],
  page: ['text/html', 'text/HTML; charset=utf-8', 'application/xhtml+xml'],
  other: ['text/plain', 'application/jsonp', 'application/octet-stream', 'text/html-sandboxed'],
};

for (const [is, types] of Object.entries(TYPES))
  test(`${types.map((type) => type || 'nothing').join(', ')}: ${is}`, () => {
    for (const type of types)
      expect(mediaTypeOf(type === undefined ? {} : { 'content-type': type })).toBe(is);
  });

const ambiguity = (text: string) => ambiguityIn(text, JSON.parse(text));

const TEXTS: readonly (readonly [what: string, text: string, why?: string])[] = [
  ['a name that comes twice', '{"id":1,"id":2}', 'has the name "id" twice'],
  ['below the top', '{"a":[{"b":{"c":1, "c" : 2}}]}', 'has the name "c" twice'],
  ['one written with an escape', '{"id":1,"\\u0069d":2}', 'has the name "id" twice'],
  ['one of an empty name', '{"":1,"":2}', 'has the name "" twice'],
  ['with quotes in it', '{"a\\"b":1,"a\\"b":2}', 'has the name "a\\"b" twice'],
  ['an object', '{"a":1,"b":{"a":1}}'],
  ['the same name in two objects', '[{"a":1},{"a":1}]'],
  ['a text that looks like members', '{"a":"\\"b\\": 1, \\"b\\": 2"}'],
  ['the same value twice', '{"a":1,"a":1}'],
  ['no object at all', '"a"'],
  ['null', 'null'],
  ['names that programs know', '{"__proto__":1,"constructor":2,"toString":3}'],
];

for (const [what, text, why] of TEXTS)
  test(`${what}: ${why ?? 'it can be read in one way'}`, () => expect(ambiguity(text)).toBe(why));

const LARGE = '9223372036854775807';
const TEXT = `{"status":"APPROVED","amount":${LARGE},"inner":{"list":[{"a":1}]}}`;
const answer = (text: string, breaches: readonly Breach[] = []) =>
  answered(200, { text, breaches, headers: { 'x-a': 'b' } });

test('digits beyond the precision of a double are read exactly', () => {
  expect(answer(TEXT).digits('amount')).toBe(LARGE);
  expect(answer(TEXT).digits('status')).toBeUndefined();
  expect(answer('<html>').digits('amount')).toBeUndefined();
});

for (const [written, digits] of [
  ['1000.0', '1000'],
  ['1e3', '1000'],
  ['1.5E+1', '15'],
  ['-12.00', '-12'],
  ['100e-2', '1'],
  ['9007199254740993.0', '9007199254740993'],
  ['0.0', '0'],
  ['1000.5', '1000.5'],
  ['1e-3', '1e-3'],
  ['1e999', '1e999'],
] as const)
  test(`${written} has the digits ${digits}`, () => {
    expect(answer(`{"amount":${written}}`).digits('amount')).toBe(digits);
  });
