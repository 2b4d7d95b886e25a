import { expect } from '@playwright/test';
import {
  type Mischief,
  always,
  answer,
  each,
  errorOf,
  forever,
  fromTheMiddle,
  hang,
  page,
  reset,
  rewritten,
} from '../proxy.ts';
import type { HostileOutcome, HostileRow } from '../run-hostile.ts';
import { restarts } from './for-a-while.ts';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const IMPATIENT = { PROFILE: 'tests/hostile/impatient.yaml' };
const MOST_SECONDS = 240;
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
  ['refuses with commands to a terminal', always(answer(422, { message: COMMANDS })), SERVE],
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
