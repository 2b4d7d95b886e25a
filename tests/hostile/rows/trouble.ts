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
  answer,
  forever,
  hang,
  rewritten,
} from '../proxy.ts';
import type { HostileRow, HostileOutcome } from '../run-hostile.ts';

const RESTART_MS = 5_000;
const MOST_SECONDS = 240;
/** A test may meet it twice, and then says nothing; most must tell all the same. */
const MOST_OPEN = 4;

/** Stops somebody in the middle of the run, and starts it again on the same port. */
async function restarts(who: HostileProxy, after = MIDDLE): Promise<void> {
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
  nowAndThen('each 40th connection is closed before an answer', 40, reset),
  nowAndThen('each 40th connection is closed after the service did it', 40, resetAfterwards),
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

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const IMPATIENT = { PROFILE: 'tests/hostile/impatient.yaml' };
/** Preflight is over then, and some tests are prepared. */
const SOME = 8;

/** Preflight asks the states' URL too, and refuses one that nobody can use. */
const REFUSED: readonly (readonly [what: string, states: Mischief, because: RegExp])[] = [
  ['closes connections', reset, /cannot be used: the connection was closed before an answer came/],
  ['hangs', hang, /cannot be used: no answer came in time/],
  ['is a mistyped path', always(page(404)), /cannot be used: it answers 404 as a web page/],
  ['wants another token', always(errorOf(401, 'UNAUTHORIZED')), /it answers 401, set PROVIDER_STATES_TOKEN/],
];

const SERVE = /^serve the state `[\w-]+`/;
const ANSWER = /^let the provider-states URL answer as docs\/provider-states.md says$/;
const AGAIN = /^run again: the network or the target was in trouble$/;
const COMMANDS = '\u001b[31mred\u009b32m\u202egnp\u0000\u001b]8;;http://x\u0007';

/** Changes each value whose name fits. */
const valued = (name: string, json: string) =>
  rewritten((text) => text.replace(new RegExp(`("${name}"):"[^"]*"`, 'g'), `$1:${json}`));

/** Nothing is proven, nobody is accused, and the report says what would mend it. */
const NONSENSE: readonly (readonly [what: string, states: Mischief, order: RegExp])[] = [
  ['gives values of wrong types', valued('\\w+', '17'), SERVE],
  ['gives accounts that are numbers', valued('\\w+AccountId', '17'), SERVE],
  ['gives empty ids', valued('\\w+Id', '""'), SERVE],
  ['gives pages', always(page(200)), ANSWER],
  ['gives bodies without end', forever(`${HEAD}\r\n`, ' '.repeat(65_536), 0), AGAIN],
  ['hangs', hang, AGAIN],
];

/** The first order is the one that mends most rules. */
const mends =
  (order: RegExp) =>
  ({ report }: HostileOutcome): void =>
    expect(report?.open[0]?.mend).toMatch(order);

/** What prepares is away or talks nonsense. */
export const STATES: readonly HostileRow[] = [
  ...REFUSED.map(([what, states, because]): HostileRow => ({
    name: `the states' URL ${what}`,
    states,
    verdict: 'not judged',
    because,
    specs: ['specs/errors/refusals.spec.ts'],
    mostSeconds: 60,
    env: IMPATIENT,
  })),
  ...NONSENSE.map(([what, states, order]): HostileRow => ({
    name: `after a while, the states' URL ${what}`,
    states: fromTheMiddle(states, SOME),
    verdict: 'incomplete',
    waits: true,
    mostSeconds: MOST_SECONDS,
    env: IMPATIENT,
    also: mends(order),
  })),
  {
    // A 422 says that others are to be asked: public calls show these rules as well.
    name: "after a while, the states' URL refuses with commands to a terminal",
    states: fromTheMiddle(always(answer(422, { message: COMMANDS })), SOME),
    verdict: 'conforming',
    mostSeconds: MOST_SECONDS,
  },
  {
    name: "the states' URL answers 500 each third time",
    states: each(3, always(errorOf(500, 'INTERNAL_ERROR')), 2),
    verdict: ['conforming', 'incomplete'],
    // Every second test is repeated, each in a new worker.
    specs: ['specs/agents/approval.spec.ts', 'specs/agents/actions.spec.ts'],
    mostSeconds: MOST_SECONDS,
    also: ({ report }) => expect(report?.run.repeats.length).toBeGreaterThan(0),
  },
  {
    name: "from the middle on, nobody listens at the states' URL",
    meanwhile: async (_target, states) => {
      await states.reached(SOME);
      await states.stop();
    },
    verdict: 'incomplete',
    waits: true,
    mostSeconds: MOST_SECONDS,
    also: mends(AGAIN),
  },
  {
    name: "the states' URL restarts for five seconds",
    meanwhile: (_target, states) => restarts(states, SOME),
    workers: 2,
    verdict: 'conforming',
    mostSeconds: MOST_SECONDS,
  },
];
