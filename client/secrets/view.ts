/**
 * A text as bytes, in the form in which a secret may stand in it: as it is, without escapes, or decoded from base64 or
 * hexadecimal digits. Every byte knows where it comes from.
 */
export interface View {
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Where a stretch of these bytes begins in the original text: index of the first character. */
  startOf(from: number): number;
  /** Where a stretch that ends before `to` ends in the original text: index after the last character. */
  endOf(to: number): number;
  /** Whether a stretch reads otherwise than in the view that this one was made of. */
  isNew(from: number, to: number): boolean;
}

/** Stands between stretches that do not belong together: part of no secret, of no number and of no name. */
export const BREAK = 0;

/** How deep encodings may lie within each other: escapes eight deep, base64 or hexadecimal digits two deep. */
export const DEPTH = 8;

/** The UTF-8 bytes of a text. A surrogate without its other half is three bytes too, so that every text has a view. */
export function textView(text: string): View {
  const length = Buffer.byteLength(text, 'utf8');
  return length === text.length ? new AsciiView(text) : new Utf8View(text);
}

/** The bytes that {@link textView} shows of a text. */
export function bytesOf(text: string): Uint8Array {
  const { bytes, length } = textView(text);
  return bytes.subarray(0, length);
}

/** Every byte is a character. */
class AsciiView implements View {
  readonly bytes: Uint8Array;
  readonly length: number;

  constructor(text: string) {
    this.length = text.length;
    this.bytes = new Uint8Array(text.length);
    Buffer.from(this.bytes.buffer).write(text, 'latin1');
  }

  startOf(from: number): number {
    return from;
  }

  endOf(to: number): number {
    return to;
  }

  isNew(): boolean {
    return true;
  }
}

/** A character may be several bytes. */
class Utf8View implements View {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly #origin: Int32Array;

  constructor(text: string) {
    this.bytes = new Uint8Array(text.length * 3);
    this.#origin = new Int32Array(text.length * 3 + 1);
    let length = 0;
    for (let index = 0; index < text.length;) {
      const point = text.codePointAt(index) as number;
      const end = writeUtf8(this.bytes, length, point);
      for (; length < end; length += 1) this.#origin[length] = index;
      index += point > 0xffff ? 2 : 1;
    }
    this.#origin[length] = text.length;
    this.length = length;
  }

  startOf(from: number): number {
    return this.#origin[from] as number;
  }

  /** The character that the last byte belongs to may have more of them. */
  endOf(to: number): number {
    let next = to;
    while (next < this.length && this.#origin[next] === this.#origin[to - 1]) next += 1;
    return this.#origin[next] as number;
  }

  isNew(): boolean {
    return true;
  }
}

/** Writes a code point, lone surrogates included. @returns the index after it */
export function writeUtf8(bytes: Uint8Array, at: number, point: number): number {
  if (point < 0x80) {
    bytes[at] = point;
    return at + 1;
  }
  if (point < 0x800) {
    bytes[at] = 0xc0 | (point >> 6);
    bytes[at + 1] = 0x80 | (point & 0x3f);
    return at + 2;
  }
  if (point < 0x10000) {
    bytes[at] = 0xe0 | (point >> 12);
    bytes[at + 1] = 0x80 | ((point >> 6) & 0x3f);
    bytes[at + 2] = 0x80 | (point & 0x3f);
    return at + 3;
  }
  bytes[at] = 0xf0 | (point >> 18);
  bytes[at + 1] = 0x80 | ((point >> 12) & 0x3f);
  bytes[at + 2] = 0x80 | ((point >> 6) & 0x3f);
  bytes[at + 3] = 0x80 | (point & 0x3f);
  return at + 4;
}
