import { parse } from 'lossless-json';
import type { RequestShape } from '../generators/requests.ts';
import { fits } from '../generators/schemas.ts';
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

/** The fields that a 400 names in details.errors; undefined where it has no usable list, which is not required everywhere. */
export function fieldsNamed(answer: Answer): readonly string[] | undefined {
  if (answer.exchange.response?.status !== 400) return undefined;
  const errors: unknown = answer.body?.details?.errors;
  const named = Array.isArray(errors)
    ? errors.map((entry) => (entry as { field?: unknown } | null)?.field)
    : undefined;
  return named?.every((field) => typeof field === 'string') ? named : undefined;
}

/** Whether a named path leads to a field. A service may say where the body stands in the request, as in `body.amount`. */
export function leadsTo(named: string, field: string): boolean {
  return `.${named}`.endsWith(`.${field}`);
}

/** Every object in a value of unknown shape, at any depth, the outermost first. */
export function objectsWithin(node: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof node !== 'object' || node === null) return [];
  const children = Object.values(node).flatMap((child: unknown) => objectsWithin(child));
  return Array.isArray(node) ? children : [node as Record<string, unknown>, ...children];
}
