import { BREAK, writeUtf8, type View } from './view.ts';

/** What one escape stands for, and how many bytes it takes. */
export interface Escape {
  /** A code point, or one byte where `isByte`; -1 for nothing at all. */
  value: number;
  isByte: boolean;
  length: number;
}

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const ESC = 0x1b;
/** Longer than any escape: the search for an end stops here, so that every escape takes bounded time. */
const LONGEST = 12;

/** 1 for each byte that may begin an escape. */
export const BEGINS_ESCAPE = new Uint8Array(256);
for (const byte of [BACKSLASH, PERCENT, AMPERSAND, ESC]) BEGINS_ESCAPE[byte] = 1;

/** Value of each hexadecimal digit; -1 for all other bytes. */
export const HEX = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit += 1)
  for (const text of [digit.toString(16), digit.toString(16).toUpperCase()]) HEX[text.charCodeAt(0)] = digit;

const SINGLE: Readonly<Record<string, number>> = { b: 8, f: 12, n: 10, r: 13, t: 9 };
const NAMED: readonly (readonly [Uint8Array, number])[] = (
  [
    ['amp;', '&'],
    ['lt;', '<'],
    ['gt;', '>'],
    ['quot;', '"'],
    ['apos;', "'"],
  ] as const
).map(([name, stands]) => [new TextEncoder().encode(name), stands.charCodeAt(0)]);

/**
 * Reads the escape of JSON, of scripts, of percent-encoding, of HTML or of a terminal that begins at `at`.
 *
 * @param found filled with what was read
 * @returns whether there is one
 */
function readEscape(bytes: Uint8Array, at: number, length: number, found: Escape): boolean {
  switch (bytes[at]) {
    case BACKSLASH:
      return backslash(bytes, at, length, found);
    case PERCENT: {
      const value = hexAt(bytes, at + 1, 2, length);
      return value >= 0 && set(found, value, true, 3);
    }
    case AMPERSAND:
      return bytes[at + 1] === 0x23 ? numbered(bytes, at, length, found) : named(bytes, at, length, found);
    case ESC:
      return colour(bytes, at, length, found);
    default:
      return false;
  }
}

function set(found: Escape, value: number, isByte: boolean, length: number): true {
  found.value = value;
  found.isByte = isByte;
  found.length = length;
  return true;
}

function backslash(bytes: Uint8Array, at: number, length: number, found: Escape): boolean {
  if (at + 1 >= length) return false;
  const next = bytes[at + 1] as number;
  const letter = String.fromCharCode(next);
  if (letter === 'u') return unicode(bytes, at, length, found);
  if (letter === 'x') {
    const value = hexAt(bytes, at + 2, 2, length);
    return value >= 0 && set(found, value, false, 4);
  }
  const single = SINGLE[letter];
  if (single !== undefined) return set(found, single, false, 2);
  return '"\\/\'`'.includes(letter) && set(found, next, false, 2);
}

function unicode(bytes: Uint8Array, at: number, length: number, found: Escape): boolean {
  if (bytes[at + 2] === 0x7b) {
    const { value, end } = digits(bytes, at + 3, length, 16);
    return end > at + 3 && bytes[end] === 0x7d && set(found, value, false, end + 1 - at);
  }
  const high = hexAt(bytes, at + 2, 4, length);
  if (high < 0) return false;
  if (high >= 0xd800 && high < 0xdc00 && bytes[at + 6] === BACKSLASH && bytes[at + 7] === 0x75) {
    const low = hexAt(bytes, at + 8, 4, length);
    if (low >= 0xdc00 && low < 0xe000)
      return set(found, 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), false, 12);
  }
  return set(found, high, false, 6);
}

function numbered(bytes: Uint8Array, at: number, length: number, found: Escape): boolean {
  const isHex = ((bytes[at + 2] ?? 0) | 0x20) === 0x78;
  const from = at + (isHex ? 3 : 2);
  const { value, end } = digits(bytes, from, length, isHex ? 16 : 10);
  return end > from && end < length && bytes[end] === 0x3b && set(found, value, false, end + 1 - at);
}

function named(bytes: Uint8Array, at: number, length: number, found: Escape): boolean {
  for (const [name, stands] of NAMED) {
    if (at + 1 + name.length > length) continue;
    let same = 0;
    while (same < name.length && bytes[at + 1 + same] === name[same]) same += 1;
    if (same === name.length) return set(found, stands, false, 1 + name.length);
  }
  return false;
}

/** Colours within a message: a comparison of two texts marks what differs, in the midst of a secret too. */
function colour(bytes: Uint8Array, at: number, length: number, found: Escape): boolean {
  if (bytes[at + 1] !== 0x5b) return false;
  for (let end = at + 2; end < length && end < at + LONGEST; end += 1) {
    const byte = bytes[end] as number;
    if (byte >= 0x40 && byte <= 0x7e) return set(found, -1, false, end + 1 - at);
  }
  return false;
}

function hexAt(bytes: Uint8Array, at: number, count: number, length: number): number {
  if (at + count > length) return -1;
  let value = 0;
  for (let index = at; index < at + count; index += 1) {
    const digit = HEX[bytes[index] as number] as number;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** A number that is a code point; `end` is `from` where there is none. */
function digits(
  bytes: Uint8Array,
  from: number,
  length: number,
  base: number,
): { value: number; end: number } {
  let value = 0;
  let end = from;
  for (; end < length && end < from + LONGEST; end += 1) {
    const digit = HEX[bytes[end] as number] as number;
    if (digit < 0 || digit >= base) break;
    value = value * base + digit;
  }
  return value > 0x10ffff ? { value: 0, end: from } : { value, end };
}

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
