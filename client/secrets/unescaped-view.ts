import { BEGINS_ESCAPE, readEscape, type Escape } from './escapes.ts';
import { writeUtf8 } from './text-view.ts';
import { BREAK, type View } from './view.ts';

/**
 * A view with one level of escapes taken away, or undefined where it holds none. Stretches between breaks that hold no
 * escape are left out: they read the same as before.
 */
export function unescapedView(of: View): View | undefined {
  const { bytes, length } = of;
  const found: Escape = { value: 0, isByte: false, length: 0 };
  const first = firstEscape(bytes, length, found);
  if (first < 0) return undefined;
  const out = new Uint8Array(length + 1);
  const origin = new Int32Array(length + 1);
  const size = new Uint8Array(length + 1);
  let count = 0;
  let at = startOfStretch(bytes, first);
  while (at < length) {
    if (bytes[at] === BREAK) {
      const next = firstEscape(bytes, length, found, at + 1);
      origin[count] = at;
      size[count] = 1;
      out[count++] = BREAK;
      if (next < 0) break;
      at = Math.max(at + 1, startOfStretch(bytes, next));
      continue;
    }
    const begins = BEGINS_ESCAPE[bytes[at] as number] === 1 && readEscape(bytes, at, length, found);
    const taken = begins ? found.length : 1;
    const before = count;
    if (!begins || found.isByte) out[count++] = begins ? found.value : (bytes[at] as number);
    else if (found.value >= 0) count = writeUtf8(out, count, found.value);
    origin.fill(at, before, count);
    size.fill(taken, before, count);
    at += taken;
  }
  return {
    bytes: out,
    length: count,
    startOf: (from) => of.startOf(origin[from] as number),
    endOf: (to) => of.endOf((origin[to - 1] as number) + (size[to - 1] as number)),
    isNew: (from, to) => (origin[to - 1] as number) - (origin[from] as number) !== to - 1 - from,
  };
}

/** Index of the first escape, or -1. */
function firstEscape(bytes: Uint8Array, length: number, found: Escape, from = 0): number {
  for (let at = from; at < length; at += 1)
    if (BEGINS_ESCAPE[bytes[at] as number] === 1 && readEscape(bytes, at, length, found)) return at;
  return -1;
}

function startOfStretch(bytes: Uint8Array, at: number): number {
  return bytes.lastIndexOf(BREAK, at) + 1;
}
