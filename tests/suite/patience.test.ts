import { expect, test } from '@playwright/test';
import type { Exchange } from '../../client/http/http-client.ts';
import { Patience, retryAfterMs } from '../../suite/answers/patience.ts';
import { RunFolder } from '../../suite/run/run-folder.ts';
import { UnansweredInARow } from '../../suite/watch/watch.ts';
import { parsed } from './answered.ts';
import { troubleIn } from '../../doubt/answer.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');
/** The same moment by a clock that is an hour ahead. */
const AHEAD = 'Fri, 02 Jan 2026 04:04:05 GMT';

function answered(status: number, headers: Record<string, string> = {}, text = ''): Exchange {
  const request = { method: 'POST', url: 'x', headers: {} };
  return { at: NOW, milliseconds: 1, request, response: { status, headers, text } };
}

const limited = (after: string, more: Record<string, string> = {}) =>
  answered(429, { 'retry-after': after, ...more });

const WAITS: readonly (readonly [what: string, exchange: Exchange, ms: number | undefined])[] = [
  ['seconds', limited('3'), 3_000],
  ['parts of a second', limited(' 0.5 '), 500],
  ['no time at all', limited('0'), 0],
  ['a date, by our clock', limited('Fri, 02 Jan 2026 03:04:15 GMT'), 10_000],
  ["a date, by the target's own clock", limited('Fri, 02 Jan 2026 04:04:15 GMT', { date: AHEAD }), 10_000],
  ['an old form of a date', limited('Friday, 02-Jan-26 03:04:15 GMT'), 10_000],
  ['the oldest form of a date, which names no zone', limited('Fri Jan  2 03:04:15 2026'), 10_000],
  ['a date that is over', limited('Fri, 02 Jan 2026 03:00:00 GMT'), 0],
  ['nothing', answered(429), undefined],
  ['a negative number', limited('-1'), undefined],
  ['words', limited('in a minute or 2'), undefined],
  ['a number with words', limited('3 s'), undefined],
  ['something beside another status', answered(503, { 'retry-after': '3' }), undefined],
  [
    'its own limit',
    answered(429, { 'retry-after': '3' }, '{"code":"DAILY_VOLUME_LIMIT_EXCEEDED"}'),
    undefined,
  ],
];

for (const [what, exchange, ms] of WAITS)
  test(`Retry-After with ${what}: ${ms === undefined ? 'nothing to wait for' : `${ms} ms`}`, () =>
    expect(retryAfterMs(exchange)).toBe(ms));

/** Patience of tests of one run, where time stands still. */
function run() {
  const kinds = new UnansweredInARow(new RunFolder(undefined), () => NOW);
  const watch = {
    leftAlone: (kind: string) => kinds.leftAlone(kind),
    noteKind: (kind: string, wentWell: boolean, at: number) => kinds.note(kind, wentWell, at),
  };
  return { test: () => new Patience(watch, { longestSeconds: 35, budgetSeconds: 120 }) };
}

/** What one call waits for, in milliseconds, until its answer stands. */
function call(patience: Patience, exchange: Exchange): number[] {
  const waits: number[] = [];
  for (let tries = 1; tries < 20; tries += 1) {
    const wait = patience.spend(exchange, tries);
    if (wait === undefined) return waits;
    waits.push(wait);
  }
  throw new Error('it would wait for ever');
}

test('a call is sent four times at most, and what asks for more than half a minute is not waited for', () => {
  expect(call(run().test(), limited('2'))).toEqual([2_000, 2_000, 2_000]);
  expect(call(run().test(), limited('36'))).toEqual([]);
  expect(call(run().test(), limited('31536000'))).toEqual([]);
  expect(call(run().test(), answered(200))).toEqual([]);
});

test('all rate limits of one test together cost two minutes at most', () => {
  const patience = run().test();
  expect(call(patience, limited('30'))).toEqual([30_000, 30_000, 30_000]);
  expect(call(patience, limited('30'))).toEqual([30_000]);
  expect(call(patience, limited('1'))).toEqual([]);
});

test('where waiting did not help three times, the run does not wait any more', () => {
  const { test: next } = run();
  for (let i = 0; i < 3; i += 1) expect(call(next(), limited('1'))).toHaveLength(3);
  expect(call(next(), limited('1'))).toEqual([]);
});

