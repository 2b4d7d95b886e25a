import { parse as parseStrictly } from 'lossless-json';

/** Longer texts are not searched for names that come twice. Characters. */
const SEARCHED = 200_000;

/** What an answer says of itself: that it is JSON (or nothing at all), a page, or something else. */
export function mediaTypeOf(headers: Readonly<Record<string, string>>): 'json' | 'page' | 'other' {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === '' || /^(?:application|text)\/(?:[\w.+-]+\+)?json$/.test(type)) return 'json';
  return /^(?:text\/html|application\/xhtml\+xml)$/.test(type) ? 'page' : 'other';
}

/**
 * Why a JSON text can be read in two ways, if it can: a name that one object has twice, with two values. JSON allows it,
 * and its readers differ in which value they take (RFC 8259, section 4).
 *
 * @param parsed the same text, parsed
 */
export function ambiguityIn(text: string, parsed: unknown): string | undefined {
  if (text.length > SEARCHED || typeof parsed !== 'object' || parsed === null) return undefined;
  // Every member has a quote and a colon; where there are no more of these than members, none was dropped.
  const colons = text.match(/"\s*:/g)?.length ?? 0;
  if (colons <= countMembers(parsed)) return undefined;
  try {
    parseStrictly(text);
    return undefined;
  } catch (error) {
    const name = /^Duplicate key '([^]*)' encountered/.exec((error as Error).message)?.[1];
    return name === undefined ? undefined : `has the name ${JSON.stringify(name.slice(0, 60))} twice`;
  }
}

function countMembers(root: object): number {
  let members = 0;
  const left: object[] = [root];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (!Array.isArray(node)) members += Object.keys(node).length;
    for (const inner of Object.values(node) as unknown[])
      if (typeof inner === 'object' && inner !== null) left.push(inner);
  }
  return members;
}
