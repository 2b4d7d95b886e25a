import { encodedViews, IN_BASE64, SHORTEST_BASE64 } from './encoded-views.ts';
import { BEGINS_ESCAPE } from './escapes.ts';
import { maskNamedValues } from './named-values.ts';
import type { Needles } from './needles.ts';
import type { Spans } from './spans.ts';
import { unescapedView } from './unescaped-view.ts';
import type { View } from './view.ts';

/** How deep encodings may lie within each other: escapes eight deep, base64 or hexadecimal digits two deep. */
export const DEPTH = 8;
const COST_OF_ESCAPES = 1;
const COST_OF_ENCODING = 3;

/** What a view holds that makes a further look worth while. */
const NAMES = 1;
const ESCAPES = 2;
const MARKS = new Uint8Array(256);
for (const separator of ':=') MARKS[separator.charCodeAt(0)] = NAMES;
BEGINS_ESCAPE.forEach((begins, byte) => (MARKS[byte] = (MARKS[byte] as number) | (begins * ESCAPES)));

/**
 * Finds every secret in a view, and in whatever its escapes and encoded parts stand for.
 *
 * @param depth what is left of {@link DEPTH}
 */
export function findSecrets(view: View, needles: Needles, spans: Spans, depth = DEPTH): void {
  const { bytes, length } = view;
  needles.find(view, (from, to) => spans.add(view.startOf(from), view.endOf(to)));
  let marks = 0;
  let run = 0;
  let longest = 0;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at] as number;
    marks |= MARKS[byte] as number;
    run = (run + 1) * (IN_BASE64[byte] as number);
    if (run > longest) longest = run;
  }
  if ((marks & NAMES) !== 0) maskNamedValues(view, spans);
  if ((marks & ESCAPES) !== 0 && depth >= COST_OF_ESCAPES) {
    const unescaped = unescapedView(view);
    if (unescaped) findSecrets(unescaped, needles, spans, depth - COST_OF_ESCAPES);
  }
  if (longest >= SHORTEST_BASE64 && depth >= COST_OF_ENCODING)
    for (const inner of encodedViews(view)) findSecrets(inner, needles, spans, depth - COST_OF_ENCODING);
}
