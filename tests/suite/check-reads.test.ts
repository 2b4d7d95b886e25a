import { expect, test } from '@playwright/test';
import { Answer, type Breach, tracked } from '../../suite/answers/answer.ts';
import { answered } from './answered.ts';
import { Unanswered, Reads, withReads } from '../../doubt/check.ts';

const LARGE = '9223372036854775807';
const TEXT = `{"status":"APPROVED","amount":${LARGE},"inner":{"list":[{"a":1}]}}`;
const answer = (text: string, breaches: readonly Breach[] = []) =>
  answered(200, { text, breaches, headers: { 'x-a': 'b' } });

const breach = (pointer: string): Breach => ({ rule: `RULE${pointer}`, pointer, message: 'm' });

/** Rules of broken shapes that a look stands on. */
function standsOn(
  look: (answer: Answer) => unknown,
  pointers: readonly string[],
  text = TEXT,
): readonly string[] {
  const reads = new Reads();
  const one = answer(text, pointers.map(breach));
  withReads(reads, () => look(one));
  expect(reads.answers).toEqual([one]);
  return reads.brokenShapes();
}

test('a look stands on the property that it reads, on what is above and on what is below', () => {
  const pointers = ['/status', '/inner/list/0/a', '/amount', ''];
  expect(standsOn(({ body }) => body.status, pointers)).toEqual(['RULE/status', 'RULE']);
  expect(standsOn(({ body }) => body.inner, pointers)).toEqual(['RULE/inner/list/0/a', 'RULE']);
  expect(standsOn(({ body }) => body.inner.list[0].a, ['/inner/list'])).toEqual(['RULE/inner/list']);
  expect(standsOn(({ body }) => 'amount' in body, pointers)).toContain('RULE/amount');
  expect(
    standsOn(
      ({ body }) => {
        expect(body).toMatchObject({ amount: Number(LARGE) });
      },
      ['/amount', '/status'],
    ),
  ).toContain('RULE/amount');
});

test('status and headers are read without standing on the body', () => {
  expect(
    standsOn((one) => [one.status, one.accepted, one.refused, one.header('X-A')], ['/status', '', '#status']),
  ).toEqual([]);
});

test('where there is no object, whatever is asked of the body stands on it as a whole', () => {
  expect(standsOn(({ body }) => body?.status, ['#body'], '<html>')).toEqual(['RULE#body']);
  expect(standsOn(({ body }) => body?.status, [''], '"text"')).toEqual(['RULE']);
});

test('similar names are told apart', () => {
  expect(standsOn(({ body }) => body.status, ['/statusCode', '/inner/status'])).toEqual([]);
});

test('the body reads like the JSON that it is, and cannot be changed', () => {
  const { body } = answer(TEXT);
  expect(body.inner).toEqual({ list: [{ a: 1 }] });
  expect(JSON.stringify(body.inner)).toBe('{"list":[{"a":1}]}');
  expect([...body.inner.list].length).toBe(1);
  expect(() => {
    (body as { status: string }).status = 'x';
  }).toThrow('an answer cannot be changed');
  expect(tracked(null, () => undefined)).toBe(null);
});

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

test('reading an answer that never came throws, and telling its outcome does not', () => {
  const none = new Answer(
    'id',
    'asking',
    {
      at: 0,
      milliseconds: 1,
      request: { method: 'GET', url: 'x', headers: {} },
      failure: 'no answer came in time',
    },
    undefined,
    [],
  );
  const looks = [
    () => none.status,
    () => none.body,
    () => none.text,
    () => none.code,
    () => none.header('a'),
  ];
  for (const look of looks) expect(look).toThrow(Unanswered);
  expect(none.outcome).toBe('no answer (no answer came in time)');
  expect(none.cameFromBetween).toBe(true);
});
