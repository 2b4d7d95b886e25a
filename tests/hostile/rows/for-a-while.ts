import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { changed, each, errorOf, nowAndThen, page, reset, resetAfterwards, MIDDLE } from '../mischief.ts';
import type { HostileProxy, Mischief } from '../proxy.ts';
import type { HostileRow } from '../row.ts';
import type { HostileOutcome } from '../run-hostile.ts';

const GATEWAY = (status: number) => () => page(status);
const RESTART_MS = 5_000;

/** Stops somebody in the middle of the run, and starts it again on the same port. */
export async function restarts(who: HostileProxy, after = MIDDLE): Promise<void> {
  await who.reached(after);
  await who.stop();
  await pause(RESTART_MS);
  await who.start();
}

/** The run met trouble, and said so: a row whose mischief never happens shows nothing. */
function repeated({ report }: HostileOutcome): void {
  expect(report?.run.repeats.length).toBeGreaterThan(0);
}

const limited = (retryAfter: string | undefined): Mischief =>
  each(25, () => {
    const { status, headers, body } = errorOf(429, 'RATE_LIMITED');
    return {
      status,
      headers: { ...headers, ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }) },
      body,
    };
  });

/** Trouble that comes and goes: each test that met it is repeated, and then tells. */
const NOW_AND_THEN: readonly (readonly [what: string, target: Mischief])[] = [
  ['each 25th connection is closed before an answer', each(25, reset)],
  ['each 25th connection is closed after the service did it', each(25, resetAfterwards)],
  ['each 40th answer is a 503', each(40, GATEWAY(503))],
  ['2 % of the answers are a 403 as a page', nowAndThen(2, GATEWAY(403))],
  ['2 % of the answers are a 500 as a page', nowAndThen(2, GATEWAY(500))],
  ['2 % of the answers are a 500 in JSON', nowAndThen(2, () => errorOf(500, 'INTERNAL_ERROR'))],
  ['2 % of the answers are a 200 with a page', nowAndThen(2, GATEWAY(200))],
  [
    '2 % of the answers are cut short',
    nowAndThen(
      2,
      changed((right) => ({ ...right, body: right.body.subarray(0, 20) })),
    ),
  ],
];

/** What a rate limit may say of how long it lasts. One that says it well costs its seconds and nothing else. */
const LIMITS: readonly (readonly [what: string, target: Mischief])[] = [
  ['with Retry-After in seconds', limited('1')],
  ['with Retry-After as a date that is now', limited(new Date().toUTCString())],
  ['without Retry-After', limited(undefined)],
  ['with a negative Retry-After', limited('-1')],
  ['with a Retry-After of a year', limited('31536000')],
  ['with words for Retry-After', limited('in a minute or 2')],
];

export const FOR_A_WHILE: readonly HostileRow[] = [
  {
    name: 'a restart of five seconds',
    meanwhile: (target) => restarts(target),
    verdict: 'conforming',
    mostSeconds: 90,
  },
  ...NOW_AND_THEN.map(([name, target]): HostileRow => ({
    name,
    target,
    // By chance a test may meet it twice.
    verdict: ['conforming', 'incomplete'],
    mostSeconds: 90,
    also: repeated,
  })),
  ...LIMITS.map(([what, target]): HostileRow => ({
    name: `each 25th answer is a 429 ${what}`,
    target,
    verdict: ['conforming', 'incomplete'],
    mostSeconds: 90,
  })),
];
