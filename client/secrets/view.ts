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
