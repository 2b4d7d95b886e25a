/**
 * A text as UTF-8 bytes, in the form in which a secret may stand in it: as it is, without escapes, or decoded from
 * base64 or hexadecimal digits. Most texts hold no secret, so where a byte comes from is told only when it is asked.
 */
export interface View {
  /** One character a byte. */
  readonly bytes: string;
  /** Where in the original text the character, the escape or the digits begin that a byte stands for … */
  startOf(index: number): number;
  /** … and where they end. */
  endOf(index: number): number;
}

/** Stands between stretches that do not belong together: part of no secret, of no number and of no name. */
export const BREAK = '\0';

/** A text as UTF-8 bytes, one character a byte. */
export function bytesOf(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/** A text as it is. */
export class TextView implements View {
  readonly bytes: string;
  readonly #text: string;
  #starts: Int32Array | undefined;

  constructor(text: string) {
    this.#text = text;
    this.bytes = bytesOf(text);
  }

  startOf(index: number): number {
    if (this.bytes === this.#text) return index;
    this.#starts ??= startsOf(this.#text, this.bytes.length);
    return this.#starts[index] as number;
  }

  endOf(index: number): number {
    const start = this.startOf(index);
    return start + ((this.#text.codePointAt(start) as number) > 0xffff ? 2 : 1);
  }
}

/** Where the character stands in the text that each byte belongs to. */
function startsOf(text: string, length: number): Int32Array {
  const starts = new Int32Array(length);
  let done = 0;
  for (let index = 0; index < text.length;) {
    const point = text.codePointAt(index) as number;
    const end = done + (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4);
    starts.fill(index, done, end);
    done = end;
    index += point > 0xffff ? 2 : 1;
  }
  return starts;
}

/** A stretch of a view that was made from a stretch of another one. */
export interface Piece {
  /** Where it begins. */
  readonly at: number;
  /** What it was made from, from its first byte … */
  readonly from: number;
  /** … to the one after the last. */
  readonly to: number;
  /** Bits that each byte there stands for: 8 for one that was copied, 0 where all of them together are an escape. */
  readonly bits: number;
  /** The end of what belongs to the last byte, such as padding. */
  readonly end?: number;
}

/** A view whose bytes stand for those of another one. */
export class MadeView implements View {
  readonly bytes: string;
  readonly #of: View;
  readonly #pieces: readonly Piece[];

  /** @param pieces in their order */
  constructor(of: View, bytes: string, pieces: readonly Piece[]) {
    this.#of = of;
    this.bytes = bytes;
    this.#pieces = pieces;
  }

  startOf(index: number): number {
    const { at, from, bits } = lastUpTo(this.#pieces, index);
    return this.#of.startOf(bits === 0 ? from : from + Math.floor(((index - at) * 8) / bits));
  }

  endOf(index: number): number {
    const { at, from, to, bits, end = to } = lastUpTo(this.#pieces, index);
    const next = bits === 0 ? to : from + Math.ceil(((index - at + 1) * 8) / bits);
    return this.#of.endOf((next === to ? end : next) - 1);
  }
}

/** The last piece that begins at an index or before it. */
function lastUpTo(pieces: readonly Piece[], index: number): Piece {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle] as Piece).at <= index) low = middle;
    else high = middle - 1;
  }
  return pieces[low] as Piece;
}

/** What stands in the place of a secret. */
export const MASK = '••••••';

interface Span {
  readonly start: number;
  readonly end: number;
  /** What the mask is put into. */
  readonly quote: string;
}

/** Stretches of a text that are masked. */
export class Spans {
  readonly #text: string;
  readonly #found: Span[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Masks the bytes of a view from `from` to `to`, wherever they come from.
   *
   * @param quoteAt where a quote stands in the view that the mask is put into
   */
  add(view: View, from: number, to: number, quoteAt?: number): void {
    const quote = quoteAt === undefined ? '' : this.#text.slice(view.startOf(quoteAt), view.endOf(quoteAt));
    this.#found.push({ start: view.startOf(from), end: view.endOf(to - 1), quote });
  }

  /** The first `most` characters of the text, with every stretch masked; those that touch are masked as one. */
  masked(most: number): string {
    const text = this.#text.slice(0, most);
    let masked = '';
    let done = 0;
    let end = -1;
    for (const span of this.#found.sort((a, b) => a.start - b.start || b.end - a.end)) {
      if (span.start >= most) break;
      if (span.start > end) {
        masked += `${text.slice(done, span.start)}${span.quote}${MASK}${span.quote}`;
        done = end = span.end;
      } else if (span.end > end) done = end = span.end;
    }
    return masked + text.slice(done);
  }
}
