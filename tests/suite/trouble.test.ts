import { expect, test } from '@playwright/test';
import { troubleIn } from '../../doubt/answer.ts';
import { parsedOrNothing } from '../../schemas/json.ts';

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
  const found = troubleIn({ response: { status, headers, text } }, parsedOrNothing(text), { impatient });
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

test('no answer accuses nobody; one that could not be sent is not sent again', () => {
  const failure = 'no answer came in time';
  expect(troubleIn({ failure }, undefined)).toEqual({
    what: 'no answer (no answer came in time)',
    mayAccuse: false,
    momentary: true,
  });
  expect(troubleIn({ failure, unsendable: true }, undefined)?.momentary).toBe(false);
});
