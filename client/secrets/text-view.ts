import type { View } from './view.ts';

/** The UTF-8 bytes of a text. A surrogate without its other half is three bytes too, so that every text has a view. */
export function textView(text: string): View {
  const length = Buffer.byteLength(text, 'utf8');
  return length === text.length ? asciiView(text) : mappedView(text);
}

/** The bytes that {@link textView} shows of a text. */
export function bytesOf(text: string): Uint8Array {
  const { bytes, length } = textView(text);
  return bytes.subarray(0, length);
}

function asciiView(text: string): View {
  const bytes = new Uint8Array(text.length);
  Buffer.from(bytes.buffer).write(text, 'latin1');
  return {
    bytes,
    length: bytes.length,
    startOf: (from) => from,
    endOf: (to) => to,
    isNew: () => true,
  };
}

function mappedView(text: string): View {
  const bytes = new Uint8Array(text.length * 3);
  const origin = new Int32Array(text.length * 3 + 1);
  let length = 0;
  for (let index = 0; index < text.length;) {
    const point = text.codePointAt(index) as number;
    const before = length;
    length = writeUtf8(bytes, length, point);
    origin.fill(index, before, length);
    index += point > 0xffff ? 2 : 1;
  }
  origin[length] = text.length;
  return {
    bytes,
    length,
    startOf: (from) => origin[from] as number,
    endOf: (to) => endAfter(origin, to, length),
    isNew: () => true,
  };
}

/** The character that the byte before `to` belongs to may have more bytes. */
function endAfter(origin: Int32Array, to: number, length: number): number {
  let next = to;
  while (next < length && origin[next] === origin[to - 1]) next += 1;
  return origin[next] as number;
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
