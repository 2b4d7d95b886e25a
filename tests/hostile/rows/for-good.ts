import { expect } from '@playwright/test';
import {
  MIDDLE,
  type Mischief,
  always,
  answer,
  errorOf,
  forever,
  fromTheMiddle,
  hang,
  page,
  reset,
} from '../proxy.ts';
import type { HostileOutcome, HostileRow } from '../run-hostile.ts';

const SPECS = ['specs/agents/authentication.spec.ts', 'specs/agents/actions.spec.ts'];
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
/** Waiting for somebody who may come back takes 15 s; and a look at somebody who hangs takes its time. */
const TOLD_WITHIN_S = 30;
/** A machine that does other things, too, takes longer. */
const ALLOWED_S = 2 * TOLD_WITHIN_S;

const ROWS: readonly (readonly [
  what: string,
  target: Mischief,
  why: RegExp,
  env?: Record<string, string>,
])[] = [
  ['hangs', hang, /no answer came in time/, { PROFILE: 'tests/hostile/impatient.yaml' }],
  ['hangs, with the usual patience', hang, /no answer came in time/],
  ['sends a byte a second', forever(`${HEAD}content-length: 9999\r\n\r\n`, '[', 1_000), /in time/],
  ['sends bodies without end', forever(`${HEAD}\r\n`, ' '.repeat(65_536), 0), /larger than 16 MiB/],
  ['sends "103 Early Hints" for ever', forever('', 'HTTP/1.1 103 Early Hints\r\n\r\n', 20), /in time/],
  ['closes connections', reset, /the connection was closed before an answer came/],
  ['answers 401', always(errorOf(401, 'UNAUTHORIZED')), /it answers 401 to a request that it answered 200/],
  ['answers 403 as a page', always(page(403)), /it answers 403/],
  ['answers 500', always(errorOf(500, 'INTERNAL_ERROR')), /it answers 500/],
  ['answers 503 as a page', always(page(503)), /it answers 503/],
  ['answers 520', always(answer(520, 'error code: 520', { 'content-type': 'text/plain' })), /it answers 520/],
  ['answers 200 with a page', always(page(200)), /it answers something that is no JSON/],
  ['answers 302 to a log-in', always(answer(302, '', { location: '/login' })), /it answers 302/],
];

/** The target is not accused; that it went away is told once, with the time, soon after it did, and what it did last. */
function toldOnce({ report, output }: HostileOutcome, why: RegExp, went: () => number): void {
  const gone = report?.run.gone;
  expect(gone?.why).toMatch(why);
  expect(gone?.lastAnswered?.status).toBeLessThan(300);
  expect(gone?.lastAnswered?.label).not.toBe('');
  const at = Date.parse(gone?.at ?? '');
  expect(Math.abs(at - went())).toBeLessThan(5_000);
  const ended = Date.parse(report?.run.startedAt ?? '') + (report?.run.milliseconds ?? 0);
  expect((ended - went()) / 1_000).toBeLessThan(ALLOWED_S);
  expect(report?.run.tests.didNotRun).toBeGreaterThan(0);
  expect(output.match(/went away/g)).toHaveLength(1);
}

/** Remembers when it was asked to do mischief first. */
function timed(mischief: Mischief): { readonly mischief: Mischief; readonly went: () => number } {
  let first = 0;
  return {
    mischief: (passing) => {
      first ||= Date.now();
      return mischief(passing);
    },
    went: () => first,
  };
}

function row(what: string, mischief: Mischief, why: RegExp, env: Record<string, string> = {}): HostileRow {
  const { mischief: target, went } = timed(mischief);
  return {
    name: `from the middle on, it ${what}`,
    target: fromTheMiddle(target),
    verdict: 'not judged',
    env,
    specs: SPECS,
    waits: true,
    workers: 2,
    mostSeconds: 120,
    also: (outcome) => toldOnce(outcome, why, went),
  };
}

function stopped(): HostileRow {
  let first = 0;
  return {
    name: 'from the middle on, nobody listens there',
    meanwhile: async (target) => {
      await target.reached(MIDDLE);
      first = Date.now();
      await target.stop();
    },
    verdict: 'not judged',
    specs: SPECS,
    waits: true,
    workers: 2,
    mostSeconds: 120,
    also: (outcome) => toldOnce(outcome, /connection refused/, () => first),
  };
}

/** Targets that go away in the middle of a run and do not come back: not judged, told once, and soon. */
export const FOR_GOOD: readonly HostileRow[] = [...ROWS.map((each) => row(...each)), stopped()];
