/**
 * A text as UTF-8 bytes, in the form in which a secret may stand in it: as it is, without escapes, or decoded from
 * base64 or hexadecimal digits. Every byte knows where it comes from.
 */
export interface View {
  /** One character a byte. */
  readonly bytes: string;
  /** Where in the original text the character, the escape or the digits begin that a byte stands for … */
  readonly starts: Int32Array;
  /** … and where they end. */
  readonly ends: Int32Array;
}

/** Stands between stretches that do not belong together: part of no secret, of no number and of no name. */
export const BREAK = '\0';

/** A text as UTF-8 bytes, one character a byte. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

export function textView(text: string): View {
  const bytes = bytesOf(text);
  const starts = new Int32Array(bytes.length);
  const ends = new Int32Array(bytes.length);
  let length = 0;
  for (let index = 0; index < text.length;) {
    const point = text.codePointAt(index) as number;
    const next = index + (point > 0xffff ? 2 : 1);
    const end = length + (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4);
    for (; length < end; length += 1) {
      starts[length] = index;
      ends[length] = next;
    }
    index = next;
  }
  return { bytes, starts, ends };
}

/** Makes a view of what the bytes of another one stand for. */
export class ViewWriter {
  readonly #bytes: Buffer;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  #length = 0;

  /** @param most so many bytes are written at most */
  constructor(most: number) {
    this.#bytes = Buffer.alloc(most);
    this.#starts = new Int32Array(most);
    this.#ends = new Int32Array(most);
  }

  put(byte: number, start: number, end: number): void {
    this.#bytes[this.#length] = byte;
    this.#starts[this.#length] = start;
    this.#ends[this.#length] = end;
    this.#length += 1;
  }

  /** Copies the bytes from `from` to `to`. */
  copy({ bytes, starts, ends }: View, from: number, to: number): void {
    for (let at = from; at < to; at += 1)
      this.put(bytes.charCodeAt(at), starts[at] as number, ends[at] as number);
  }

  view(): View {
    return { bytes: this.#bytes.toString('latin1', 0, this.#length), starts: this.#starts, ends: this.#ends };
  }
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
  add({ starts, ends }: View, from: number, to: number, quoteAt?: number): void {
    const quote = quoteAt === undefined ? '' : this.#text.slice(starts[quoteAt], ends[quoteAt]);
    this.#found.push({ start: starts[from] as number, end: ends[to - 1] as number, quote });
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
