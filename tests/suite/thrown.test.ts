import { expect, test } from '@playwright/test';
import { expect as matchers } from '../../suite/matchers.ts';
import { harmless, told } from '../../suite/run/error-text.ts';
import { removedReasonsIn } from '../../suite/answers/removed-reasons.ts';
import { Reads } from '../../doubt/check.ts';

const judged = (assertion: () => unknown) => new Reads().judge(assertion, { isRepeat: false });

test('a value of another kind than is compared accuses nobody, and is no mistake of the suite', async () => {
  const { doubt, ...rest } = await judged(() => matchers('12' as unknown as number).toBeLessThan(20));
  expect(doubt?.reason).toContain('received value must be a number');
  expect(rest).toEqual({});
});

test('a failed assertion accuses, and any other error is a mistake of the suite', async () => {
  const { broken, ...rest } = await judged(() => matchers(12).toBe(13));
  expect(broken?.message).toBe('expected 13, got 12');
  expect(rest).toEqual({});
  const mistake = new TypeError('no such thing');
  expect(await judged(() => Promise.reject(mistake))).toEqual({ other: mistake });
});

const CASES: readonly (readonly [what: string, text: string, shown: string])[] = [
  ['a colour', '\u001b[31mred', 'red'],
  ['a colour in one character', '\u009b31mred', 'red'],
  ['a link', '\u001b]8;;http://x\u0007here', 'here'],
  ['a mark that turns the direction', 'a\u202egnp.exe', 'a\\u202egnp.exe'],
  ['a return that hides what stands before it', 'real\rfake', 'real\\u000dfake'],
  ['NUL, delete and next line', '\u0000\u007f\u0085', '\\u0000\\u007f\\u0085'],
  ['lines, tabs and letters of all kinds', 'a\n\tб 中 😀 é', 'a\n\tб 中 😀 é'],
];

for (const [what, text, shown] of CASES) test(`${what}`, () => expect(harmless(text)).toBe(shown));

test('what is told of a target has no stack, and steers nothing', () => {
  const error = told(new TypeError('it said \u0085'));
  expect(error.message).toBe('it said \\u0085');
  expect(error.stack).toBe('TypeError: it said \\u0085');
});

const TRANSACTION = { id: 'Transaction:1', status: 'FAILED' };

const TIMED_OUT = { ...TRANSACTION, failureReason: 'TIMEOUT' };

/** Bodies that tell of something else. */
const NONE: Readonly<Record<string, unknown>> = {
  'no reason': TRANSACTION,
  'a plain reason of one that goes on': { ...TRANSACTION, status: 'PENDING', reason: 'TIMEOUT' },
  'why a transaction is held': { ...TRANSACTION, pendingReason: 'TIMEOUT' },
  'words for people': { ...TRANSACTION, failureReason: 'it took too long' },
  'its refund': { ...TRANSACTION, refund: { failureReason: 'TIMEOUT' } },
  'a refund in a list': { refunds: [TIMED_OUT] },
  'another record': { data: [{ id: 'StablecoinOperation:1', status: 'FAILED', reason: 'TIMEOUT' }] },
  'an action': { id: 'AgentAction:1', status: 'FAILED', failureReason: 'TIMEOUT' },
  'a log of deliveries': { deliveries: [{ status: 'FAILED', failureReason: 'TIMEOUT' }] },
};

for (const [what, body] of Object.entries(NONE))
  test(`${what}: no failure reason of a transaction`, () =>
    expect(removedReasonsIn(body)).toMatchObject({ seen: false, breaches: [] }));
