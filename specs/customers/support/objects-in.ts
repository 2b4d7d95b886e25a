import type { Answer } from '../../../suite/index.ts';
import { objectsWithin } from '../../../suite/objects-within.ts';

/** Every object in an accepted answer of unknown shape, at any depth. */
export function everyObjectIn(answer: Answer): readonly Readonly<Record<string, unknown>>[] {
  if (!answer.exchange.response || !answer.accepted) return [];
  return objectsWithin(answer.body as unknown);
}

/** Names of the fields that an answer carries at its top. */
export function fieldsOf(answer: Answer): readonly string[] | string {
  const body: unknown = answer.exchange.response ? answer.body : undefined;
  return typeof body === 'object' && body !== null ? Object.keys(body) : 'no JSON';
}
