import { expect, test } from '@playwright/test';
import { harmless, told } from '../../suite/error-text.ts';

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
