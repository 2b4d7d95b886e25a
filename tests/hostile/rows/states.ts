import { expect } from '@playwright/test';
import {
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
} from '../mischief.ts';
import type { Mischief } from '../proxy.ts';
import type { HostileRow } from '../row.ts';
import type { HostileOutcome } from '../run-hostile.ts';
import { restarts } from './for-a-while.ts';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const IMPATIENT = { PROFILE: 'tests/hostile/impatient.yaml' };

/** Preflight asks the states' URL too, and refuses one that nobody can use. */
const REFUSED: readonly (readonly [what: string, states: Mischief, because: RegExp])[] = [
  ['closes connections', reset, /PROVIDER_STATES_URL \S+ cannot be used: the connection was closed/],
  ['hangs', hang, /PROVIDER_STATES_URL \S+ cannot be used: no answer came in time/],
  ['is a page', always(page(404)), /PROVIDER_STATES_URL \S+ cannot be used: it answers 404 as a web page/],
  ['wants another token', always(errorOf(401, 'UNAUTHORIZED')), /it answers 401, set PROVIDER_STATES_TOKEN/],
];

/** What prepares is away or talks nonsense: nothing is proven, nobody is accused, and the report says what would mend it. */
const NONSENSE: readonly (readonly [what: string, states: Mischief])[] = [
  ['answers with values of wrong types', rewritten((text) => text.replace(/"([^"]+)":"[^"]*"/g, '"$1":17'))],
  ['answers with pages', always(page(200))],
  ['answers with bodies without end', forever(`${HEAD}\r\n`, ' '.repeat(65_536), 0)],
  [
    'answers with commands to a terminal',
    always(answer(422, { message: '\u001b[31mred\u009b32m\u202egnp\u0000\u001b]8;;http://x\u0007' })),
  ],
  ['hangs from the middle on', hang],
];

/** Some order that would mend the open rules is there, and it is about the states. */
function saysWhatMends({ report }: HostileOutcome): void {
  expect(report?.open.map(({ mend }) => mend).join('\n')).toMatch(/state/i);
}

export const STATES: readonly HostileRow[] = [
  ...REFUSED.map(([what, states, because]): HostileRow => ({
    name: `the states' URL ${what}`,
    states,
    verdict: 'not judged',
    because,
    specs: ['specs/errors/not-found.spec.ts'],
    mostSeconds: 30,
    env: IMPATIENT,
  })),
  ...NONSENSE.map(([what, states]): HostileRow => ({
    name: `the states' URL ${what}`,
    states: afterPreflight(states),
    verdict: 'incomplete',
    mostSeconds: 60,
    env: IMPATIENT,
    also: saysWhatMends,
  })),
  {
    name: "the states' URL answers 500 each third time",
    states: each(3, () => errorOf(500, 'INTERNAL_ERROR'), 2),
    verdict: ['conforming', 'incomplete'],
    mostSeconds: 90,
  },
  {
    name: "nobody listens at the states' URL from the middle on",
    meanwhile: async (_target, states) => {
      await states.reached(20);
      await states.stop();
    },
    verdict: 'incomplete',
    mostSeconds: 60,
    also: saysWhatMends,
  },
  {
    name: "the states' URL restarts for five seconds",
    meanwhile: (_target, states) => restarts(states, 20),
    verdict: 'conforming',
    mostSeconds: 60,
  },
];

function afterPreflight(mischief: Mischief): Mischief {
  return fromTheMiddle(mischief, 8);
}
