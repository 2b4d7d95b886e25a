import { BEGINS_ESCAPE, readEscape, type Escape } from './escapes.ts';
import { BREAK, writeUtf8, type View } from './view.ts';

/**
 * A view with one level of escapes taken away, or undefined where it holds none. Stretches between breaks that hold no
 * escape are left out: they read the same as before.
 */
export function unescapedView(of: View): View | undefined {
  const { bytes, length } = of;
  const found: Escape = { value: 0, isByte: false, length: 0 };
  const first = firstEscape(bytes, length, found);
  if (first < 0) return undefined;
  return new UnescapedView(of, first);
}

class UnescapedView implements View {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly #of: View;
  /** Where the character or escape that a byte stands for begins, and where it ends. */
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;

  constructor(of: View, first: number) {
    const { bytes, length } = of;
    const begins = BEGINS_ESCAPE;
    const out = (this.bytes = new Uint8Array(length));
    const starts = (this.#starts = new Int32Array(length));
    const ends = (this.#ends = new Int32Array(length));
    this.#of = of;
    const found: Escape = { value: 0, isByte: false, length: 0 };
    let count = 0;
    for (let at = startOfStretch(bytes, first); at < length;) {
      const byte = bytes[at] as number;
      const isEscape = begins[byte] === 1 && readEscape(bytes, at, length, found);
      const end = isEscape ? at + found.length : at + 1;
      let last = count;
      if (!isEscape || found.isByte) out[last++] = isEscape ? found.value : byte;
      else if (found.value >= 0) last = writeUtf8(out, count, found.value);
      for (; count < last; count += 1) {
        starts[count] = at;
        ends[count] = end;
      }
      at = end;
      if (byte !== BREAK) continue;
      const next = firstEscape(bytes, length, found, at);
      at = next < 0 ? length : Math.max(at, startOfStretch(bytes, next));
    }
    this.length = count;
  }

  startOf(from: number): number {
    return this.#of.startOf(this.#starts[from] as number);
  }

  endOf(to: number): number {
    return this.#of.endOf(this.#ends[to - 1] as number);
  }

  isNew(from: number, to: number): boolean {
    return (this.#ends[to - 1] as number) - (this.#starts[from] as number) !== to - from;
  }
}

/** Index of the first escape, or -1. */
function firstEscape(bytes: Uint8Array, length: number, found: Escape, from = 0): number {
  const begins = BEGINS_ESCAPE;
  for (let at = from; at < length; at += 1)
    if (begins[bytes[at] as number] === 1 && readEscape(bytes, at, length, found)) return at;
  return -1;
}

function startOfStretch(bytes: Uint8Array, at: number): number {
  return bytes.lastIndexOf(BREAK, at) + 1;
}
