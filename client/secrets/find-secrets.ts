import { encodedViews, IN_BASE64, SHORTEST_BASE64 } from './encoded-views.ts';
import { BEGINS_ESCAPE } from './escapes.ts';
import { maskNamedValues } from './named-values.ts';
import type { Needles } from './needles.ts';
import type { Spans } from './spans.ts';
import { unescapedView } from './unescaped-view.ts';
import { DEPTH, type View } from './view.ts';

const COST_OF_ESCAPES = 1;
const COST_OF_ENCODING = 3;

/** What a byte makes worth a further look. */
const [NAMES, ESCAPES, DIGITS] = [1, 2, 4] as const;
const MARKS = Uint8Array.from(
  IN_BASE64,
  (isDigit, byte) =>
    isDigit * DIGITS +
    (BEGINS_ESCAPE[byte] as number) * ESCAPES +
    (byte === 0x3a || byte === 0x3d ? NAMES : 0),
);

/**
 * Finds every secret in a view, and in whatever its escapes and encoded parts stand for.
 *
 * @param depth how deep encodings may still lie within each other
 */
export function findSecrets(view: View, needles: Needles, spans: Spans, depth = DEPTH): void {
  needles.find(view, (from, to) => spans.add(view.startOf(from), view.endOf(to)));
  const marks = marksOf(view);
  if ((marks & NAMES) !== 0) maskNamedValues(view, spans);
  if ((marks & ESCAPES) !== 0 && depth >= COST_OF_ESCAPES) {
    const unescaped = unescapedView(view);
    if (unescaped) findSecrets(unescaped, needles, spans, depth - COST_OF_ESCAPES);
  }
  if ((marks & DIGITS) !== 0 && depth >= COST_OF_ENCODING)
    for (const inner of encodedViews(view)) findSecrets(inner, needles, spans, depth - COST_OF_ENCODING);
}

/** The marks of all bytes together; that of digits where enough of them stand together only. */
function marksOf({ bytes, length }: View): number {
  const table = MARKS;
  let marks = 0;
  let run = 0;
  let longest = 0;
  for (let at = 0; at < length; at += 1) {
    const mark = table[bytes[at] as number] as number;
    marks |= mark;
    run = (run + 1) & -(mark >> 2);
    if (run > longest) longest = run;
  }
  return longest >= SHORTEST_BASE64 ? marks : marks & ~DIGITS;
}
