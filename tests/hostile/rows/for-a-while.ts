import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@playwright/test';
import {
  type Forwarded,
  type HostileProxy,
  MIDDLE,
  type Mischief,
  always,
  changed,
  counted,
  each,
  errorOf,
  fromTheMiddle,
  page,
  reset,
  resetAfterwards,
} from '../proxy.ts';
import type { HostileRow } from '../run-hostile.ts';

const RESTART_MS = 5_000;
const MOST_SECONDS = 240;
/** A test may meet it twice, and then says nothing; most must tell all the same. */
const MOST_OPEN = 4;

/** Stops somebody in the middle of the run, and starts it again on the same port. */
export async function restarts(who: HostileProxy, after = MIDDLE): Promise<void> {
  await who.reached(after);
  await who.stop();
  await pause(RESTART_MS);
  await who.start();
}

/** Trouble that comes and goes: each test that met it is repeated, and then tells. */
function nowAndThen(name: string, n: number, what: Mischief): HostileRow {
  const { mischief, times } = counted(what);
  return {
    name,
    target: each(n, mischief),
    verdict: ['conforming', 'incomplete'],
    mostSeconds: MOST_SECONDS,
    also: ({ report }) => {
      expect(times()).toBeGreaterThan(1);
      expect(report?.totals.MUST.inconclusive).toBeLessThanOrEqual(MOST_OPEN);
      expect(report?.totals.MUST.verified).toBeGreaterThan(20);
    },
  };
}

const limited = (retryAfter: string | undefined): Forwarded => {
  const { headers, ...rest } = errorOf(429, 'RATE_LIMITED');
  return {
    ...rest,
    headers: { ...headers, ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }) },
  };
};

/** Each time another of them. */
const inTurn = (answers: readonly (() => Forwarded)[]): Mischief => {
  let turn = 0;
  return () => answers[(turn += 1) % answers.length]?.();
};

const FAULT = errorOf(500, 'INTERNAL_ERROR');
/** A balancer that sends each request to one of two backends, by chance: the golden ratio spreads the numbers. */
const toTheSecond = (number: number): boolean => (number * 0.618_033_988) % 1 < 0.5;
const BURST = 30;

export const FOR_A_WHILE: readonly HostileRow[] = [
  {
    name: 'one backend of two answers 500 to everything',
    target: ({ number }) => (number > MIDDLE / 2 && toTheSecond(number) ? FAULT : true),
    verdict: 'incomplete',
    mostSeconds: MOST_SECONDS,
  },
  {
    name: `${BURST} answers in a row are a 500, twice`,
    target: ({ number }) => (number > MIDDLE && number % 200 < BURST ? FAULT : true),
    verdict: ['conforming', 'incomplete'],
    mostSeconds: MOST_SECONDS,
  },
  {
    name: 'a restart of five seconds',
    meanwhile: (target) => restarts(target),
    workers: 2,
    verdict: 'conforming',
    mostSeconds: MOST_SECONDS,
  },
  nowAndThen('each 25th connection is closed before an answer', 25, reset),
  nowAndThen('each 25th connection is closed after the service did it', 25, resetAfterwards),
  nowAndThen('each 40th answer is a 503', 40, always(page(503))),
  nowAndThen('each 50th answer is a 403 as a page', 50, always(page(403))),
  nowAndThen('each 50th answer is a 500 as a page', 50, always(page(500))),
  nowAndThen('each 50th answer is a 500 in JSON', 50, always(errorOf(500, 'INTERNAL_ERROR'))),
  nowAndThen('each 50th answer is a 200 with a page', 50, always(page(200))),
  {
    ...nowAndThen(
      'each 50th answer ends too early',
      50,
      changed((right) => ({ ...right, body: right.body.subarray(0, 9) })),
    ),
    // The rest of it never comes.
    env: { PROFILE: 'tests/hostile/impatient.yaml' },
  },
  {
    ...nowAndThen(
      'each 20th answer is a 429 that says how long it lasts, in seconds or as a date',
      20,
      inTurn([() => limited('1'), () => limited(new Date(Date.now() + 1_000).toUTCString())]),
    ),
    // Who waits as long as it says loses nothing.
    verdict: 'conforming',
  },
  nowAndThen(
    'each 20th answer is a 429 that says nothing of use',
    20,
    inTurn([undefined, '-1', '31536000', 'in a minute or 2'].map((after) => () => limited(after))),
  ),
  {
    name: 'from the middle on, each answer is a 429 that asks for two seconds',
    target: fromTheMiddle(always(limited('2')), 15),
    specs: ['specs/agents/approval.spec.ts', 'specs/agents/actions.spec.ts'],
    verdict: 'incomplete',
    waits: true,
    mostSeconds: MOST_SECONDS,
    also: ({ report }) => expect(report?.totals.MUST.inconclusive).toBeGreaterThan(0),
  },
];
