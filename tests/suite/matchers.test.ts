import { Unanswered, Reads, withReads } from '../../doubt/check.ts';
import { expect as outer, test } from '@playwright/test';
import { type Answer } from '../../suite/answers/answer.ts';
import { expect } from '../../suite/matchers.ts';
import { answered } from './answered.ts';

const refused = (status: number, code: string) =>
  answered(status, { text: JSON.stringify({ status, code, message: 'm' }) });

/** What becomes of an assertion: a failure's first line, or why a pass proves nothing. */
function outcome(assertion: () => void, isRepeat = false): string {
  const reads = new Reads();
  try {
    withReads(reads, assertion);
    reads.assertNoFault();
  } catch (error) {
    return `${error instanceof Unanswered ? 'unanswered' : 'fails'}: ${(error as Error).message.split('\n')[0]}`;
  }
  return reads.doubtInPass(isRepeat)?.reason ?? 'passes';
}

const TROUBLE = 'which may be trouble of the moment';
const SERVER = refused(500, 'INTERNAL_ERROR');
const CROWDED = refused(429, 'RATE_LIMITED');
const PAGE = answered(403, { text: '<html>no</html>', headers: { 'content-type': 'text/html' } });
const GATEWAY = answered(503, { text: 'busy' });
const TWICE = answered(201, { text: '{"status":"APPROVED","status":"REJECTED"}' });

const NEGATIVE: readonly (readonly [what: string, answer: Answer, doubt: string])[] = [
  [
    'a 500',
    SERVER,
    'fails: "asking": expected an answer to the request, got 500 INTERNAL_ERROR: m, a fault inside the service',
  ],
  ['a 429', CROWDED, `"asking" was answered 429, ${TROUBLE}`],
  ['a page', PAGE, `"asking" was answered 403 with a page that is no JSON, ${TROUBLE}`],
  ['a 503', GATEWAY, `"asking" was answered 503, ${TROUBLE}`],
  [
    'a body with a name twice',
    TWICE,
    '"asking" was answered with a body that has the name "status" twice, which proves nothing',
  ],
];

for (const [what, answer, doubt] of NEGATIVE)
  test(`that something is not so, is not shown by ${what}`, () => {
    outer(outcome(() => expect(answer).not.toHaveCode('FORBIDDEN'))).toBe(doubt);
    outer(outcome(() => expect(answer).not.toHaveHttpStatus(401))).toBe(doubt);
    outer(outcome(() => expect(answer.body?.transaction).toBeUndefined())).toBe(doubt);
  });

test('a status or code that the assertion names is the answer, and no doubt', () => {
  outer(outcome(() => expect(SERVER).toHaveHttpStatus(500))).toBe('passes');
  outer(outcome(() => expect(SERVER).toHaveCode('INTERNAL_ERROR'))).toBe('passes');
  outer(outcome(() => expect(CROWDED).toHaveHttpStatus(429))).toBe('passes');
  outer(outcome(() => expect(CROWDED).toBeRefused(429))).toBe('passes');
  outer(outcome(() => expect(PAGE).toBeRefused(403))).toBe('passes');
});

test('any refusal is not shown by what may come from something in between', () => {
  outer(outcome(() => expect(CROWDED).toBeRefused())).toBe(
    'unanswered: "asking" was answered 429, which may come from something in between',
  );
  outer(outcome(() => expect(GATEWAY).toBeRefused(400, 403))).toMatch(
    /^unanswered: "asking" was answered 503/,
  );
  outer(outcome(() => expect(TWICE).toBeRefused())).toMatch(/^unanswered: .*, which proves nothing$/);
  outer(outcome(() => expect(PAGE).toBeRefused())).toContain(TROUBLE);
  outer(outcome(() => expect(refused(403, 'FORBIDDEN')).toBeRefused())).toBe('passes');
});

test('a refusal that comes as a page twice is how this target refuses; a 500 never is', () => {
  outer(outcome(() => expect(PAGE).toBeRefused(), true)).toBe('passes');
  outer(outcome(() => expect(SERVER).not.toHaveCode('FORBIDDEN'), true)).toContain('a fault inside');
  outer(outcome(() => expect(CROWDED).not.toHaveCode('FORBIDDEN'), true)).toContain(TROUBLE);
});

test('money that has left is told as balances: before, due, and seen', () => {
  const unit = { code: 'USD', decimals: 2 };
  const taken = { amount: 10_001, opening: 1_000_000, unit };
  outer(outcome(() => expect(taken).toHaveTaken({ atLeast: 10_001, below: 10_002 }))).toBe('passes');
  const BEFORE = 'fails: the balance, 10,000.00 USD before: expected';
  for (const [due, words] of [
    [{ exactly: 10_000 }, `${BEFORE} 9,900.00 USD, got 9,899.99 USD`],
    [{ below: 10_001 }, `${BEFORE} more than 9,899.99 USD, got 9,899.99 USD`],
    [{ atLeast: 20_000 }, `${BEFORE} at most 9,800.00 USD, got 9,899.99 USD`],
  ] as const)
    outer(outcome(() => expect(taken).toHaveTaken(due))).toBe(words);
  const unknown = { amount: 1, opening: 5 };
  outer(outcome(() => expect(unknown).toHaveTaken({ exactly: 0 }))).toBe(
    'fails: the balance, 5 before: expected 5, got 4',
  );
});
