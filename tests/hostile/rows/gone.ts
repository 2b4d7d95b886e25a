import { gzipSync } from 'node:zlib';
import { expect } from '@playwright/test';
import {
  type Mischief,
  always,
  answer,
  bytes,
  errorOf,
  forever,
  hang,
  page,
  reset,
  MIDDLE,
  fromTheMiddle,
} from '../proxy.ts';
import type { HostileRow, HostileOutcome } from '../run-hostile.ts';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const MANY_HEADERS = Array.from({ length: 5_000 }, (_, i) => `x-${i}: y\r\n`).join('');
const NO_OPERATIONS = /has none of the service's operations: check its path/;
const SILENT = /cannot be tested: .*Check the address, and that the service runs/;
const LATE = /cannot be tested: .* in time\. .* or raise requestTimeoutMs/;
const IMPATIENT = { PROFILE: 'tests/hostile/impatient.yaml' };

const LARGE = Buffer.alloc(100_000_000, '[');
/** A client that unpacks what it is sent would fill its memory. */
const bomb: Mischief = () => ({ status: 200, headers: { 'content-encoding': 'gzip' }, body: packed() });
let packedOnce: Buffer | undefined;
const packed = () => (packedOnce ??= gzipSync(Buffer.alloc(200_000_000, ' ')));

const ROWS: readonly (readonly [name: string, target: Mischief, because: RegExp, waits?: 'waits'])[] = [
  ['404 in JSON', always(errorOf(404, 'NOT_FOUND')), NO_OPERATIONS],
  ['200 as a page', always(page(200)), NO_OPERATIONS],
  ['204 without a body', always(answer(204, '')), NO_OPERATIONS],
  ['500 in JSON', always(errorOf(500, 'INTERNAL_ERROR')), /answers 500 to everything/],
  ['503 as a page', always(page(503)), /answers 503 to everything/],
  ['401 in JSON', always(errorOf(401, 'UNAUTHORIZED')), /refuses CLIENT_ID and CLIENT_SECRET \(401\)/],
  [
    'redirects with commands to a terminal',
    always(answer(302, '', { location: '/login\u009b31m?secret=1' })),
    /redirects to \/login31m, and redirects are not followed/,
  ],
  ['never an answer', hang, LATE, 'waits'],
  ['a byte a second', forever(`${HEAD}content-length: 9999\r\n\r\n`, '[', 1_000), LATE, 'waits'],
  ['a body without end', forever(`${HEAD}\r\n`, LARGE.subarray(0, 65_536), 0), SILENT],
  ['"103 Early Hints" for ever', forever('', 'HTTP/1.1 103 Early Hints\r\n\r\n', 20), LATE, 'waits'],
  ['"100 Continue" for ever', forever('', 'HTTP/1.1 100 Continue\r\n\r\n', 20), SILENT, 'waits'],
  ['a connection closed at once', reset, SILENT],
  ['bytes of no meaning', bytes(Buffer.from([...Array(512).keys()].map((i) => i * 31))), SILENT],
  ['a page without a status line', bytes('<html>hello</html>\n'), SILENT],
  ['a header without end', forever(`${HEAD}x: `, 'y'.repeat(60_000), 0), SILENT],
  ['5,000 headers', bytes(`${HEAD}${MANY_HEADERS}content-length: 2\r\n\r\n{}`), SILENT],
  ['100 MB', always({ status: 200, headers: {}, body: LARGE }), SILENT],
  ['a bomb of gzip', bomb, NO_OPERATIONS],
  ['200,000 arrays in each other', always(answer(200, '['.repeat(200_000))), NO_OPERATIONS],
  ['a content-length that is too long', bytes(`${HEAD}content-length: 99\r\n\r\n{}`), SILENT],
  ['a content-length that is too short', bytes(`${HEAD}content-length: 1\r\n\r\n{}`), NO_OPERATIONS],
];

const everything = ROWS.map(([what, target, because, waits]): HostileRow => ({
  name: `to everything: ${what}`,
  target,
  verdict: 'not judged',
  because,
  specs: ['specs/errors/refusals.spec.ts'],
  mostSeconds: 60,
  ...(waits ? { env: IMPATIENT } : {}),
}));

/** Targets that nobody can judge: preflight refuses them with one sentence. */
export const AT_FIRST: readonly HostileRow[] = [
  ...everything,
  {
    name: 'another version of the interface',
    version: '2023-01-01',
    verdict: 'not judged',
    because: /does not answer as the service does, but \S+\/2025-10-13 does: set BASE_URL=/,
    specs: ['specs/errors/refusals.spec.ts'],
    mostSeconds: 60,
  },
];

const SPECS = ['specs/agents/authentication.spec.ts', 'specs/agents/actions.spec.ts'];
/** Waiting for somebody who may come back takes 15 s; and a look at somebody who hangs takes its time. */
const TOLD_WITHIN_S = 30;
/** A machine that does other things, too, takes longer. */
const ALLOWED_S = 2 * TOLD_WITHIN_S;

const LEAVING: readonly (readonly [
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
export const FOR_GOOD: readonly HostileRow[] = [...LEAVING.map((each) => row(...each)), stopped()];
