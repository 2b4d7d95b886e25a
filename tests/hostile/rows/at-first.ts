import { gzipSync } from 'node:zlib';
import { type Mischief, always, answer, bytes, errorOf, forever, hang, page, reset } from '../proxy.ts';
import type { HostileRow } from '../run-hostile.ts';

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