test('a call that gets through after waiting shows that waiting helps', () => {
  const { test: next } = run();
  for (let i = 0; i < 2; i += 1) call(next(), limited('1'));
  const patience = next();
  expect(patience.spend(limited('1'), 1)).toBe(1_000);
  expect(patience.spend(answered(200), 2)).toBeUndefined();
  for (let i = 0; i < 2; i += 1) expect(call(next(), limited('1'))).toHaveLength(3);
});

interface Given {
  readonly status: number;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const ERROR = '{"status":400,"code":"INVALID_INPUT","message":"m"}';
const LIMIT = '{"status":429,"code":"DAILY_VOLUME_LIMIT_EXCEEDED","message":"m"}';
const PAGE = { text: '\n <!doctype html><p>no', headers: {} };

/** What an answer shows, as `may accuse` or `accuses nobody` before its words; undefined for none. */
function trouble({ status, text = '', headers = {} }: Given, impatient = false): string | undefined {
  const found = troubleIn({ response: { status, headers, text } }, parsed(text), { impatient });
  expect(found?.momentary ?? true).toBe(true);
  return found && `${found.mayAccuse ? 'may accuse' : 'accuses nobody'}: ${found.what}`;
}

const NONE: readonly (readonly [what: string, given: Given])[] = [
  ['a success', { status: 200, text: '{}' }],
  ['a success without a body', { status: 204 }],
  ['a success in plain text', { status: 200, text: 'done', headers: { 'content-type': 'text/plain' } }],
  ['a refusal in the form of the interface', { status: 400, text: ERROR }],
  ['one that calls its JSON a page', { status: 400, text: ERROR, headers: { 'content-type': 'text/html' } }],
  ['a conflict without a body, which services alone speak of', { status: 409 }],
  ['a limit that the interface names', { status: 429, text: LIMIT }],
  ['the same limit with another status', { status: 503, text: LIMIT }],
  [
    'a body that says that it is not compressed',
    { status: 200, text: '{}', headers: { 'content-encoding': ' identity ' } },
  ],
];

for (const [what, given] of NONE) test(`${what} is no trouble`, () => expect(trouble(given)).toBeUndefined());

const SOME: readonly (readonly [what: string, given: Given, trouble: string])[] = [
  ['a rate limit', { status: 429, text: '{"code":"RATE_LIMITED"}' }, 'accuses nobody: 429'],
  ['a rate limit without a word', { status: 429 }, 'accuses nobody: 429'],
  ...[502, 503, 504, 520, 525, 530, 598].map(
    (status) => [`a ${status}`, { status, text: ERROR }, `accuses nobody: ${status}`] as const,
  ),
  [
    'a compressed body',
    { status: 201, text: '\u001f\u008b', headers: { 'content-encoding': 'gzip' } },
    'accuses nobody: 201 with a compressed body (gzip), which nobody asked for',
  ],
  ['a redirect', { status: 302, headers: { location: '/login' } }, 'may accuse: 302, a redirect'],
  ['a 500 of the service', { status: 500, text: ERROR }, 'may accuse: 500'],
  ['a 501', { status: 501 }, 'may accuse: 501'],
  ['a maintenance page', { status: 200, ...PAGE }, 'may accuse: 200 with a page that is no JSON'],
  ['a 403 as a page', { status: 403, ...PAGE }, 'may accuse: 403 with a page that is no JSON'],
  [
    'what only calls itself a page',
    { status: 200, text: 'soon', headers: { 'content-type': 'text/html' } },
    'may accuse: 200 with a page that is no JSON',
  ],
  ['a refusal without a body', { status: 401 }, 'may accuse: 401 with a body that is no JSON'],
  ['a refusal in plain text', { status: 404, text: 'no' }, 'may accuse: 404 with a body that is no JSON'],
];

for (const [what, given, expected] of SOME)
  test(`${what}: ${expected}`, () => expect(trouble(given)).toBe(expected));

test('where a limit on requests is what the call is about, its 429 is the answer', () => {
  expect(trouble({ status: 429 }, true)).toBeUndefined();
  expect(trouble({ status: 503 }, true)).toBe('accuses nobody: 503');
});

test('no answer accuses nobody; one that could not be sent is not sent again', () => {
  const failure = 'no answer came in time';
  expect(troubleIn({ failure }, undefined)).toEqual({
    what: 'no answer (no answer came in time)',
    mayAccuse: false,
    momentary: true,
  });
  expect(troubleIn({ failure, unsendable: true }, undefined)?.momentary).toBe(false);
});
