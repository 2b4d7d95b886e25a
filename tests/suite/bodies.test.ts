import { expect, test } from '@playwright/test';
import { requestShape } from '../../generators/requests.ts';
import { Answer } from '../../suite/answer.ts';
import { sentBody } from '../../suite/bodies.ts';

const UUID = '01234567-89ab-4cde-8f01-23456789abcd';
const SHAPE = requestShape('transferOut');
const body = (amount: string) =>
  `{"source":{"accountId":"InternalAccount:${UUID}"},"destination":{"accountId":"ExternalAccount:${UUID}"},"amount":${amount}}`;

function sent(text: string | undefined): Answer {
  const request = { method: 'POST', url: 'x', headers: {}, ...(text === undefined ? {} : { body: text }) };
  return new Answer('1', 'x', { at: 0, milliseconds: 1, request, failure: 'none' }, undefined, []);
}

test('a body is judged by what went out, to the last digit', () => {
  for (const amount of ['1000', '9223372036854775807', '-9223372036854775808', '1e3'])
    expect(sentBody(SHAPE, sent(body(amount))), amount).toBe('legal');
  for (const amount of ['9223372036854775808', '-9223372036854775809', '10.5', '"1000"', '1e400', '[]'])
    expect(sentBody(SHAPE, sent(body(amount))), amount).toBe('illegal');
});

test('a missing body is illegal where one is required, and what is no JSON is told apart', () => {
  expect(sentBody(SHAPE, sent(undefined))).toBe('illegal');
  expect(sentBody(requestShape('challengeCredential'), sent(undefined))).toBe('legal');
  expect(sentBody(SHAPE, sent('{'))).toBe('no JSON');
});
