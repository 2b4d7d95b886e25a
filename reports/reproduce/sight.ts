import type { Looked, RecordedExchange } from '../../journal/types.ts';
import type { ExchangeIndex } from '../model.ts';

/** One place in an answer, and what stood there. */
export interface Sight {
  readonly exchange: string;
  /** JSON pointer, `#status`, `#body` or `#header/<name>`. */
  readonly pointer: string;
  /** Absent where nothing stood there. */
  readonly value?: unknown;
}

/** A message that ends with a status stands on that alone. */
const ABOUT_A_STATUS = /\bgot [1-5]\d\d$/;

/**
 * Everything that a check looked at, with what it saw there; what holds a closer place is left out. A check that took its
 * values from answers before it began looked at no place: then their bodies are taken as a whole.
 *
 * @param message what the check said
 */
export function lookedAt(given: readonly Looked[], exchanges: ExchangeIndex, message: string): Sight[] {
  const isBare = given.every(({ pointers }) => pointers.every((pointer) => pointer === '#status'));
  const looked =
    isBare && !ABOUT_A_STATUS.test(message.trim())
      ? given.map(({ exchange }) => ({ exchange, pointers: ['#status', ''] }))
      : given;
  return looked.flatMap(({ exchange, pointers }) => {
    const recorded = exchanges.get(exchange);
    if (!recorded?.response) return [];
    const all = [...new Set(['#status', ...pointers])];
    const closest = all.filter((one) => !all.some((other) => other.startsWith(`${one}/`) && one !== other));
    return closest.map((pointer): Sight => {
      const value = valueAt(recorded, pointer);
      return { exchange, pointer, ...(value === undefined ? {} : { value }) };
    });
  });
}

/** JSON in which a number that is too long for a double is a text: `9007199254740993` must stay what it is. */
function parseExactly(text: string): unknown {
  const exact = text.replace(/"(?:\\.|[^"\\])*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi, (part) =>
    /^-?\d{16,}$/.test(part) ? `"${part}"` : part,
  );
  return JSON.parse(exact) as unknown;
}

/** What stands at a place of an answer; undefined for nothing. */
export function valueAt({ response }: RecordedExchange, pointer: string): unknown {
  if (!response) return undefined;
  if (pointer === '#status') return response.status;
  if (pointer.startsWith('#header/'))
    return Object.entries(response.headers).find(
      ([name]) => name.toLowerCase() === pointer.slice('#header/'.length).toLowerCase(),
    )?.[1];
  if (pointer.startsWith('#')) return response.body;
  let node: unknown;
  try {
    node = parseExactly(response.body);
  } catch {
    return pointer === '' ? response.body : undefined;
  }
  for (const key of pointer.split('/').slice(1)) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as Record<string, unknown>)[key];
  }
  return node;
}
