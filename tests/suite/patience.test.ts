import { expect, test } from '@playwright/test';
import type { Exchange } from '../../client/http/http-client.ts';
import { Patience, retryAfterMs } from '../../suite/patience.ts';
import { RunFolder } from '../../suite/watch/run-folder.ts';
import { UnansweredInARow } from '../../suite/watch/watch.ts';

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
  ['words that begin as a date does', limited('Friday'), undefined],
  ['a number with words', limited('3 s'), undefined],
  ['something beside another status', answered(503, { 'retry-after': '3' }), undefined],
  [
    "a limit of the interface's own",
    answered(429, { 'retry-after': '3' }, '{"code":"DAILY_VOLUME_LIMIT_EXCEEDED"}'),
    undefined,
  ],
];

for (const [what, exchange, ms] of WAITS)
  test(`Retry-After with ${what}: ${ms === undefined ? 'nothing to wait for' : `${ms} ms`}`, () =>
    expect(retryAfterMs(exchange)).toBe(ms));

test('no answer asks for nothing', () => {
  expect(
    retryAfterMs({
      at: NOW,
      milliseconds: 1,
      request: { method: 'GET', url: 'x', headers: {} },
      failure: 'lost',
    }),
  ).toBeUndefined();
});

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
