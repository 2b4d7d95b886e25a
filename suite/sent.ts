import { parse } from 'lossless-json';
import { fits } from '../generators/schemas.ts';
import type { RequestShape } from '../generators/requests.ts';
import type { Answer } from './answer.ts';

/** Digits alone: a whole number whatever its size. */
const WHOLE = /^-?\d+$/;

/**
 * Whether the body that really went out is legal by the contract. What is read back here decides whether a refusal or an
 * acceptance can accuse, so that a slip of a generator or of what writes JSON accuses nobody.
 *
 * @returns 'no JSON' where it is none
 */
export function sentBody({ body }: RequestShape, answer: Answer): 'legal' | 'illegal' | 'no JSON' {
  const text = answer.exchange.request.body;
  if (text === undefined || text === '') return body?.required ? 'illegal' : 'legal';
  let sent: unknown;
  try {
    sent = parse(text, undefined, (number) => (WHOLE.test(number) ? BigInt(number) : Number(number)));
  } catch {
    return 'no JSON';
  }
  return !body || fits(body.schema, sent) ? 'legal' : 'illegal';
}
